// Fuzz target: recipes of trainings; what is read is written and read again the same.
#include "fuzz/fuzz_target.h"
#include "io/studies/recipe_file.h"

using namespace headlight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::expect_only_errors([&] {
        const Recipe recipe = read_recipe(fuzz::bytes_of(data, size), "input");
        const std::string written = write_recipe(recipe);
        fuzz::expect(write_recipe(read_recipe(written, "written")) == written);
    });
    return 0;
}
