// The OpenGL implementation: for the doctor command, and for errors that say what to install.
#pragma once

#include <string>

namespace headlight {

struct GlInfo {
    std::string vendor, renderer, version, shading_language;
    int max_texture_size = 0;
};

/// Describes the current context.
GlInfo gl_info();

/// Throws Error naming the package if libEGL or libGL is not installed.
void check_gl_libraries();

/// True when the current context is OpenGL ES.
bool is_gles();

}  // namespace headlight
