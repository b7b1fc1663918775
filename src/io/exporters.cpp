#include "io/exporters.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <map>

#include "core/error.h"
#include "io/arrays/npy.h"
#include "io/arrays/npz.h"
#include "io/arrays/safetensors.h"
#include "io/files/file.h"
#include "io/pictures/figure_pdf.h"
#include "io/pictures/figure_svg.h"
#include "io/pictures/film.h"
#include "io/pictures/png_image.h"
#include "io/text/csv.h"
#include "io/text/labelled_table.h"
#include "io/text/values_json.h"
#include "text/strings.h"

namespace headlight {
namespace {

using Tensors = std::vector<const Tensor*>;

/// Returns ".png" for "A.PNG".
std::string lower_extension(const std::filesystem::path& file) {
    std::string extension = file.extension().native();
    std::ranges::transform(extension, extension.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension;
}

/// Returns the row whose `extension` the file has, in either case. Throws Error, listing the known
/// ones.
template <typename Format>
const Format& find_by_extension(std::span<const Format> formats,
                                const std::filesystem::path& file) {
    const std::string extension = lower_extension(file);
    std::string known;
    for (const Format& format : formats) {
        if (extension == format.extension) return format;
        append_part(known, ", ", format.extension);
    }
    throw Error(path_text(file), "the extension must be one of {}", known);
}

/// Throws Error if the trace did not keep the tensor's values.
void check_has_values(const Tensor& tensor) {
    if (!tensor.value)
        throw Error("export", "{} has no values in this trace; watch it first", tensor.path());
}

NamedMatrices named_matrices(const Tensors& tensors) {
    NamedMatrices matrices;
    for (const Tensor* tensor : tensors) matrices.emplace_back(tensor->path(), *tensor->value);
    return matrices;
}

}  // namespace

constexpr ArchiveFormat kNpz{
    ".npz", "NPZ, for NumPy",
    [](const Tensors& t, const Steps& s) { return write_npz(named_matrices(t), s); }, read_npz};
constexpr ArchiveFormat kSafetensors{
    ".safetensors", "safetensors, for PyTorch",
    [](const Tensors& t, const Steps& s) { return write_safetensors(named_matrices(t), s); },
    read_safetensors};
constexpr ArchiveFormat kValuesJson{".json", "JSON with equations", write_values_json,
                                    read_values_json};

std::span<const ArchiveFormat> archive_formats() {
    static constexpr std::array formats{kNpz, kSafetensors, kValuesJson};
    return formats;
}

const ArchiveFormat& archive_format_for(const std::filesystem::path& file) {
    return find_by_extension(archive_formats(), file);
}

std::string write_archive(const ArchiveFormat& format, const Tensors& tensors, const Steps& steps) {
    for (const Tensor* tensor : tensors) check_has_values(*tensor);
    return format.write(tensors, steps);
}

namespace {

using Request = ExportRequest;

/// Returns the numbers of a table as an archive of matrices holds them.
NamedMatrices named_numbers(const Table& table) {
    return {{table.name, numbers_of(table)}};
}

template <const ArchiveFormat& format>
std::string write_tensors(const Request& r) {
    return write_archive(format, r.tensors, r.steps);
}

constexpr bool kTextFile = true, kBinaryFile = false;  // Exporter::is_text

const std::array<Exporter, 12> kExporters = {{
    {".png", "PNG picture", ExportKind::Picture, kBinaryFile,
     [](const Request& r) { return write_png(r.figure, r.sheet, r.steps); }},
    {".svg", "SVG drawing, its text can be edited", ExportKind::Picture, kTextFile,
     [](const Request& r) { return write_svg(r.figure, r.sheet, r.steps); }},
    {".pdf", "PDF page, for papers", ExportKind::Picture, kBinaryFile,
     [](const Request& r) { return write_pdf(r.figure, r.sheet, r.steps); }},
    {".gif", "GIF picture, 256 colours", ExportKind::Picture, kBinaryFile,
     [](const Request& r) {
         return write_gif(
             {1, 1, [&](std::size_t) { return rasterize(r.figure, r.sheet, r.steps); }});
     }},
    {".csv", "CSV with labels, for spreadsheets", ExportKind::Matrix, kTextFile,
     [](const Request& r) { return write_csv(r.trace, *r.tensors.front(), r.steps); },
     [](const Table& t, const Steps& s) { return write_csv(t, ReadBy::Spreadsheet, s); }},
    {".tsv", "TSV with labels", ExportKind::Matrix, kTextFile,
     [](const Request& r) { return write_tsv(r.trace, *r.tensors.front(), r.steps); },
     [](const Table& t, const Steps& s) { return write_tsv(t, ReadBy::Spreadsheet, s); }},
    {".npy", "NPY, for NumPy", ExportKind::Matrix, kBinaryFile,
     [](const Request& r) { return write_npy(*r.tensors.front()->value, r.steps); },
     [](const Table& t, const Steps& s) { return write_npy(numbers_of(t), s); }},
    {".tex", "LaTeX table", ExportKind::Matrix, kTextFile,
     [](const Request& r) { return write_latex_table(r.trace, *r.tensors.front(), r.steps); },
     [](const Table& t, const Steps& s) { return write_latex_table(t, s); }},
    {".md", "Markdown table", ExportKind::Matrix, kTextFile,
     [](const Request& r) { return write_markdown_table(r.trace, *r.tensors.front(), r.steps); },
     [](const Table& t, const Steps& s) { return write_markdown_table(t, s); }},
    {kNpz.extension, kNpz.name, ExportKind::Matrices, kBinaryFile, write_tensors<kNpz>,
     [](const Table& t, const Steps& s) { return write_npz(named_numbers(t), s); }},
    {kSafetensors.extension, kSafetensors.name, ExportKind::Matrices, kBinaryFile,
     write_tensors<kSafetensors>,
     [](const Table& t, const Steps& s) { return write_safetensors(named_numbers(t), s); }},
    {kValuesJson.extension, kValuesJson.name, ExportKind::Matrices, kTextFile,
     write_tensors<kValuesJson>, write_table_json},
}};

}  // namespace

std::span<const Exporter> exporters() {
    return kExporters;
}

const Exporter& exporter_for(const std::filesystem::path& file) {
    return find_by_extension(exporters(), file);
}

bool is_picture_name(const std::filesystem::path& file) {
    const std::string extension = lower_extension(file);
    return std::ranges::any_of(exporters(), [&](const Exporter& exporter) {
        return exporter.kind == ExportKind::Picture && extension == exporter.extension;
    });
}

bool is_meant(std::string_view glob, std::string_view path) {
    const bool is_named = glob == "*" || glob.find("probe") != std::string_view::npos;
    return (is_named || !path.starts_with("probe")) && matches(glob, path);
}

std::string export_bytes(const Exporter& exporter, const ExportRequest& request) {
    for (const Tensor* tensor : request.tensors) check_has_values(*tensor);
    return exporter.write(request);
}

std::string export_bytes(const Exporter& exporter, const Table& table, const Steps& steps) {
    if (exporter.write_table) return exporter.write_table(table, steps);
    std::string others;
    for (const Exporter& other : exporters())
        if (other.write_table) append_part(others, ", ", other.extension);
    throw Error("export", "a table is no picture, and {} holds none: it can be {}",
                exporter.extension, others);
}

namespace {

std::string number_text(int number) {
    return number >= 0 ? std::to_string(number) : "-";
}

std::string meaning(const std::string& word, const Tensor& tensor) {
    if (word == "path") return tensor.path();
    if (word == "name") return std::string(tensor.name());
    if (word == "layer") return number_text(tensor.identity().layer);
    if (word == "frame") return "{frame}";  // of a film, each frame has its own
    if (word == "head") return number_text(tensor.identity().head);
    throw Error("--output", in_quotes("{" + word + "}") +
                                " means nothing; there are {path}, {layer}, {head} and {name}");
}

/// Returns `pattern` with each brace replaced by the tensor's value.
std::string output_name(const std::string& pattern, const Tensor& tensor) {
    std::string name;
    for (std::size_t at = 0; at < pattern.size();) {
        const std::size_t end = pattern[at] == '{' ? pattern.find('}', at) : std::string::npos;
        if (end == std::string::npos) {
            name += pattern[at++];
            continue;
        }
        name += meaning(pattern.substr(at + 1, end - at - 1), tensor);
        at = end + 1;
    }
    return name;
}

}  // namespace

std::vector<std::string> output_names(const std::string& pattern,
                                      const std::vector<const Tensor*>& tensors) {
    std::vector<std::string> names;
    std::map<std::string, const Tensor*> known;
    for (const Tensor* tensor : tensors) {
        names.push_back(output_name(pattern, *tensor));
        const auto [at, is_new] = known.emplace(names.back(), tensor);
        if (!is_new)
            throw Error(
                "--output", "{} and {} would both be {}; put {{path}} into the name{}",
                at->second->path(), tensor->path(), in_quotes(names.back()),
                tensors.size() > 2 ? fmt::format(", there are {} matrices", tensors.size()) : "");
    }
    return names;
}

}  // namespace headlight
