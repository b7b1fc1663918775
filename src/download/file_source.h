// FileSource: the origin of a model's files: the hub, another server with the same addresses, or a
// folder.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/progress.h"
#include "download/known_models.h"

namespace headlight {

enum class ChecksumFrom { Nobody, Source, Table };

/// A file as its source offers it.
struct OfferedFile {
    std::string name;           // "model.safetensors"
    std::string address;        // a URL or a path
    std::uint64_t size = 0;     // bytes
    std::string checksum = {};  // in hexadecimal digits; empty: not known
    ChecksumFrom checksum_from = ChecksumFrom::Nobody;
};

/// Takes the bytes of a file as they come.
struct FileReceiver {
    std::function<void(std::uint64_t first)> begin;  // the place of the first one
    std::function<void(std::string_view)> take;
};

struct FileSource {
    std::string name;  // "https://huggingface.co", "/srv/models/gpt2"
    /// Asks about a file. Throws Error, naming the address, if there is no such file.
    std::function<OfferedFile(std::string_view file)> ask;
    /// Reads from byte `first` on, or all of it. Throws Error, naming the address, if it is not the
    /// file that was offered, or breaks off.
    std::function<void(const OfferedFile&, std::uint64_t first, const FileReceiver&)> read;
};

inline constexpr std::string_view kHub = "https://huggingface.co";
/// The environment variable that names the source where none is given.
inline constexpr const char* kSourceVariable = "HEADLIGHT_MODELS";

/// Returns the source that is used where none is given: that of the environment, else the hub.
std::string usual_source();

/// Returns the source of a model's files. `from`: the address of a server, or a folder: the model's
/// own, or one with folders that have its name, that of its repository, or that of the hub's cache;
/// none: the usual source. Throws Error if the model is in none of them.
FileSource source_of(const KnownModel& model, const std::optional<std::string>& from,
                     Progress& progress);

}  // namespace headlight
