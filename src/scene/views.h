// The views of a study: one row says what each is called, when there is something to see, what it
// shows, and how it is drawn.
//
// Goals: the window, slides, pages, exporters and the command line read this list. A new view is
// one row of it, in view_figure.cpp, and the file that draws it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/text/table.h"
#include "paint/figure.h"
#include "paint/figure_look.h"

namespace headlight {

struct Scene;

/// The numbers behind a view.
struct ViewTable {
    Table table;
    std::string note;  // what is left out; "": nothing
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
        InMiddle = 1,      // it can stand in the middle of the window, in place of the open part
        OfSides = 2,       // it shows what A is compared with
        OfHeld = 4,        // it is of what is held, whether a look marks it or not
        OfLogit = 8,       // of the held word: a logit is asked for
        OfPart = 16,       // of the open part, and of one head or a few
        Marks = 32,        // a held row is marked, or is what it is about …
        MarksCell = 64,    // … and so is a held column or cell
        Colored = 128,     // matrices in colours that can be chosen …
        Numbered = 256,    // … with numbers in their cells
        OfCards = 512,     // cards on the window's background
        SaysOrigin = 1024  // the figure itself says where its weights come from
    };

    ViewId id;
    const char *word, *title;  // "heads", "All heads"
    const char* help;          // what one sees: "of every layer, as small pictures"
    unsigned traits;           // of Trait
    float aspect;              // of its usual width over its height; 0: as the matrix has it
    bool (*has_content)(const Scene& scene);
    /// Null: the view is no figure.
    Figure (*draw)(const Scene& scene, const FigureLook& look, const MeasureText& measure);
    /// Paths and globs of the tensors that must be computed for it, beside the chosen one.
    std::vector<std::string> (*needs)(const Scene& scene) = nullptr;
    /// The numbers behind it; null: they are those of a matrix.
    ViewTable (*table)(const Scene& scene) = nullptr;
    const char* why_not = nullptr;  // why a study has none; null: it has no such thing
    const char* button = nullptr;   // over the middle of the window; null: it has none
    /// Whether the button is there; null: wherever the view has something to show.
    bool (*has_button)(const Scene& scene) = nullptr;
    /// What it draws, as its caption says it. Null: the caption of its table, else of a matrix.
    std::string (*caption)(const Scene& scene) = nullptr;
    /// Where its weights come from. Null: where those of what the window shows do.
    std::string (*origin)(const Scene& scene) = nullptr;
    /// What of it is nearly blank, "" if nothing is. Null: it never is.
    std::string (*blank)(const Scene& scene) = nullptr;

    bool stands_in_middle() const { return traits & InMiddle; }
    bool shows_sides() const { return traits & OfSides; }
    bool needs_held() const { return traits & OfHeld; }
    bool shows_logits() const { return traits & OfLogit; }
    bool has(Trait trait) const { return traits & trait; }
};

/// In the order in which they are listed.
std::span<const ViewEntry> all_views();
const ViewEntry& view_of(ViewId id);
std::vector<ViewId> views_with(ViewEntry::Trait trait);
/// Null if there is none of that word.
const ViewEntry* find_view(std::string_view word);
/// The view that stands in the middle of the window under that name; nothing if there is none.
std::optional<ViewId> middle_named(std::string_view word);

/// True if the scene has content for the view.
bool is_shown(const Scene& scene, ViewId view);
/// Throws Error, saying why, if it has none.
void check_is_shown(const Scene& scene, ViewId view);
/// The views that the scene has content for.
std::vector<ViewEntry> list_views(const Scene& scene);

}  // namespace headlight
