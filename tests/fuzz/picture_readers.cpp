// Readers of pictures.
#include "fuzz/expectations.h"
#include "fuzz/readers.h"
#include "io/pictures/picture.h"

namespace headlight::fuzz {
void try_jpeg(std::string_view bytes) {
    expect_only_errors([&] { expect_sound(image_study(read_jpeg(bytes, "input"))); });
}

void try_png(std::string_view bytes) {
    expect_only_errors([&] { expect_sound(image_study(read_png(bytes, "input"))); });
}

}  // namespace headlight::fuzz
