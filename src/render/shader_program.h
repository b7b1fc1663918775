// Shaders: found by file name, compiled on first use, and again when a file changes.
//
// The files are part of the program. The environment variable HEADLIGHT_SHADERS names a folder to
// read them from instead; then a changed file is compiled anew, and while it does not compile the
// last good program stays in use.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "render/gl_handles.h"

namespace headlight {

struct ShaderFiles {
    std::string vertex, fragment;      // file names in shaders/
    std::vector<std::string> defines;  // "GRID 1"

    auto operator<=>(const ShaderFiles&) const = default;
};

class ShaderProgram {
  public:
    /// Throws Error with the compiler's message.
    ShaderProgram(const std::string& vertex, const std::string& fragment,
                  const std::vector<std::string>& defines);

    void use() const { glUseProgram(program_.id()); }

    /// Sets a uniform of the program in use. Throws Error if it has no such uniform.
    void set(const std::string& name, int value) const;
    void set(const std::string& name, float value) const;
    void set(const std::string& name, std::array<int, 2> value) const;
    void set(const std::string& name, std::array<float, 2> value) const;
    void set(const std::string& name, std::array<float, 4> value) const;

  private:
    GLint location(const std::string& name) const;

    GlProgram program_;
    std::map<std::string, GLint> uniforms_;
};

class ShaderStore {
  public:
    ShaderStore();

    /// Returns the program. Throws Error the first time, if the files are absent or do not compile.
    const ShaderProgram& program(const ShaderFiles& files);

    /// Compiles anew what changed in the folder, if there is one. Returns false, and keeps the
    /// programs, when that fails; error() then says why.
    bool reload_changed();
    const std::string& error() const { return error_; }
    bool is_live() const { return !folder_.empty(); }  // there is a folder

  private:
    std::string read(const std::string& file) const;
    ShaderProgram compile(const ShaderFiles& files) const;
    std::filesystem::file_time_type newest_change() const;

    std::string folder_;  // empty: the files that are part of the program
    std::filesystem::file_time_type loaded_{};
    std::map<ShaderFiles, ShaderProgram> programs_;
    std::string error_;
};

}  // namespace headlight
