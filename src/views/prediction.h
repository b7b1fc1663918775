// Prediction: a matrix stays covered until it is revealed, and takes guesses before that.
//
// Goals: one place knows what is covered, on the steps of a study and on the pages of a lecture; a
// guess can be judged without a window. Not goals: drawing, being saved.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/trace.h"
#include "figure/figure_parts.h"
#include "figure/heatmap_layout.h"

namespace headlight {

class Prediction {
  public:
    enum class Covers { Nothing, Patterns, EveryStep };
    Covers covers = Covers::Nothing;
    /// Each page of a lecture is revealed and guessed by itself; absent for the steps of a study.
    std::optional<std::size_t> page = {};

    bool is_on() const { return covers != Covers::Nothing; }

    bool hides(const Tensor& tensor) const;
    /// True if the card is hidden beside `chosen` on its slide. That includes the scores from which
    /// a covered pattern, of that slide or an earlier one, could be read.
    bool hides_beside(const Trace& trace, TensorId card, TensorId chosen) const;
    /// Covers the patterns, then all steps, then nothing; on a page all or nothing.
    void change_covers();
    /// Lifts the cover, or puts it back.
    void turn(const Tensor& tensor);

    /// Guesses the cell that is read most in its row: one guess for each row, in a list of edges
    /// one for each node that reads. A second click takes the guess back.
    void guess(const Tensor& tensor, CellIndex cell);
    /// Returns the guesses that fall on cells of the tensor.
    std::vector<CellIndex> guesses(const Tensor& tensor) const;
    /// Returns the marks of the guesses: right and wrong ones once the tensor is revealed, with the
    /// answer before each wrong one.
    struct Marked {
        CellIndex cell;
        GuessState state;
    };
    std::vector<Marked> marks(const Tensor& tensor) const;

  private:
    using Place = std::pair<std::optional<std::size_t>, std::string>;  // the page and the path
    Place place_of(const Tensor& tensor) const { return {page, tensor.path()}; }

    std::set<Place> revealed_;
    std::map<Place, std::vector<CellIndex>> guesses_;
};

/// True if no cell of the row is larger (among edges: no other edge of the node that reads), and
/// the cell is not 0, as it is where nothing is read.
bool is_right(const Tensor& tensor, CellIndex guess);

/// Returns the first of the largest cells of that row.
CellIndex best_of_row(const Tensor& tensor, CellIndex cell);

}  // namespace headlight
