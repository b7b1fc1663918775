// Fuzz target: studies; what is read is written and read again the same.
#include "fuzz/fuzz_target.h"
#include "io/studies/study.h"

using namespace headlight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = fuzz::bytes_of(data, size);
    fuzz::expect_only_errors([&] {
        const Document document = read_study(bytes, "input");
        fuzz::expect(read_study(write_study(document), "written") == document);
    });
    return 0;
}
