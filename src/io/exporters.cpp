#include "io/exporters.h"

#include <array>

#include "io/csv.h"
#include "io/figure_png.h"
#include "io/file_extension.h"
#include "io/npy.h"
#include "io/tensor_values.h"

namespace headlight {
namespace {

constexpr std::array<Exporter, 3> kExporters = {{
    {".png", "PNG picture", ExportKind::Picture,
     [](const ExportRequest& r) { return png_of(r.figure, r.scale, r.ground); }},
    {".csv", "CSV with labels, for spreadsheets", ExportKind::Numbers,
     [](const ExportRequest& r) { return write_csv(r.trace, r.tensor); }},
    {".npy", "NPY, for NumPy", ExportKind::Numbers,
     [](const ExportRequest& r) { return write_npy(*r.tensor.value); }},
}};

}  // namespace

std::span<const Exporter> exporters() {
    return kExporters;
}

const Exporter& exporter_for(const std::filesystem::path& file) {
    return find_by_extension(exporters(), file);
}

std::string export_tensor(const Exporter& exporter, const ExportRequest& request) {
    check_has_values(request.tensor);
    return exporter.write(request);
}

}  // namespace headlight
