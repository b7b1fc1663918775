#include "model/ablation.h"

#include <algorithm>

#include "core/compute.h"
#include "core/operations/mask_operations.h"
#include "model/changes.h"

namespace headlight {
namespace {

/// Words that only fill up a shorter sentence do not count as positions.
bool is_padding(const Trace& trace, const Axis& axis, Index row) {
    if (axis.kind != AxisKind::Query && axis.kind != AxisKind::Item) return false;
    return axis_label(trace, axis, row) == kPaddingWord;
}

Matrix mean_rows(const Trace& trace, const Tensor& z, const Matrix& values) {
    Matrix sum = Matrix::Zero(1, values.cols());
    Index n = 0;
    for (Index i = 0; i < values.rows(); ++i) {
        if (is_padding(trace, z.rows(), i)) continue;
        sum += values.row(i);
        ++n;
    }
    if (n > 0) sum /= static_cast<Scalar>(n);
    return sum.replicate(values.rows(), 1);
}

}  // namespace

const Tensor* ablated_tensor(const Trace& trace, const Component& attention, int head) {
    return find_of_head(trace, attention, head, Role::HeadOutput);
}

std::optional<Ablation> find_ablation(const Tensor& z) {
    const std::vector<CellValue>& cells = z.intervention.cells;
    const Index n_columns = z.columns().size;
    if (cells.empty() || static_cast<Index>(cells.size()) != z.rows().size * n_columns)
        return std::nullopt;
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (cells[i].value != cells[i % static_cast<std::size_t>(n_columns)].value)
            return std::nullopt;
    const bool is_zero = std::all_of(cells.begin(), cells.end(),
                                     [](const CellValue& cell) { return cell.value == 0; });
    return is_zero ? Ablation::Zero : Ablation::Mean;
}

void ablate(Document& document, const Trace& whole, const std::string& path,
            std::optional<Ablation> ablation) {
    reset_tensor(document, path);
    if (!ablation) return;
    const TensorId id = whole.id_at(path);
    const Tensor& z = whole[id];
    const Matrix values = *ablation == Ablation::Zero
                              ? Matrix::Zero(z.rows().size, z.columns().size)
                              : mean_rows(whole, z, *Workings(whole, id).computed());
    set_tensor(document, z, values);
}

void keep_one_head(Document& document, const Trace& whole, const Component& attention, int head,
                   Ablation ablation) {
    for (int h = 0; h < attention.n_heads; ++h) {
        const Tensor* z = ablated_tensor(whole, attention, h);
        if (z && h != head) ablate(document, whole, z->path(), ablation);
        if (z && h == head && find_ablation(*z)) reset_tensor(document, z->path());
    }
}

void restore_heads(Document& document, const Trace& whole, const Component& attention) {
    for (int h = 0; h < attention.n_heads; ++h)
        if (const Tensor* z = ablated_tensor(whole, attention, h); z && find_ablation(*z))
            reset_tensor(document, z->path());
}

}  // namespace headlight
