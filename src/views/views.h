// The views of a study: one row holds the name of each, when there is something to see, what it
// shows, and how it is drawn.
//
// Goals: the window, slides, pages, exporters and the command line read this list. A new view is
// one row of it, in views.cpp, and the file that draws it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "figure/figure.h"
#include "figure/figure_look.h"
#include "io/text/table.h"

namespace headlight {

struct Scene;

/// The numbers from which a view is drawn.
struct ViewTable {
    Table table;
    std::string note;  // says what is left out; "": nothing
};

enum class ViewId {
    Matrix,  // in the middle of the window: the open part
    Graph,
    Image,
    Words,
    Compared,
    Panels,
    Heads,
    Readout,
    NextWords,
    Lens,
    Attribution,
    Sweep,
    Composition,
    Flow,
    Layer,
    Step,
    Row,
    Plane,
    Weighted,
    Explanation,
    Training,
    Window
};

/// A row of the list.
struct ViewEntry {
    enum Trait : unsigned {
        InMiddle = 1,       // it can stand in the middle of the window, in place of the open part
        OfSides = 2,        // it shows what A is compared with
        OfHeld = 4,         // it is of what is held, whether a look marks it or not
        OfLogit = 8,        // of the held word: a logit is asked for
        OfPart = 16,        // of the open part, and of one head or a few
        Marks = 32,         // a held row is marked, or is what it is about …
        MarksCell = 64,     // … and so is a held column or cell
        Colored = 128,      // matrices in colours that can be chosen …
        Numbered = 256,     // … with numbers in their cells
        OfCards = 512,      // cards on the window's background
        SaysOrigin = 1024,  // the figure itself says where its weights come from
        OfHeads = 2048      // it draws all chosen heads, not only the first of them
    };

    ViewId id;
    const char *word, *title;  // "heads", "All heads"
    const char* help;          // describes it: "of every layer, as small pictures"
    unsigned traits;           // of Trait
    float aspect;              // of its usual width over its height; 0: as the matrix has it
    bool (*has_content)(const Scene& scene);
    /// Draws the view. Null: the view is no figure.
    Figure (*draw)(const Scene& scene, const FigureLook& look, const MeasureText& measure);
    /// Returns paths and globs of the tensors that must be computed for it, beside the chosen one.
    std::vector<std::string> (*needs)(const Scene& scene) = nullptr;
    /// Returns the numbers from which it is drawn; null: they are those of a matrix.
    ViewTable (*table)(const Scene& scene) = nullptr;
    const char* why_not = nullptr;  // why a study has none; null: it has no such thing
    const char* button = nullptr;   // over the middle of the window; null: it has none
    /// True if the button is there; null: it is wherever the view has something to show.
    bool (*has_button)(const Scene& scene) = nullptr;
    /// Describes its content for the caption. Null: the caption of its table, or else of a matrix.
    std::string (*caption)(const Scene& scene) = nullptr;
    /// Describes the origin of its weights. Null: that of the weights that the window shows.
    std::string (*origin)(const Scene& scene) = nullptr;
    /// Says which part of it is nearly blank, "" if nothing is. Null: it never is.
    std::string (*blank)(const Scene& scene) = nullptr;

    bool stands_in_middle() const { return traits & InMiddle; }
    bool shows_sides() const { return traits & OfSides; }
    bool needs_held() const { return traits & OfHeld; }
    bool shows_logits() const { return traits & OfLogit; }
    bool has(Trait trait) const { return traits & trait; }
};

/// Returns the views in the order in which they are listed.
std::span<const ViewEntry> all_views();
const ViewEntry& view_of(ViewId id);
std::vector<ViewId> views_with(ViewEntry::Trait trait);
/// Returns the view of that word; null if there is none.
const ViewEntry* find_view(std::string_view word);
/// Returns the view that stands in the middle of the window under that name; nothing if there is
/// none.
std::optional<ViewId> middle_named(std::string_view word);

/// True if the scene has content for the view.
bool is_shown(const Scene& scene, ViewId view);
/// Throws Error, saying why, if it has none.
void check_is_shown(const Scene& scene, ViewId view);
/// Returns the views that the scene has content for.
std::vector<ViewEntry> list_views(const Scene& scene);

}  // namespace headlight
