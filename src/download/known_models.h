// The models that can be downloaded by name.
//
// A row was taken into the table if its family is known (io/models/families.cpp). The checksums are
// those of the weights as the Hugging Face hub stores them at that revision, by several independent
// records of each; where there were none, the row has no checksum.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "core/progress.h"

namespace headlight {

struct KnownModel {
    std::string name;                 // as it is typed, and its folder's
    std::string what;                 // its family and size, for people
    std::string repository;           // on the Hugging Face hub
    std::string revision;             // a commit, whose files never change, or a branch
    std::uint64_t weights_bytes = 0;  // 0 …
    std::string sha256 = {};          // … and empty: the source's word on the weights counts
    std::string licence = {};         // as the repository names it; empty: not known
};

std::span<const KnownModel> known_models();

/// Returns a model of the table; or, by "owner/name", the one that a repository has in its branch
/// main. Throws Error, with the nearest name, if there is none of that name.
KnownModel known_model(const std::string& name);

inline constexpr std::string_view kWeightsFile = "model.safetensors";

/// The files that are downloaded, in this order: a folder with config.json is that of a model, so
/// it is last.
inline constexpr std::array<std::string_view, 3> kModelFiles = {"tokenizer.json", kWeightsFile,
                                                                "config.json"};

/// True for 64 lower-case hexadecimal digits: a SHA-256.
bool is_sha256(std::string_view text);
/// True for 40 of them: Git's name of a file, the SHA-1 of "blob SIZE", a zero byte and its bytes.
bool is_git_blob(std::string_view text);

/// Returns "SHA-256 248d…", "Git's SHA-1 1f7a…".
std::string checksum_name(std::string_view checksum);

/// Returns the checksum of a file, of the kind that `like` is. Throws Error if the file cannot be
/// read, and Cancelled; the progress advances by the file's bytes.
std::string checksum_of(const std::filesystem::path& file, std::string_view like,
                        Progress& progress);

}  // namespace headlight
