// Fuzz target: NPZ.
#include "fuzz/fuzz_target.h"
#include "io/arrays/npz.h"

using namespace headlight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = fuzz::bytes_of(data, size);
    fuzz::expect_only_errors([&] { static_cast<void>(read_npz(bytes, "input")); });
    return 0;
}
