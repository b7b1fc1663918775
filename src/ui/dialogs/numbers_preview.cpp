#include "ui/dialogs/numbers_preview.h"

#include <iterator>
#include <vector>

#include "paint/number_format.h"

namespace headlight {
namespace {

constexpr Index kMostPreviewed = 100000;  // numbers
constexpr std::size_t kPreviewLetters = 1600;

/// The names of columns are told where the file has none.
std::string table_preview(const ExportWork& work) {
    const Table& table = *work.table;
    std::string text = table.caption + "\n" + std::to_string(table.n_rows()) + " rows\n";
    if (work.exporter->content == FileContent::Text)
        return text + "\n" + bytes_of(work, work.files.front(), {});
    const std::vector<std::string> columns = number_columns(table);
    text += "the numbers alone, " +
            shape_text(static_cast<Index>(table.n_rows()), std::ssize(columns)) + ":\n";
    for (const std::string& column : columns) text += "  " + column + "\n";
    return text;
}

std::string matrices_preview(const ExportWork& work) {
    if (work.files.empty()) return {};
    const std::vector<Tensor>& tensors = work.files.front().tensors;
    std::string text = work.note.empty() ? "" : work.note + "\n";
    for (const ExportWork::File& file : work.files)
        for (const Tensor& tensor : file.tensors)
            if (text.size() < kPreviewLetters)
                text += tensor.path() + "   " +
                        shape_text(tensor.rows().size, tensor.columns().size) + "\n";
    const Exporter& exporter = *work.exporter;
    if (exporter.kind != ExportKind::Matrix || exporter.content != FileContent::Text) return text;
    if (!tensors.front().value || tensors.front().value->size() > kMostPreviewed) return text;
    return text + "\n" + bytes_of(work, work.files.front(), {});
}

}  // namespace

std::string numbers_preview(const ExportWork& work) {
    return (work.table ? table_preview(work) : matrices_preview(work)).substr(0, kPreviewLetters);
}

}  // namespace headlight
