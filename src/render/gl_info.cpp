#include "render/gl_info.h"

#include <dlfcn.h>
#include <epoxy/gl.h>

#include "core/error.h"

namespace headlight {
namespace {

std::string gl_text(GLenum name) {
    const GLubyte* text = glGetString(name);
    return text == nullptr ? "unknown" : reinterpret_cast<const char*>(text);
}

// Throws Error if a library is missing: libepoxy would end the program, so they are looked for
// first.
void check_library(const char* file, const char* package) {
    void* library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
    if (library == nullptr) {
        throw Error("OpenGL", "{} is missing; install the package {}", file, package);
    }
    dlclose(library);
}

}  // namespace

GlInfo gl_info() {
    GlInfo info{gl_text(GL_VENDOR), gl_text(GL_RENDERER), gl_text(GL_VERSION),
                gl_text(GL_SHADING_LANGUAGE_VERSION)};
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &info.max_texture_size);
    return info;
}

void check_gl_libraries() {
    check_library("libEGL.so.1", "libegl1");
    check_library("libGL.so.1", "libgl1");
}

bool is_gles() {
    return !epoxy_is_desktop_gl();
}

}  // namespace headlight
