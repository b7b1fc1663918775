// Fuzz target: graphs in Matrix Market format.
#include "fuzz/fuzz_target.h"
#include "graph/matrix_market.h"

using namespace headlight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = fuzz::bytes_of(data, size);
    fuzz::expect_only_errors([&] { fuzz::expect_sound(read_matrix_market(bytes, "input").graph); });
    return 0;
}
