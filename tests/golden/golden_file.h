// What an independent implementation computed: the files that make_golden.py writes.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/intervention.h"
#include "core/matrix.h"

namespace headlight {

struct GoldenFile {
    std::string name;
    std::string study;                        // as a *.headlight file holds it
    std::string target;                       // the path whose gradient was taken
    std::vector<std::string> omitted;         // globs of tensors that are not in the file
    std::map<std::string, Matrix> held;       // what leaves are held at, by path
    std::map<std::string, Matrix> tensors;    // what tensors have to be, by path
    std::map<std::string, Matrix> gradients;  // of Σ seed · target, by path
    Matrix seed;

    Interventions interventions() const;
};

/// Throws std::exception if it is not a safetensors file of matrices.
GoldenFile read_golden_file(const std::filesystem::path& file);

/// All of tests/golden/data, by name.
std::vector<GoldenFile> read_golden_files();

/// The first cell that differs by more than `tolerance` · the largest finite |expected|, or
/// · least_scale if that is more: "path[i, j] is …, it should be …"; "" if there is none.
/// Infinities must be equal.
std::string find_difference(const std::string& path, const Matrix& found, const Matrix& expected,
                            double tolerance, double least_scale = 0);

}  // namespace headlight
