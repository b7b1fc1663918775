#include "io/exporters.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "io/arrays/archives.h"
#include "io/arrays/npy.h"
#include "io/arrays/npz.h"
#include "io/arrays/safetensors.h"
#include "io/arrays/tensor_values.h"
#include "io/files/file_extension.h"
#include "io/pictures/figure_pdf.h"
#include "io/pictures/figure_png.h"
#include "io/pictures/figure_svg.h"
#include "io/pictures/film.h"
#include "io/text/csv.h"
#include "io/text/labelled_table.h"
#include "text/strings.h"

namespace headlight {
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

constexpr FileContent kTextFile = FileContent::Text, kBinaryFile = FileContent::Binary;

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

}  // namespace headlight
