// Fuzz target: the window's state.
#include "fuzz/fuzz_target.h"
#include "io/studies/window_state.h"

using namespace headlight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = fuzz::bytes_of(data, size);
    fuzz::expect_only_errors([&] { static_cast<void>(parse_window_state(bytes, "input")); });
    return 0;
}
