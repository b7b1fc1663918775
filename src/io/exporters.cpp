#include "io/exporters.h"

#include <algorithm>
#include <array>

#include "io/arrays/archives.h"
#include "io/arrays/npy.h"
#include "io/arrays/tensor_values.h"
#include "io/files/file_extension.h"
#include "io/pictures/figure_pdf.h"
#include "io/pictures/figure_png.h"
#include "io/pictures/figure_svg.h"
#include "io/pictures/film.h"
#include "io/text/csv.h"
#include "io/text/labelled_table.h"

namespace headlight {
namespace {

using Request = ExportRequest;

template <const ArchiveFormat& format>
Exporter make_exporter() {
    return {format.extension, format.name, ExportKind::Matrices,
            [](const Request& r) { return write_archive(format, r.tensors, r.steps); }};
}

const std::array<Exporter, 12> kExporters = {{
    {".png", "PNG picture", ExportKind::Picture,
     [](const Request& r) { return write_png(r.figure, r.sheet, r.steps); }},
    {".svg", "SVG drawing, its text can be edited", ExportKind::Picture,
     [](const Request& r) { return write_svg(r.figure, r.sheet, r.steps); }},
    {".pdf", "PDF page, for papers", ExportKind::Picture,
     [](const Request& r) { return write_pdf(r.figure, r.sheet, r.steps); }},
    {".gif", "GIF picture, 256 colours", ExportKind::Picture,
     [](const Request& r) {
         return write_gif(
             {1, 1, [&](std::size_t) { return rasterize(r.figure, r.sheet, r.steps); }});
     }},
    {".csv", "CSV with labels, for spreadsheets", ExportKind::Matrix,
     [](const Request& r) { return write_csv(r.trace, *r.tensors.front(), r.steps); }},
    {".tsv", "TSV with labels", ExportKind::Matrix,
     [](const Request& r) { return write_tsv(r.trace, *r.tensors.front(), r.steps); }},
    {".npy", "NPY, for NumPy", ExportKind::Matrix,
     [](const Request& r) { return write_npy(*r.tensors.front()->value, r.steps); }},
    {".tex", "LaTeX table", ExportKind::Matrix,
     [](const Request& r) { return write_latex_table(r.trace, *r.tensors.front(), r.steps); }},
    {".md", "Markdown table", ExportKind::Matrix,
     [](const Request& r) { return write_markdown_table(r.trace, *r.tensors.front(), r.steps); }},
    make_exporter<kNpz>(),
    make_exporter<kSafetensors>(),
    make_exporter<kValuesJson>(),
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

}  // namespace headlight
