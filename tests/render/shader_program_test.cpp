// Shaders: both GLSL versions, errors, live reload.
#include "render/shader_program.h"

#include <chrono>
#include <cstdlib>
#include <doctest/doctest.h>
#include <fstream>

#include "core/error.h"
#include "render/gl_context.h"

namespace headlight::shader_program_test {
namespace {

constexpr const char* kVertex = "void main() { gl_Position = vec4(0.0); }\n";
constexpr const char* kFragment =
    "uniform vec2 u_size;\nout vec4 o_color;\nvoid main() { o_color = vec4(u_size, 0.0, 1.0); }\n";

// A folder of shaders in use while the test runs.
struct ShaderFolder {
    ShaderFolder() {
        folder = std::filesystem::temp_directory_path() / "headlight_shader_test";
        std::filesystem::create_directories(folder);
        setenv("HEADLIGHT_SHADERS", folder.c_str(), 1);
    }
    ~ShaderFolder() {
        unsetenv("HEADLIGHT_SHADERS");
        std::filesystem::remove_all(folder);
    }
    void write(const std::string& file, const std::string& text) {
        std::ofstream(folder / file) << text;
        clock += std::chrono::seconds(2);
        std::filesystem::last_write_time(folder / file, clock);
    }

    std::filesystem::path folder;
    std::filesystem::file_time_type clock = std::filesystem::file_time_type::clock::now();
};

void compile_all_heatmap_programs() {
    ShaderStore store;
    for (const char* pooled : {"POOLED 0", "POOLED 1"})
        for (const char* classes : {"CLASSES 0", "CLASSES 1"})
            for (const char* grid : {"GRID 0", "GRID 1"})
                for (const char* mean : {"MEAN 0", "MEAN 1"})
                    for (const char* log : {"LOG 0", "LOG 1"})
                        if (pooled == std::string("POOLED 1") || mean == std::string("MEAN 0"))
                            store.program({"heatmap.vert",
                                           "heatmap.frag",
                                           {pooled, mean, classes, log, grid}});
}

}  // namespace

TEST_CASE("shaders: every heatmap program compiles as GLSL 330 core") {
    const HeadlessContext context(GlApi::Desktop);
    CHECK_NOTHROW(compile_all_heatmap_programs());
}

TEST_CASE("shaders: every heatmap program compiles as GLSL 300 es") {
    const HeadlessContext context(GlApi::Embedded);
    CHECK_NOTHROW(compile_all_heatmap_programs());
}

TEST_CASE("shader_program: an unknown uniform is an error that lists the known ones") {
    const HeadlessContext context;
    const ShaderProgram program(kVertex, kFragment, {});
    program.use();
    CHECK_NOTHROW(program.set("u_size", std::array{1.f, 2.f}));
    CHECK_THROWS_WITH_AS(program.set("u_sise", 1),
                         doctest::Contains("u_sise; the program has u_size"), Error);
}

TEST_CASE("shader_program: a mistake in the source is an error with the compiler's message") {
    const HeadlessContext context;
    CHECK_THROWS_WITH_AS(ShaderProgram(kVertex, "void main() { nonsense; }", {}),
                         doctest::Contains("does not compile"), Error);
    ShaderStore store;
    CHECK_THROWS_WITH_AS(store.program({"heatmap.vert", "no.frag", {}}),
                         doctest::Contains("no file no.frag"), Error);
}

TEST_CASE("shader_store: a changed file is used; a broken one is not, and the error says why") {
    const HeadlessContext context;
    ShaderFolder files;
    files.write("a.vert", kVertex);
    files.write("a.frag", kFragment);
    ShaderStore store;
    store.program({"a.vert", "a.frag", {}}).use();

    files.write("a.frag", "broken");
    CHECK_FALSE(store.reload_changed());
    CHECK(store.error().find("does not compile") != std::string::npos);
    CHECK_NOTHROW(store.program({"a.vert", "a.frag", {}}).use());

    files.write("a.frag",
                "uniform float u_new;\nout vec4 o_color;\nvoid main() { o_color = "
                "vec4(u_new); }\n");
    CHECK(store.reload_changed());
    const ShaderProgram& program = store.program({"a.vert", "a.frag", {}});
    program.use();
    CHECK_NOTHROW(program.set("u_new", 1.f));
}

}  // namespace headlight::shader_program_test
