// headlight doctor: the parts that are here, and what to install where something is missing.
#include <Eigen/Core>
#include <cstdlib>
#include <fmt/format.h>
#include <imgui.h>
#include <utility>

#include "cli/commands.h"
#include "core/error.h"
#include "io/pictures/font_files.h"
#include "render/gl_context.h"
#include "text/scripts.h"

namespace headlight {
namespace {

constexpr std::size_t kNameWidth = 19;

void report(const Streams& streams, const std::string& name, const std::string& text) {
    streams.out << name << std::string(kNameWidth - name.size(), ' ') << text << '\n';
}

std::string compiler_version() {
#if defined(__clang__)
    return "Clang " __clang_version__;
#else
    return "GCC " __VERSION__;
#endif
}

void report_gl(const Streams& streams) {
    try {
        const HeadlessContext context;
        const GlInfo info = gl_info();
        report(streams, "OpenGL", info.version);
        report(streams, "  renderer", info.renderer);
        report(streams, "  vendor", info.vendor);
        report(streams, "  largest picture", fmt::format("{} pixels", info.max_texture_size));
    } catch (const Error& error) {
        report(streams, "OpenGL", std::string("missing: ") + error.what());
        report(streams, "",
               "on Debian and Ubuntu: sudo apt install libegl1 libgl1 libgl1-mesa-dri");
    }
}

/// Says by which font the letters of each script are shown.
void report_scripts(const Streams& streams) {
    std::string before = "Letters, ";
    for (const Script& script : scripts()) {
        const FontFile file = find_picture_file_with(script.sample);
        report(streams, std::exchange(before, "  ") + script.name,
               file.path.empty() ? std::string("missing: sudo apt install ") + script.package
                                 : fmt::format("{}, {}", file.family, file.path));
    }
}

void report_fonts(const Streams& streams) {
    constexpr std::pair<const char*, Font> kFonts[] = {{"Font, text", Font::Regular},
                                                       {"  bold", Font::Bold},
                                                       {"  mathematics", Font::Math},
                                                       {"  names", Font::Mono}};
    try {
        for (const auto& [name, font] : kFonts) {
            const FontFile file = find_font_file(font);
            report(streams, name, fmt::format("{}, {}", file.family, file.path));
        }
        report_scripts(streams);
    } catch (const Error& error) {
        report(streams, "Fonts", std::string("missing: ") + error.what());
        report(streams, "", "on Debian and Ubuntu: sudo apt install fonts-inter fonts-dejavu");
    }
}

void report_display(const Streams& streams) {
    for (const char* variable : {"WAYLAND_DISPLAY", "DISPLAY"}) {
        const char* value = std::getenv(variable);
        if (value && *value)
            return report(streams, "Display", fmt::format("{} is {}", variable, value));
    }
    report(streams, "Display", "none: `headlight window` draws the window into a file without one");
}

}  // namespace

void report_health(const Streams& streams) {
    report(streams, "Headlight", HEADLIGHT_VERSION);
    report(streams, "Compiler", compiler_version());
    report(streams, "Eigen",
           fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION));
    report(streams, "Dear ImGui", IMGUI_VERSION);
    report_gl(streams);
    report_fonts(streams);
    report_display(streams);
}

}  // namespace headlight
