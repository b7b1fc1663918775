#include "golden/golden_file.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "source_folder.h"

namespace headlight {
namespace {

template <typename Number>
Matrix read_numbers(Index rows, Index columns, std::string_view bytes) {
    std::vector<Number> values(static_cast<std::size_t>(rows * columns));
    if (bytes.size() != values.size() * sizeof(Number))
        throw std::runtime_error("a matrix is not as long as its shape");
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    Matrix matrix(rows, columns);
    std::ranges::transform(values, matrix.data(), [](Number x) { return static_cast<Scalar>(x); });
    return matrix;
}

Matrix read_matrix(const nlohmann::json& entry, std::string_view data) {
    const Index rows = entry.at("shape").at(0), columns = entry.at("shape").at(1);
    const std::size_t begin = entry.at("data_offsets").at(0), end = entry.at("data_offsets").at(1);
    const std::string_view bytes = data.substr(begin, end - begin);
    const std::string& type = entry.at("dtype").get_ref<const std::string&>();
    if (type == "F32") return read_numbers<float>(rows, columns, bytes);
    if (type == "F64") return read_numbers<double>(rows, columns, bytes);
    throw std::runtime_error("not a matrix of float32 or float64");
}

/// "held/PATH" and "gradient/PATH" say what the matrix is; a tensor's name is its path.
void keep(GoldenFile& golden, const std::string& name, Matrix matrix) {
    const std::size_t slash = name.find('/');
    if (name == "seed")
        golden.seed = std::move(matrix);
    else if (slash == std::string::npos)
        golden.tensors[name] = std::move(matrix);
    else if (name.starts_with("held/"))
        golden.held[name.substr(slash + 1)] = std::move(matrix);
    else if (name.starts_with("gradient/"))
        golden.gradients[name.substr(slash + 1)] = std::move(matrix);
    else
        throw std::runtime_error("unknown kind of tensor: " + name);
}

std::vector<std::string> split(const std::string& text) {
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), {}};
}

double largest_magnitude(const Matrix& values) {
    double largest = 0;
    for (const Scalar x : values.reshaped())
        if (std::isfinite(x)) largest = std::max(largest, std::abs(static_cast<double>(x)));
    return largest;
}

}  // namespace

Interventions GoldenFile::interventions() const {
    Interventions interventions;
    for (const auto& [path, values] : held) interventions[path] = intervene_on_all(values);
    return interventions;
}

GoldenFile read_golden_file(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    std::uint64_t header_size = 0;
    if (bytes.size() < sizeof header_size) throw std::runtime_error("no header: " + file.string());
    std::memcpy(&header_size, bytes.data(), sizeof header_size);
    const auto header = nlohmann::json::parse(bytes.substr(sizeof header_size, header_size));
    const auto data = std::string_view(bytes).substr(sizeof header_size + header_size);

    const auto& metadata = header.at("__metadata__");
    GoldenFile golden{.name = file.stem().string(),
                      .study = metadata.at("study"),
                      .target = metadata.at("target"),
                      .omitted = split(metadata.at("omitted")),
                      .notes = metadata.get<std::map<std::string, std::string>>(),
                      .held = {},
                      .tensors = {},
                      .gradients = {},
                      .seed = {}};
    for (const auto& [name, entry] : header.items())
        if (name != "__metadata__") keep(golden, name, read_matrix(entry, data));
    return golden;
}

std::vector<GoldenFile> read_golden_files() {
    std::vector<GoldenFile> files;
    for (const auto& entry : std::filesystem::directory_iterator(golden_folder("data")))
        files.push_back(read_golden_file(entry.path()));
    std::ranges::sort(files, {}, &GoldenFile::name);
    return files;
}

std::string find_difference(const std::string& path, const Matrix& found, const Matrix& expected,
                            double tolerance, double least_scale) {
    if (found.rows() != expected.rows() || found.cols() != expected.cols())
        return path + " is " + shape_text(found.rows(), found.cols()) + ", it should be " +
               shape_text(expected.rows(), expected.cols());
    const double allowed = tolerance * std::max(largest_magnitude(expected), least_scale);
    for (Index i = 0; i < expected.rows(); ++i)
        for (Index j = 0; j < expected.cols(); ++j) {
            const double x = found(i, j), y = expected(i, j);
            if (x == y || (std::isfinite(y) && std::abs(x - y) <= allowed)) continue;
            std::ostringstream text;
            text.precision(std::numeric_limits<Scalar>::max_digits10);
            text << path << "[" << i << ", " << j << "] is " << x << ", it should be " << y;
            return text.str();
        }
    return "";
}

}  // namespace headlight
