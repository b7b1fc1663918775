// The answers of the current context, whoever has made it.
#include <string>

#include "render/gl.h"
#include "render/gl_context.h"

namespace headlight {
namespace {

std::string gl_text(GLenum name) {
    const GLubyte* text = glGetString(name);
    return text == nullptr ? "unknown" : reinterpret_cast<const char*>(text);
}

}  // namespace

GlInfo gl_info() {
    GlInfo info{gl_text(GL_VENDOR), gl_text(GL_RENDERER), gl_text(GL_VERSION),
                gl_text(GL_SHADING_LANGUAGE_VERSION)};
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &info.max_texture_size);
    return info;
}

bool is_gles() {
#ifdef __EMSCRIPTEN__
    return true;
#else
    return !epoxy_is_desktop_gl();
#endif
}

}  // namespace headlight
