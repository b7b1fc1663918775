// What PyTorch computed: the files that make_golden.py writes.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/matrix.h"

namespace headlight {

struct GoldenFile {
    std::string name;
    std::map<std::string, std::string> settings;
    std::map<std::string, Matrix> tensors;  // by path; "seed"; "gradient/PATH"

    const std::string& setting(const std::string& key) const { return settings.at(key); }
    int number(const std::string& key) const { return std::stoi(settings.at(key)); }
};

/// Throws std::exception if it is not a safetensors file of float32 matrices.
GoldenFile read_golden_file(const std::filesystem::path& file);

std::vector<GoldenFile> read_golden_files();

/// The first cell that differs by more than `tolerance` · max(1, |expected|): "path[i, j] is …,
/// PyTorch has …"; "" if there is none. Infinities must be equal.
std::string find_difference(const std::string& path, const Matrix& found, const Matrix& expected,
                            double tolerance);

}  // namespace headlight
