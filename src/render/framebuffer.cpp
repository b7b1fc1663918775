#include "render/framebuffer.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

#include "core/error.h"
#include "core/matrix.h"

namespace headlight {
namespace {

/// Each takes 4 bytes here, and 8 more while the picture is read and written.
constexpr std::int64_t kMostPixels = std::int64_t{8192} * 8192;

void check_size(int width, int height) {
    GLint largest = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
    if (std::int64_t{width} * height > kMostPixels)
        throw Error("picture", "it cannot be {} pixels; it may have as many as 8192 × 8192",
                    shape_text(width, height));
    if (width >= 1 && height >= 1 && width <= largest && height <= largest) return;
    throw Error("picture", "it cannot be {} pixels; each side must be 1 to {}",
                shape_text(width, height), largest);
}

GlFramebuffer make_framebuffer() {
    GLuint id = 0;
    glGenFramebuffers(1, &id);
    return GlFramebuffer(id);
}

}  // namespace

Framebuffer::Framebuffer(int width, int height) : width_(width), height_(height) {
    check_size(width, height);
    color_ = make_texture(kColorTexture, width, height, nullptr);
    framebuffer_ = make_framebuffer();
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color_.id(), 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
        throw Error("picture", "OpenGL cannot draw into {} pixels", shape_text(width, height));
    }
}

void Framebuffer::bind() const {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
    glViewport(0, 0, width_, height_);
    glDisable(GL_SCISSOR_TEST);
}

Pixels Framebuffer::read() const {
    const std::size_t row_bytes = 4 * static_cast<std::size_t>(width_);
    std::vector<std::uint8_t> bottom_up(row_bytes * height_);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, bottom_up.data());
    glPixelStorei(GL_PACK_ALIGNMENT, 4);

    Pixels pixels{width_, height_, std::vector<std::uint8_t>(bottom_up.size())};
    for (int y = 0; y < height_; ++y) {
        std::memcpy(pixels.rgba.data() + y * row_bytes,
                    bottom_up.data() + (height_ - 1 - y) * row_bytes, row_bytes);
    }
    return pixels;
}

void Framebuffer::finish() const {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
    glFinish();
}

void Framebuffer::show() const {
    glDisable(GL_SCISSOR_TEST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_.id());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
}

void show_pixels(const Pixels& picture, int width, int height) {
    check_size(picture.width, picture.height);
    const GlTexture texture =
        make_texture(kColorTexture, picture.width, picture.height, picture.rgba.data());
    const GlFramebuffer source = make_framebuffer();
    glBindFramebuffer(GL_READ_FRAMEBUFFER, source.id());
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture.id(),
                           0);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    // The picture's rows are from the top.
    glBlitFramebuffer(0, 0, picture.width, picture.height, 0, height, width, 0, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
}

void clear_box(const Box& box, int target_height, Color color) {
    const auto edge = [](float at) { return static_cast<int>(std::ceil(at - 0.5f)); };
    const int left = edge(box.x), right = edge(box.right());
    const int top = edge(box.y), bottom = edge(box.bottom());
    if (left >= right || top >= bottom) return;
    glEnable(GL_SCISSOR_TEST);
    glScissor(left, target_height - bottom, right - left, bottom - top);
    glClearColor(color.r / 255.f, color.g / 255.f, color.b / 255.f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
}

}  // namespace headlight
