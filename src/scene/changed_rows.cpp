#include "scene/changed_rows.h"

#include <utility>

namespace headlight {
namespace {

/// Rows stay marked for so long. Letters that are typed faster than that belong to one change.
constexpr double kMarked_secs = 3;

bool is_moved(const Matrix& before, const Matrix& now, Index row) {
    return (before.row(row) - now.row(row)).cwiseAbs().maxCoeff() > kMovedWeight;
}

}  // namespace

void ChangedRows::follow(const Trace& page, const Component* attention, double now_secs) {
    Patterns now{page.items(), {}};
    for (int h = 0; attention && h < attention->n_heads; ++h) {
        const std::string path = attention->place.of_head(h).at(Role::Pattern).path;
        if (const Tensor* pattern = page.find(path); pattern && pattern->value)
            now.by_path[path] = pattern->value;
    }
    if (now.words != last_words_) {
        changed_secs_ = last_words_.empty() ? now_secs - kMarked_secs : now_secs;
        last_words_ = now.words;
    }
    const double left_secs = kMarked_secs - (now_secs - changed_secs_);
    strength_ = left_secs > 0 ? static_cast<float>(left_secs / kMarked_secs) : 0;
    rows_.clear();
    if (strength_ == 0)
        before_ = std::move(now);
    else
        compare(now);
}

void ChangedRows::compare(const Patterns& now) {
    if (before_.words.size() != now.words.size() || before_.words == now.words) return;
    for (const auto& [path, values] : now.by_path) {
        const auto before = before_.by_path.find(path);
        if (before == before_.by_path.end() || before->second == values ||
            before->second->rows() != values->rows() || before->second->cols() != values->cols())
            continue;
        for (Index row = 0; row < values->rows(); ++row)
            if (is_moved(*before->second, *values, row)) rows_[path].push_back(row);
    }
}

std::vector<Index> ChangedRows::rows_of(const std::string& path) const {
    const auto found = rows_.find(path);
    return found == rows_.end() ? std::vector<Index>() : found->second;
}

}  // namespace headlight
