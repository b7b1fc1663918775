#include "render/shader_program.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>

#include "core/error.h"
#include "embedded_shaders.h"
#include "render/gl_context.h"

namespace headlight {
namespace {

// Returns the first lines. Desktop OpenGL ignores precision; OpenGL ES has no default for float in
// a fragment shader.
std::string prefix(const std::vector<std::string>& defines) {
    std::string text = is_gles() ? "#version 300 es\n" : "#version 330 core\n";
    text += "precision highp float;\nprecision highp int;\nprecision highp sampler2D;\n";
    for (const std::string& define : defines) text += fmt::format("#define {}\n", define);
    return text + "#line 1\n";
}

std::string shader_log(GLuint shader) {
    GLint length = 0;
    glGetShaderiv(shader, GL_INFO_LOG_LENGTH, &length);
    std::string log(std::max(length, 1), '\0');
    glGetShaderInfoLog(shader, length, nullptr, log.data());
    return log;
}

std::string program_log(GLuint program) {
    GLint length = 0;
    glGetProgramiv(program, GL_INFO_LOG_LENGTH, &length);
    std::string log(std::max(length, 1), '\0');
    glGetProgramInfoLog(program, length, nullptr, log.data());
    return log;
}

GlShader compile_stage(GLenum stage, const std::string& text) {
    GlShader shader(glCreateShader(stage));
    const char* source = text.c_str();
    glShaderSource(shader.id(), 1, &source, nullptr);
    glCompileShader(shader.id());
    GLint compiled = GL_FALSE;
    glGetShaderiv(shader.id(), GL_COMPILE_STATUS, &compiled);
    if (compiled == GL_FALSE)
        throw Error("shader", "it does not compile: {}", shader_log(shader.id()));
    return shader;
}

std::map<std::string, GLint> active_uniforms(GLuint program) {
    std::map<std::string, GLint> uniforms;
    GLint count = 0;
    glGetProgramiv(program, GL_ACTIVE_UNIFORMS, &count);
    for (GLint i = 0; i < count; ++i) {
        char name[128];
        GLint size = 0;
        GLenum type = 0;
        glGetActiveUniform(program, i, sizeof name, nullptr, &size, &type, name);
        uniforms[name] = glGetUniformLocation(program, name);
    }
    return uniforms;
}

}  // namespace

ShaderProgram::ShaderProgram(const std::string& vertex, const std::string& fragment,
                             const std::vector<std::string>& defines)
    : program_(glCreateProgram()) {
    const GlShader vertex_shader = compile_stage(GL_VERTEX_SHADER, prefix(defines) + vertex);
    const GlShader fragment_shader = compile_stage(GL_FRAGMENT_SHADER, prefix(defines) + fragment);
    glAttachShader(program_.id(), vertex_shader.id());
    glAttachShader(program_.id(), fragment_shader.id());
    glLinkProgram(program_.id());
    GLint linked = GL_FALSE;
    glGetProgramiv(program_.id(), GL_LINK_STATUS, &linked);
    if (linked == GL_FALSE)
        throw Error("shader", "it does not link: {}", program_log(program_.id()));
    uniforms_ = active_uniforms(program_.id());
}

GLint ShaderProgram::location(const std::string& name) const {
    const auto found = uniforms_.find(name);
    if (found != uniforms_.end()) return found->second;
    std::string known;
    for (const auto& [uniform, at] : uniforms_) known += " " + uniform;
    throw Error("shader", "there is no uniform {}; the program has{}", name, known);
}

void ShaderProgram::set(const std::string& name, int value) const {
    glUniform1i(location(name), value);
}

void ShaderProgram::set(const std::string& name, float value) const {
    glUniform1f(location(name), value);
}

void ShaderProgram::set(const std::string& name, std::array<int, 2> value) const {
    glUniform2iv(location(name), 1, value.data());
}

void ShaderProgram::set(const std::string& name, std::array<float, 2> value) const {
    glUniform2fv(location(name), 1, value.data());
}

void ShaderProgram::set(const std::string& name, std::array<float, 4> value) const {
    glUniform4fv(location(name), 1, value.data());
}

ShaderStore::ShaderStore() {
    const char* folder = std::getenv("HEADLIGHT_SHADERS");
    if (folder == nullptr) return;
    folder_ = folder;
    loaded_ = newest_change();
}

const ShaderProgram& ShaderStore::program(const ShaderFiles& files) {
    const auto found = programs_.find(files);
    if (found != programs_.end()) return found->second;
    return programs_.emplace(files, compile(files)).first->second;
}

bool ShaderStore::reload_changed() {
    if (folder_.empty()) return true;
    const auto newest = newest_change();
    if (newest == loaded_) return error_.empty();
    loaded_ = newest;
    error_.clear();
    try {
        std::map<ShaderFiles, ShaderProgram> programs;
        for (const auto& [files, old] : programs_) programs.emplace(files, compile(files));
        programs_ = std::move(programs);
    } catch (const Error& error) {
        error_ = error.what();
    }
    return error_.empty();
}

std::string ShaderStore::read(const std::string& file) const {
    if (folder_.empty()) {
        const std::string_view text = embedded_shaders(file);
        if (text.empty()) throw Error("shader", "there is no file {} in the program", file);
        return std::string(text);
    }
    std::ifstream stream(fmt::format("{}/{}", folder_, file), std::ios::binary);
    if (!stream) throw Error("shader", "cannot read {}/{}", folder_, file);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

ShaderProgram ShaderStore::compile(const ShaderFiles& files) const {
    try {
        return ShaderProgram(read(files.vertex), read(files.fragment), files.defines);
    } catch (const Error& error) {
        throw Error(fmt::format("{}, {}", files.vertex, files.fragment), error.what());
    }
}

std::filesystem::file_time_type ShaderStore::newest_change() const {
    auto newest = std::filesystem::file_time_type::min();
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder_, ignored)) {
        newest = std::max(newest, entry.last_write_time(ignored));
    }
    return newest;
}

}  // namespace headlight
