// Downloads a known model into a folder, file by file, from where its files are: the hub, another
// server with the same addresses, or a folder.
//
// Goals: the files are known, and can be asked about, before anything is downloaded; a download
// that was interrupted goes on where it stopped; a file gets its name when it is whole and has its
// checksum, so that a model in its folder is the model.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/progress.h"
#include "download/known_models.h"
#include "io/files/open_file.h"

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

struct ModelDownload {
    KnownModel model;
    FileSource source;
    std::filesystem::path folder;         // where it goes
    std::vector<OfferedFile> files = {};  // all of them

    double size_bytes() const;
};

/// Asks the source for every file. Throws Error, naming the file, if one is not there, or if the
/// weights are not those that are known.
ModelDownload ask_for_model(const KnownModel& model, const std::optional<std::string>& from,
                            const std::filesystem::path& folder, Progress& progress);

/// Returns two lines a file: its address; its size, its checksum and who says it, and how much is
/// there.
std::string describe(const ModelDownload& download);

/// Downloads the missing files. The progress counts bytes, which are read once more for their
/// checksum. Throws Error, naming the file, and Cancelled: then the bytes that have come stay for
/// the next time.
void download_model(const ModelDownload& download, Progress& progress);

class PartFile {
  public:
    /// Opens the part of the file that is there, or begins it. Throws Error, naming it, if it
    /// cannot be written, or if another program is writing it.
    explicit PartFile(const std::filesystem::path& target);

    const std::filesystem::path& path() const { return path_; }
    std::uint64_t size() const { return size_; }

    /// Drops the bytes from that one on.
    void cut(std::uint64_t size);
    void append(std::string_view bytes);  // throws Error, as that the disk is full

    void take_place();  // the file is whole
    void remove();      // the file is not what it should be

  private:
    std::filesystem::path target_, path_;
    Descriptor file_;
    std::uint64_t size_ = 0;
};

std::filesystem::path part_path(const std::filesystem::path& target);

}  // namespace headlight
