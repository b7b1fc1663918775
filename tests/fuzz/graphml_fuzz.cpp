// Fuzz target: GraphML.
#include "fuzz/fuzz_target.h"
#include "io/graphs/graphml.h"

using namespace headlight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = fuzz::bytes_of(data, size);
    fuzz::expect_only_errors([&] { fuzz::expect_sound(read_graphml(bytes, "input").graph); });
    return 0;
}
