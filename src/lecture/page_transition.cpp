#include "lecture/page_transition.h"

#include <cmath>

#include "model/settings/number_settings.h"

namespace headlight {

std::optional<PageTransition> PageTransition::make(const Document& before, const Trace& trace,
                                                   const Document& after) {
    if (before.study.index() != after.study.index() || !are_same(before.weights, after.weights))
        return std::nullopt;
    PageTransition transition;
    transition.after_ = after;
    Document with_numbers_of_before = after;
    for (const NumberSetting& now : number_settings(after)) {
        const auto then = find_number_setting(before, now.path);
        if (!then || then->value == now.value) continue;
        set_number_setting(with_numbers_of_before, now.path, then->value);
        if (now.kind == NumberSetting::Kind::Real)
            transition.settings_.push_back({now.path, then->value, now.value});
    }
    if (with_numbers_of_before.study != before.study) return std::nullopt;
    for (const auto& [path, intervention] : after.interventions) {
        const auto earlier = before.interventions.find(path);
        const Tensor* tensor = trace.find(path);
        for (const CellValue& cell : intervention.cells) {
            const CellValue* set = earlier == before.interventions.end()
                                       ? nullptr
                                       : earlier->second.find(cell.row, cell.column);
            Scalar from = cell.value;
            if (set)
                from = set->value;
            else if (tensor && tensor->value && cell.row < tensor->value->rows() &&
                     cell.column < tensor->value->cols())
                from = (*tensor->value)(cell.row, cell.column);
            if (from == cell.value || !std::isfinite(from) || !std::isfinite(cell.value)) continue;
            transition.cells_.push_back({path, {cell.row, cell.column, from}, cell.value});
        }
    }
    if (transition.settings_.empty() && transition.cells_.empty()) return std::nullopt;
    return transition;
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
    return document;
}

}  // namespace headlight
