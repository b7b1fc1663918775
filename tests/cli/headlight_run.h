// The program as its user calls it, inside the test.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/trace.h"
#include "model/document.h"

namespace headlight {

/// What one call gave back.
struct Ran {
    int code = 0;
    std::string out, err;
};
Ran headlight_run(std::vector<std::string> args);

/// An empty folder with a blank in its name; gone with everything in it at the end.
class TemporaryFolder {
  public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    std::string file(const std::string& name) const { return (path_ / name).native(); }
    /// Writes a file and returns its path.
    std::string with(const std::string& name, const std::string& bytes) const;
    bool is_empty() const;

  private:
    std::filesystem::path path_;
};

struct PngSize {
    std::uint32_t width = 0, height = 0;
};
/// From the header; the bytes must begin as a PNG does.
PngSize png_size(const std::string& bytes);

bool contains(const std::string& text, const std::string& part);

/// Words 0 to 4; "the" twice.
inline const char* const kSentence = "the cat saw the moon";

/// A study of kSentence with two heads and small widths; of four friends, two of them far apart.
std::string small_sentence(const TemporaryFolder& folder);
std::string small_graph(const TemporaryFolder& folder);

/// Everything, computed here.
Trace trace_of(const std::string& study);
Document document_of(const std::string& study);

}  // namespace headlight
