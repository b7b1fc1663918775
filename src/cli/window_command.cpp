// The commands that need the window.
#include "cli/window_command.h"

#include "app/program.h"
#include "io/file.h"
#include "io/png_image.h"

namespace headlight {

void open_window(const std::optional<std::string>& file) {
    Program program({.title = "Headlight", .size = {}}, make_glfw_window);
    if (file) program.open_file(*file);
    program.run();
}

void render_window(const WindowPicture& picture) {
    const WindowSize size{picture.width_px / picture.scale, picture.height_px / picture.scale,
                          picture.scale};
    Program program({.title = "Headlight", .size = size}, make_headless_window);
    if (picture.study) program.open_file(*picture.study);
    program.workbench().set_theme(picture.theme);
    program.settle();
    if (picture.show) {
        program.workbench().show(*picture.show);
        program.loop().wake();
        program.settle();
    }
    const Pixels pixels = program.loop().screenshot();
    write_file(picture.output, encode_png(pixels.width, pixels.height, pixels.rgba));
}

}  // namespace headlight
