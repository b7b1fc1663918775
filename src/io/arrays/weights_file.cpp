#include "io/arrays/weights_file.h"

#include <bit>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "io/arrays/array_file.h"
#include "io/arrays/safetensors.h"
#include "io/files/file.h"
#include "io/files/open_file.h"
#include "io/models/open_model.h"
#include "io/studies/study.h"
#include "io/text/json_text.h"
#include "io/text/json_view.h"
#include "text/strings.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little && sizeof(Scalar) == 4,
              "numbers are written as they lie in memory");

constexpr std::string_view kRowsOf = "rows of ", kColumnsOf = "columns of ";

constexpr const char* kRecipe = "recipe";

std::string metadata_json(const Weights& weights, Metadata metadata) {
    if (!weights.recipe.empty()) metadata.emplace(kRecipe, weights.recipe);
    std::string json = "{\"origin\":" + json_string(weights.origin);
    const auto add = [&](std::string_view what, const std::string& path, const SharedNames& names) {
        if (names)
            json += fmt::format(",{}:{}", json_string(std::string(what) + path),
                                json_string("[" + joined(*names, ", ", json_string) + "]"));
    };
    for (const auto& [path, matrix] : weights.matrices) {
        add(kRowsOf, path, matrix.row_names);
        add(kColumnsOf, path, matrix.column_names);
    }
    for (const auto& [key, text] : metadata)
        json += fmt::format(",{}:{}", json_string(key), json_string(text));
    return json + "}";
}

std::size_t size_bytes(const Matrix& values) {
    return static_cast<std::size_t>(values.size()) * sizeof(Scalar);
}

/// Writes the header with its length, filled up so that the numbers are aligned.
std::string make_header(const Weights& weights, const Metadata& metadata) {
    std::string header = "{\"__metadata__\":" + metadata_json(weights, metadata);
    std::size_t end = 0;
    for (const auto& [path, matrix] : weights.matrices) {
        const Matrix& values = *matrix.values;
        const std::size_t begin = std::exchange(end, end + size_bytes(values));
        header += fmt::format(R"(,{}:{{"dtype":"F32","shape":[{},{}],"data_offsets":[{},{}]}})",
                              json_string(path), values.rows(), values.cols(), begin, end);
    }
    header += "}";
    header.append((8 - header.size() % 8) % 8, ' ');
    std::string length;
    for (int shift = 0; shift < 64; shift += 8)
        length += static_cast<char>(static_cast<std::uint64_t>(header.size()) >> shift & 0xFF);
    return length + header;
}

void write_into(TemporaryFile& file, const Weights& weights, const Metadata& metadata = {}) {
    file.write(make_header(weights, metadata));
    for (const auto& [path, matrix] : weights.matrices)
        file.write(
            {reinterpret_cast<const char*>(matrix.values->data()), size_bytes(*matrix.values)});
    file.flush();
}

/// Takes the names of rows or columns; their numbers must agree.
void take_names(WeightMatrices& matrices, const std::string& key, const std::string& json,
                const std::string& source) {
    const bool are_rows = key.starts_with(kRowsOf);
    if (!are_rows && !key.starts_with(kColumnsOf)) return;
    const auto at = matrices.find(key.substr((are_rows ? kRowsOf : kColumnsOf).size()));
    if (at == matrices.end()) return;
    const JsonSource list{source, parse_json(json, source)};
    std::vector<std::string> names;
    JsonView(list).for_each_element([&](const JsonView& name) { names.push_back(name.text()); });
    const Index size = are_rows ? at->second.values->rows() : at->second.values->cols();
    if (static_cast<Index>(names.size()) != size)
        throw Error(source, "its metadata name {} {}, which has {}", names.size(), key, size);
    (are_rows ? at->second.row_names : at->second.column_names) =
        std::make_shared<const std::vector<std::string>>(std::move(names));
}

bool has_weights(const fs::path& file, std::uint64_t checksum) {
    try {
        return read_weights(file)->checksum == checksum;
    } catch (const Error&) {
        return false;
    }
}

}  // namespace

void write_weights(const fs::path& file, const Weights& weights, const WeightsFile& options) {
    constexpr mode_t kNewFileMode = 0666;  // less the umask
    struct stat before {};
    const bool exists = ::stat(file.c_str(), &before) == 0;
    TemporaryFile temporary(file, kNewFileMode);
    if (exists) temporary.look_like(before);
    write_into(temporary, weights, options.metadata);
    if (exists && options.keeps_old) link_file(file, backup_path(file));
    temporary.take_place();
    flush_folder(file);
}

Descriptor write_own_weights(const fs::path& file, const Weights& weights) {
    constexpr mode_t kOnlyForMe = 0600;
    TemporaryFile temporary(file, kOnlyForMe);
    write_into(temporary, weights);
    return temporary.take_place();
}

SharedWeights read_weights(const fs::path& file) {
    return read_weights(bytes_of_file(file));
}

SharedWeights read_weights(const ByteSource& bytes) {
    WeightMatrices matrices;
    std::string recipe;
    for (const StoredArray& array : find_safetensors_arrays(bytes)) {
        auto values = std::make_shared<const Matrix>(read_plain_matrix(array));
        if (values->hasNaN()) throw Error(array.data.name, "has a NaN; a weight must be a number");
        matrices[array.name].values = std::move(values);
    }
    std::string origin = "from " + bytes.name.substr(bytes.name.rfind('/') + 1);
    for (const auto& [key, text] : read_safetensors_metadata(bytes)) {
        if (key == "origin") origin = text;
        if (key == kRecipe) recipe = text;
        take_names(matrices, key, text, bytes.name);
    }
    Weights weights = *make_weights(std::move(matrices), std::move(origin));
    weights.recipe = std::move(recipe);
    return std::make_shared<const Weights>(std::move(weights));
}

SharedWeights read_weights(const fs::path& file, std::uint64_t checksum) {
    SharedWeights weights;
    std::string problem;
    try {
        weights = read_weights(file);
    } catch (const Error& error) {
        problem = error.without_name();
    }
    if (weights && weights->checksum == checksum) return weights;
    if (has_weights(backup_path(file), checksum)) return read_weights(backup_path(file));
    if (!problem.empty())
        throw Error(path_text(file), "{}; the study needs this file beside it", problem);
    throw Error(path_text(file),
                "holds other weights than the study was saved with; bring back the file that it "
                "was saved with, or import anew");
}

fs::path weights_path(const fs::path& study) {
    fs::path file = study;
    return file.replace_extension(".weights.safetensors");
}

void open_weights(Document& document, const fs::path& folder) {
    const SharedWeights named = document.weights;
    if (!named || named->problem.empty()) return;
    if (named->file.empty())
        throw Error("weights", "the study's weights, {}, were never saved", named->origin);
    const fs::path file = folder / named->file;  // an absolute one stays as it is
    if (named->is_model) {
        document.weights = read_model_weights(file, named->checksum);
        return;
    }
    document.weights =
        named->checksum != 0 ? read_weights(file, named->checksum) : read_weights(file);
}

std::string save_document(const fs::path& file, const Document& document, Backup backup,
                          const ViewWords& view) {
    std::error_code ignored;
    StudyPlace place{.folder = fs::absolute(file, ignored).parent_path()};
    if (const SharedWeights& weights = document.weights; weights && weights->problem.empty()) {
        const fs::path beside = weights_path(file);
        place.weights_file = beside.filename().native();
        // Weights are written first: a study without its weights would be nothing.
        if (!weights->is_inside && !weights->is_model && !has_weights(beside, weights->checksum))
            write_weights(beside, *weights, {.keeps_old = true});
    }
    std::string text = write_study(document, place, view);
    write_file(file, text, backup);
    return text;
}

}  // namespace headlight
