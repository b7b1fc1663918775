// Golden files: the results of an independent implementation, written by make_golden.py.
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
    std::string study;                         // as a *.headlight file holds it
    std::string target;                        // the path whose gradient was taken
    std::vector<std::string> omitted;          // globs of tensors that are not in the file
    std::map<std::string, std::string> notes;  // the other entries of the metadata
    std::map<std::string, Matrix> held;        // the values of leaves, by path
    std::map<std::string, Matrix> tensors;     // the expected values of tensors, by path
    std::map<std::string, Matrix> gradients;   // of Σ seed · target, by path
    Matrix seed;

    Interventions interventions() const;
};

/// Throws std::exception if it is not a safetensors file of matrices.
GoldenFile read_golden_file(const std::filesystem::path& file);

/// All golden files of the set "data", sorted by name.
std::vector<GoldenFile> read_golden_files();

/// The first cell that differs by more than tolerance · max(largest finite |expected|,
/// least_scale): "path[i, j] is …, it should be …"; "" if there is none. Infinities must be equal.
std::string find_difference(const std::string& path, const Matrix& found, const Matrix& expected,
                            double tolerance, double least_scale = 0);

}  // namespace headlight
