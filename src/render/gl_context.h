// Contexts of OpenGL: one without a window or a display, by EGL on Mesa's surfaceless platform, and
// what the current one says of its implementation.
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

/// True when the current context is OpenGL ES, as it always is in a page.
#ifdef __EMSCRIPTEN__
inline bool is_gles() {
    return true;
}
#else
bool is_gles();
#endif

enum class GlApi { Desktop, Embedded };  // OpenGL 3.3 core, OpenGL ES 3.0

class HeadlessContext {
  public:
    /// Makes the context and makes it current. Throws Error naming what is missing.
    explicit HeadlessContext(GlApi api = GlApi::Desktop);
    HeadlessContext(const HeadlessContext&) = delete;
    HeadlessContext& operator=(const HeadlessContext&) = delete;
    ~HeadlessContext();

    /// There is no default framebuffer: bind a Framebuffer before drawing.
    void make_current() const;

  private:
    void* display_ = nullptr;
    void* context_ = nullptr;
};

}  // namespace headlight
