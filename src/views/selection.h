// Selection: the targets of the pointer, what is hovered and what is held, shared by all panels,
// and the rows that moved with the last change of the text. It is never undone and never saved.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "core/components.h"
#include "core/matrix.h"
#include "core/pattern_rows.h"
#include "core/trace.h"
#include "figure/axis_indices.h"
#include "figure/picture_scales.h"
#include "figure/picture_view.h"
#include "views/looks.h"
#include "views/views.h"

namespace headlight {

/// Marks, for a moment, the rows of the shown heads' patterns that moved when the text was last
/// changed. Words typed letter by letter are one change; a longer or shorter text marks nothing.
class ChangedRows {
  public:
    /// Takes what the page has now of that attention's heads, before each frame. Null: there are no
    /// heads.
    void follow(const Trace& page, const Component* attention, double now_secs);

    /// Returns the marked rows of the matrix with that path.
    std::vector<Index> rows_of(const std::string& path) const;
    /// The strength of the marks falls from 1, right after the change, to 0.
    float strength() const { return strength_; }

  private:
    struct Patterns {
        std::vector<std::string> words;
        std::map<std::string, MatrixPtr> by_path;
    };

    void compare(const Patterns& now);

    Patterns before_;  // as they were before the change
    std::vector<std::string> last_words_;
    double changed_secs_ = 0;
    float strength_ = 0;
    std::map<std::string, std::vector<Index>> rows_;
};

struct CellPlace {
    std::string path;  // the tensor's path
    Index row = 0, column = 0;

    bool operator==(const CellPlace&) const = default;
};

/// A number that can be moved: a setting, by its path (model/settings/number_settings.h), or a
/// cell.
using NumberPlace = std::variant<std::string, CellPlace>;

/// A cell, or only the word, node or edge, that the pointer is at or that is held.
struct Pick {
    AxisIndices indices;
    std::optional<CellPlace> cell;

    bool is_empty() const { return indices.is_empty() && !cell; }
    bool operator==(const Pick&) const = default;
};

/// Returns a word or a node that looks.
Pick pick_item(Index item, int list = 0);
Pick pick_at(const Trace& trace, const Tensor& tensor, Index row, Index column);

class PictureViews {
  public:
    /// Matrices with the same two axes share their view: the patterns of all heads, their scores.
    PictureView of(const Tensor& tensor) const;
    void set(const Tensor& tensor, const PictureView& view);

  private:
    using Axes = std::tuple<AxisKind, int, AxisKind, int>;
    static Axes view_axes(const Tensor& tensor);

    std::map<Axes, PictureView> views_;  // only of matrices that are zoomed
};

class Selection {
  public:
    int sentence = 0;       // the one of several that is shown
    std::string component;  // path of the open component
    int head = 0;
    std::vector<int> also_heads;  // heads whose lines are drawn over those of `head`
    std::string chosen;           // path of the tensor in the large picture
    ViewId view = ViewId::Matrix;
    Looks looks;               // the choices for each view
    HeadsList listed_heads;    // the content of the view of all heads
    bool paints_mask = false;  // a press on a pattern or its scores opens and closes pairs
    bool explains = false;     // the explanation of the cell stands large below the matrices

    ChangedRows changed;                // moved with the last change of the text
    PictureViews views;                 // the large picture's
    PictureScales scales;               // of all matrix pictures
    bool has_composition_open = false;  // the inspector lists what the head composes with

    /// Returns globs of what is looked at whatever part is open: the large matrix, and what the
    /// inspector lists.
    std::vector<std::string> watched_globs() const;

    /// Returns the selection for another study: nothing is chosen or held, but pictures are drawn
    /// as before.
    Selection afresh() const;

    /// Panels report what is under the pointer; all panels see it in the next frame.
    void hover(Pick pick) { next_hovered_ = std::move(pick); }
    /// A second click on what is held lets it go.
    void hold(const Pick& pick) { keep_held(held_ == pick ? Pick{} : pick); }
    void keep_held(Pick pick) {
        held_ = std::move(pick);
        block_.reset();
    }
    /// Follows a click with Shift: one more word, node or row is held beside the others, or let go.
    /// An item that cannot be held beside the others takes their place.
    void toggle(const Pick& pick);
    /// Follows Shift with an arrow key: the held items become one more at the end that moved last,
    /// or one less. `n` of them exist.
    void extend(Index step, Index n);
    void release() { keep_held({}); }

    /// Returns the cells that are changed and copied together: a block of the held cell's matrix
    /// with that cell in it, or only the held cell; nothing if no cell is held.
    std::optional<CellRange> held_cells() const;
    void hold_block(Pick pick, const CellRange& block);

    /// Panels report cells that they speak of; their pictures are marked in the next frame.
    void highlight(std::vector<CellPlace> cells) { next_highlighted_ = std::move(cells); }
    const std::vector<CellPlace>& highlighted() const { return highlighted_; }

    /// Shows a cell large and holds it; `go_back` returns to what was shown before.
    void go_to(const Trace& trace, const Components& components, const CellPlace& cell);
    void go_back(const Trace& trace, const Components& components);
    bool can_go_back() const { return !visited_.empty(); }

    const Pick& hovered() const { return hovered_; }
    const Pick& held() const { return held_; }
    const Pick& current() const { return hovered_.is_empty() ? held_ : hovered_; }
    /// Returns the cell that the inspector shows. Hovering a word or a bar leaves the held cell in
    /// it.
    const std::optional<CellPlace>& current_cell() const {
        return hovered_.cell ? hovered_.cell : held_.cell;
    }

    /// Ends a frame. Returns true if the hovered thing is another one and must be drawn.
    bool advance();

    /// Brings component, head, chosen tensor and held cell back to what the trace has.
    void fit(const Trace& trace, const Components& components);
    /// Opens a part, with the same tensor of it in the large picture if it has one.
    void choose_component(const Trace& trace, const Components& components,
                          const std::string& path);
    /// Chooses only that head.
    void choose_head(const Trace& trace, const Components& components, int head);
    /// Takes one more head beside the chosen one, or one less; one always stays.
    void toggle_head(const Trace& trace, const Components& components, int head);
    /// Returns the chosen head and those beside it, ascending.
    std::vector<int> shown_heads() const;
    /// Chooses the tensor in the large picture, and the part and head that it belongs to.
    void choose_tensor(const Trace& trace, const Components& components, const std::string& path);

  private:
    struct Visit {
        std::string component, chosen;
        int head = 0;
        ViewId view = ViewId::Matrix;
        Pick held;
    };

    void let_go_of_first();

    Pick hovered_, next_hovered_, held_;
    std::vector<CellPlace> highlighted_, next_highlighted_;
    std::vector<Visit> visited_;      // the last one is the newest
    std::optional<CellRange> block_;  // around the held cell
};

/// Returns the part that is open.
const Component& open_component(const Components& components, const Selection& selection);
/// Returns the attention whose heads are shown: the open component, or else the nearest attention
/// before it, or after it. Null if there is none.
const Component* shown_attention(const Components& components, const Selection& selection);
/// Returns every attention of the network except those of single steps.
std::vector<const Component*> all_attentions(const Components& components);
/// Returns the pattern of the chosen head; null if there is no attention.
const Tensor* shown_pattern(const Trace& trace, const Components& components,
                            const Selection& selection);
/// True if the graph or the image of a study is shown without a matrix, since it shows the chosen
/// pattern. Any other chosen tensor stands beside it.
bool shows_picture_alone(const Trace& trace, const Selection& selection);

}  // namespace headlight
