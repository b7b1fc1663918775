#include "views/prediction.h"

#include <algorithm>

namespace headlight {
namespace {

/// The cells among which one is the largest.
struct Contest {
    Index first_row = 0, n_rows = 1;
};

Contest find_contest(const Tensor& tensor, CellIndex cell) {
    const Edges* edges = tensor.row_edges();
    if (!edges) return {cell.row, 1};
    const auto node = static_cast<std::size_t>(edges->row[static_cast<std::size_t>(cell.row)]);
    return {edges->offsets[node], edges->offsets[node + 1] - edges->offsets[node]};
}

bool holds_cell(const Tensor& tensor, CellIndex cell) {
    return cell.row < tensor.rows().size && cell.column < tensor.columns().size;
}

/// True if the pattern is made of those scores cell by cell, or of what is added to them.
bool is_made_of(const Trace& trace, TensorId pattern, TensorId scores) {
    std::vector<TensorId> made_of{pattern};
    for (std::size_t k = 0; k < made_of.size(); ++k)
        for (const TensorId input : trace[made_of[k]].inputs()) {
            const Tensor& tensor = trace[input];
            const bool is_same_size = tensor.rows() == trace[pattern].rows() &&
                                      tensor.columns() == trace[pattern].columns();
            if (!is_same_size || tensor.is_leaf() || tensor.quantity() == Quantity::Mask) continue;
            if (input == scores) return true;
            made_of.push_back(input);
        }
    return false;
}

}  // namespace

bool Prediction::hides(const Tensor& tensor) const {
    if (!is_on() || revealed_.contains(place_of(tensor))) return false;
    return covers == Covers::EveryStep || tensor.quantity() == Quantity::Probability;
}

bool Prediction::hides_beside(const Trace& trace, TensorId card, TensorId chosen) const {
    if (!is_on()) return false;
    if (hides(trace[card])) return true;
    for (TensorId id = card + 1; id <= chosen; ++id)
        if (trace[id].quantity() == Quantity::Probability && hides(trace[id]) &&
            is_made_of(trace, id, card))
            return true;
    return false;
}

void Prediction::change_covers() {
    if (covers == Covers::EveryStep)
        covers = Covers::Nothing;
    else
        covers = is_on() || page ? Covers::EveryStep : Covers::Patterns;
}

void Prediction::turn(const Tensor& tensor) {
    if (revealed_.erase(place_of(tensor)) == 0) revealed_.insert(place_of(tensor));
}

void Prediction::guess(const Tensor& tensor, CellIndex cell) {
    if (!holds_cell(tensor, cell)) return;
    std::vector<CellIndex>& all = guesses_[place_of(tensor)];
    const bool is_taken_back = std::find(all.begin(), all.end(), cell) != all.end();
    const Index contest = find_contest(tensor, cell).first_row;
    std::erase_if(all, [&](const CellIndex& other) {
        return !holds_cell(tensor, other) || find_contest(tensor, other).first_row == contest;
    });
    if (!is_taken_back) all.push_back(cell);
}

std::vector<CellIndex> Prediction::guesses(const Tensor& tensor) const {
    const auto it = guesses_.find(place_of(tensor));
    if (it == guesses_.end()) return {};
    std::vector<CellIndex> all = it->second;
    std::erase_if(all, [&](const CellIndex& cell) { return !holds_cell(tensor, cell); });
    return all;
}

std::vector<Prediction::Marked> Prediction::marks(const Tensor& tensor) const {
    const bool is_hidden = hides(tensor) || !tensor.value;
    std::vector<Marked> marks;
    for (const CellIndex& guess : guesses(tensor)) {
        const bool is_wrong = !is_hidden && !is_right(tensor, guess);
        if (is_wrong) marks.push_back({best_of_row(tensor, guess), GuessState::Answer});
        marks.push_back({guess, is_hidden  ? GuessState::Open
                                : is_wrong ? GuessState::Wrong
                                           : GuessState::Right});
    }
    return marks;
}

CellIndex best_of_row(const Tensor& tensor, CellIndex cell) {
    const Contest contest = find_contest(tensor, cell);
    CellIndex best;
    tensor.value->middleRows(contest.first_row, contest.n_rows).maxCoeff(&best.row, &best.column);
    best.row += contest.first_row;
    return best;
}

bool is_right(const Tensor& tensor, CellIndex guess) {
    const CellIndex best = best_of_row(tensor, guess);
    const Scalar value = (*tensor.value)(guess.row, guess.column);
    return value != 0 && value >= (*tensor.value)(best.row, best.column);
}

}  // namespace headlight
