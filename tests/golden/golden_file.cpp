#include "golden/golden_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

namespace headlight {
namespace {

Matrix read_matrix(const nlohmann::json& entry, std::string_view data) {
    const Index rows = entry.at("shape").at(0), columns = entry.at("shape").at(1);
    const std::size_t begin = entry.at("data_offsets").at(0), end = entry.at("data_offsets").at(1);
    if (entry.at("dtype") != "F32" || end > data.size() ||
        end - begin != static_cast<std::size_t>(rows * columns) * sizeof(float))
        throw std::runtime_error("not a matrix of float32");
    std::vector<float> values(static_cast<std::size_t>(rows * columns));
    if (!values.empty()) std::memcpy(values.data(), data.data() + begin, end - begin);
    Matrix matrix(rows, columns);
    std::copy(values.begin(), values.end(), matrix.data());
    return matrix;
}

}  // namespace

GoldenFile read_golden_file(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    std::uint64_t header_size = 0;
    if (bytes.size() < sizeof header_size) throw std::runtime_error("no header: " + file.string());
    std::memcpy(&header_size, bytes.data(), sizeof header_size);
    const auto header = nlohmann::json::parse(bytes.substr(sizeof header_size, header_size));
    const auto data = std::string_view(bytes).substr(sizeof header_size + header_size);

    GoldenFile golden{.name = file.stem().string(), .settings = {}, .tensors = {}};
    golden.settings = header.at("__metadata__").get<std::map<std::string, std::string>>();
    for (const auto& [name, entry] : header.items())
        if (name != "__metadata__") golden.tensors[name] = read_matrix(entry, data);
    return golden;
}

std::vector<GoldenFile> read_golden_files() {
    std::vector<GoldenFile> files;
    const std::filesystem::path folder = HEADLIGHT_SOURCE_DIR "/tests/golden/data";
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        files.push_back(read_golden_file(entry.path()));
    return files;
}

std::string find_difference(const std::string& path, const Matrix& found, const Matrix& expected,
                            double tolerance) {
    if (found.rows() != expected.rows() || found.cols() != expected.cols())
        return path + " is " + shape_text(found.rows(), found.cols()) + ", PyTorch has " +
               shape_text(expected.rows(), expected.cols());
    for (Index i = 0; i < expected.rows(); ++i)
        for (Index j = 0; j < expected.cols(); ++j) {
            const double x = found(i, j), y = expected(i, j);
            const double allowed = std::isfinite(y) ? tolerance * std::max(1.0, std::abs(y)) : 0;
            if (x == y || std::abs(x - y) <= allowed) continue;
            std::ostringstream text;
            text.precision(9);
            text << path << "[" << i << ", " << j << "] is " << x << ", PyTorch has " << y;
            return text.str();
        }
    return "";
}

}  // namespace headlight
