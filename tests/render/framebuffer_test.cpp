// The headless context and its framebuffers.
#include "render/framebuffer.h"

#include <doctest/doctest.h>

#include "core/error.h"
#include "render/gl_context.h"

namespace headlight::framebuffer_test {

TEST_CASE("headless_context: OpenGL 3.3 works without a display") {
    const HeadlessContext context;
    const GlInfo info = gl_info();
    CHECK(info.max_texture_size >= 4096);
    CHECK(info.version != "unknown");
    CHECK_FALSE(is_gles());
}

TEST_CASE("headless_context: a second context can be made after the first is gone") {
    for (int i = 0; i < 2; ++i) {
        const HeadlessContext context;
        CHECK(epoxy_gl_version() >= 33);
    }
}

TEST_CASE("framebuffer: rows are read from top to bottom") {
    const HeadlessContext context;
    const Framebuffer picture(5, 3);
    picture.bind();
    glClearColor(0, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 2, 5, 1);  // the upper row
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);

    const Pixels pixels = picture.read();
    REQUIRE(pixels.rgba.size() == 4 * 5 * 3);
    CHECK(pixels.at(0, 0)[0] == 255);
    CHECK(pixels.at(4, 1)[0] == 0);
    CHECK(pixels.at(4, 2)[2] == 255);
}

TEST_CASE("framebuffer: an impossible size is an error that names it") {
    const HeadlessContext context;
    CHECK_THROWS_WITH_AS(Framebuffer(0, 4), doctest::Contains("0 × 4 pixels"), Error);
    CHECK_THROWS_WITH_AS(Framebuffer(4, 1000000), doctest::Contains("4 × 1000000 pixels"), Error);
    CHECK_THROWS_WITH_AS(Framebuffer(16384, 16384),
                         doctest::Contains("it may have as many as 8192 × 8192"), Error);
}

}  // namespace headlight::framebuffer_test
