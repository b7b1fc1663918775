// Fuzz target: JPEG pictures.
#include "fuzz/fuzz_target.h"
#include "io/pictures/picture.h"

using namespace headlight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = fuzz::bytes_of(data, size);
    fuzz::expect_only_errors([&] { fuzz::expect_sound(image_study(read_jpeg(bytes, "input"))); });
    return 0;
}
