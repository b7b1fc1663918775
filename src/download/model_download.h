// Downloads a known model into a folder.
//
// Goals: what will be downloaded is known, and can be asked about, before anything is; a download
// that was interrupted goes on where it stopped; a file gets its name when it is whole and has its
// checksum, so that a model in its folder is the model.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/progress.h"
#include "download/file_source.h"
#include "download/known_models.h"

namespace headlight {

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

/// Two lines a file: its address; its size, its checksum and who says it, and how much is there.
std::string describe(const ModelDownload& download);

/// Downloads what is not there. The progress counts bytes, which are read once more for their
/// checksum. Throws Error, naming the file, and Cancelled: then what has come stays for the next
/// time.
void download_model(const ModelDownload& download, Progress& progress);

}  // namespace headlight
