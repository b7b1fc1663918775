#include "present/page/page_transition.h"

#include <cmath>
#include <set>

#include "core/compute.h"
#include "model/settings/setting_text.h"

namespace headlight {
namespace {

Ablation ablation_in(const Document& document, const std::string& path) {
    const auto at = document.interventions.find(path);
    return at == document.interventions.end() ? Ablation::None : at->second.ablation;
}

/// Returns null if there is no such tensor.
MatrixPtr value_in(const Trace& trace, const std::string& path) {
    return trace.find(path) ? compute_value(trace, trace.id_at(path)) : nullptr;
}

}  // namespace

std::optional<PageTransition> PageTransition::make(const PageState& before,
                                                   const PageState& after) {
    if (before.document.study.index() != after.document.study.index() ||
        !are_same(before.document.weights, after.document.weights))
        return std::nullopt;
    PageTransition transition;
    transition.after_ = after.document;
    Document with_numbers_of_before = after.document;
    transition.add_settings(before.document, with_numbers_of_before);
    if (with_numbers_of_before.study != before.document.study) return std::nullopt;
    transition.add_cells(before);
    transition.add_ablations(before, after);
    if (transition.settings_.empty() && transition.cells_.empty() && transition.matrices_.empty())
        return std::nullopt;
    return transition;
}

void PageTransition::add_settings(const Document& before, Document& with_numbers_of_before) {
    for (const NumberSetting& now : number_settings(after_)) {
        const auto then = find_number_setting(before, now.path);
        if (!then || then->value == now.value) continue;
        set_number_setting(with_numbers_of_before, now.path, then->value);
        if (!now.is_whole) settings_.push_back({now.path, then->value, now.value});
    }
}

void PageTransition::add_cells(const PageState& before) {
    for (const auto& [path, intervention] : after_.interventions) {
        const auto earlier = before.document.interventions.find(path);
        const Tensor* tensor = before.trace.find(path);
        for (const CellValue& cell : intervention.cells) {
            const CellValue* set = earlier == before.document.interventions.end()
                                       ? nullptr
                                       : earlier->second.find(cell.row, cell.column);
            Scalar from = cell.value;
            if (set)
                from = set->value;
            else if (tensor && tensor->value && cell.row < tensor->value->rows() &&
                     cell.column < tensor->value->cols())
                from = (*tensor->value)(cell.row, cell.column);
            if (from == cell.value || !std::isfinite(from) || !std::isfinite(cell.value)) continue;
            cells_.push_back({path, {cell.row, cell.column, from}, cell.value});
        }
    }
}

/// Adds the ablations of tensors without cells that were set by hand: those run by themselves.
void PageTransition::add_ablations(const PageState& before, const PageState& after) {
    std::set<std::string> paths;
    for (const Document* document : {&before.document, &after.document})
        for (const auto& [path, intervention] : document->interventions)
            if (intervention.ablation != Ablation::None) paths.insert(path);
    for (const std::string& path : paths) {
        const auto now = after_.interventions.find(path);
        const bool has_cells = now != after_.interventions.end() && !now->second.cells.empty();
        if (has_cells || ablation_in(before.document, path) == ablation_in(after_, path)) continue;
        MatrixPtr from = value_in(before.trace, path), to = value_in(after.trace, path);
        if (!from || !to || from->rows() != to->rows() || from->cols() != to->cols()) continue;
        if (*from == *to || !from->allFinite() || !to->allFinite()) continue;
        matrices_.push_back({path, std::move(from), std::move(to)});
    }
}

Document PageTransition::at(double share) const {
    Document document = after_;
    if (share >= 1) return document;
    for (const MovingSetting& setting : settings_)
        set_number_setting(document, setting.path,
                           setting.from + share * (setting.to - setting.from));
    for (const MovingCell& cell : cells_)
        document.interventions[cell.path].set(
            cell.from.row, cell.from.column,
            static_cast<Scalar>(cell.from.value + share * (cell.to - cell.from.value)));
    for (const MovingMatrix& matrix : matrices_) {
        const Matrix now = *matrix.from + static_cast<Scalar>(share) * (*matrix.to - *matrix.from);
        document.interventions[matrix.path] = intervene_on_all(now);
    }
    return document;
}

}  // namespace headlight
