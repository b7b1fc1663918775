// Owners of OpenGL objects. The context in which an object was made is current when it goes.
#pragma once

#include <utility>

#include "render/gl.h"

namespace headlight {

template <void (*kDelete)(GLuint)>
class GlHandle {
  public:
    GlHandle() = default;  // owns nothing, id 0
    explicit GlHandle(GLuint id) : id_(id) {}
    GlHandle(GlHandle&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
    GlHandle& operator=(GlHandle&& other) noexcept {
        std::swap(id_, other.id_);
        return *this;
    }
    ~GlHandle() {
        if (id_ != 0) kDelete(id_);
    }

    GLuint id() const { return id_; }
    explicit operator bool() const { return id_ != 0; }

  private:
    GLuint id_ = 0;
};

inline void delete_texture(GLuint id) {
    glDeleteTextures(1, &id);
}
inline void delete_framebuffer(GLuint id) {
    glDeleteFramebuffers(1, &id);
}
inline void delete_vertex_array(GLuint id) {
    glDeleteVertexArrays(1, &id);
}
inline void delete_shader(GLuint id) {
    glDeleteShader(id);
}
inline void delete_program(GLuint id) {
    glDeleteProgram(id);
}

using GlTexture = GlHandle<delete_texture>;
using GlFramebuffer = GlHandle<delete_framebuffer>;
using GlVertexArray = GlHandle<delete_vertex_array>;
using GlShader = GlHandle<delete_shader>;
using GlProgram = GlHandle<delete_program>;

/// The content of a texture, and the form in which its texels are uploaded.
struct TextureFormat {
    GLint internal;
    GLenum components;
    GLenum type;
};

inline constexpr TextureFormat kFloatTexture{GL_R32F, GL_RED, GL_FLOAT};
inline constexpr TextureFormat kByteTexture{GL_R8, GL_RED, GL_UNSIGNED_BYTE};
inline constexpr TextureFormat kColorTexture{GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE};

/// A texture that is read texel by texel. `texels` may be null: then they are undefined.
/// Leaves texture unit 0 active, with nothing bound to it.
GlTexture make_texture(TextureFormat format, int width, int height, const void* texels);

}  // namespace headlight
