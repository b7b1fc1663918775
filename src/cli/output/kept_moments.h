// The count that a command has made so far, kept in a file beside its output.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "cli/output/streams.h"
#include "core/analyses/head_metrics.h"
#include "io/text/json_view.h"

namespace headlight {

/// The file OUTPUT.part: a checksum in the first line, and JSON. A file that is damaged, was
/// counted by another version of the program or answers another question is never used: it is set
/// aside, so that the command counts anew and nothing is lost.
class KeptCount {
  public:
    KeptCount() = default;  // keeps nothing
    explicit KeptCount(const std::string& output) : file_(output + ".part") {}

    bool keeps() const { return !file_.empty(); }
    const std::filesystem::path& file() const { return file_; }

    void write(std::string_view json) const;
    /// Returns the JSON, whole as it was written; nothing if there is none.
    std::optional<std::string> read(const Streams& streams) const;
    /// Renames the file to OUTPUT.part~ and notes why: "was counted of another study".
    void set_aside(const std::string& why, const Streams& streams) const;
    void remove() const;

  private:
    std::filesystem::path file_;
};

inline constexpr std::int64_t kMostCounted = std::int64_t(1) << 50;

/// Returns the moments as JSON. Their numbers are texts, since numbers in JSON are read as Scalars.
std::string moments_json(const Moments& moments);
/// Reads the moments. Throws Error, naming the place, unless moments_json made it.
Moments moments_in(const JsonView& view);
std::uint64_t checksum_in(const JsonView& view);

}  // namespace headlight
