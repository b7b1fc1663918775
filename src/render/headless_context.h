// An OpenGL context without a window or a display: EGL on Mesa's surfaceless platform.
#pragma once

namespace headlight {

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
