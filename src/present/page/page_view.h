// A page that is open: its study, evaluated, and the part of it that the page shows.
//
// Goals: the window shows the page in a workspace like any other, so that everything on it is
// alive; without a window the same workspace is evaluated at once. Not goals: text (page_text.h),
// layout (page_figure.h).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app_state/workspace.h"
#include "figure/theme.h"
#include "present/lecture.h"
#include "present/page/page_document.h"
#include "views/view_figure.h"

namespace headlight {

/// A control for one thing that can be changed on the page: a number, one of a few words, heads to
/// switch off, the text.
struct PageControl {
    std::string path;          // of the setting or the cell; of an attention, "" for all; "text"
    double low = 0, high = 1;  // of a number
    enum class Kind { Setting, Cell, Choice, Heads, Text } kind = Kind::Setting;
};

/// Curves that a page shows instead of a view.
struct PageCurves {
    std::vector<CurveLog> logs;
    std::vector<std::string> columns;  // none: all
};

/// The lecture, the studies and the file name for a page's messages.
struct PageSource {
    const Lecture& lecture;
    PageDocuments& documents;
    std::string name;  // of the file
};

/// The study of the page before, for expressions that read it.
struct PageBefore {
    explicit PageBefore(std::shared_ptr<const Document> written);

    std::shared_ptr<const Document> document;
    Workspace space;
};

/// One page, open.
struct OpenPage {
    std::size_t index = 0;
    Workspace* space = nullptr;  // null: the page shows no study
    std::optional<ViewId> view;  // absent: only its study is there, for the text
    std::string matrix = {};     // whose cells can be dragged in it; empty: none's
    std::optional<PageCurves> curves = {};
    std::vector<PageControl> controls;
    std::vector<std::string> notes;           // remarks on its directives
    std::vector<std::string> watched;         // globs of what it looks at besides the chosen matrix
    std::shared_ptr<PageBefore> before = {};  // null while nothing has read it
    bool is_live = false;  // a window evaluates its workspace, and must not wait for it
};

/// Opens a page into the workspace, which must outlive it, and evaluates its study as far as it is
/// looked at. Throws Error with the line. With `faults` each error of what the page looks at is
/// added there, and the page is open without it; those of its study are thrown.
OpenPage open_page(const PageSource& source, std::size_t page, Workspace& into,
                   Faults* faults = nullptr);

/// Returns the cell that a control moves: "embed[cat, 0]". Throws Error if there is none.
CellPlace control_cell(const Trace& trace, const std::string& text);

/// Returns the document that a workspace for pages begins with.
Document no_study();
/// Shows another study in the workspace, from its beginning.
void put_study(Workspace& space, const Document& document);

/// Makes the workspace compute what the page watches, beside what it is asked for.
void watch_page(const OpenPage& page, Workspace& space);
/// Adds globs that the page watches as well.
void watch_also(OpenPage& page, const std::vector<std::string>& globs);

/// Evaluates the workspace, and what it is compared with, without a frame.
void settle(Workspace& space);

/// Returns the duration of the change from the page before.
inline constexpr double kMostAnimationSecs = 60;
double page_animation_secs(const LecturePage& page);

/// Returns the theme that a page asks for, or the lecture; absent if neither does.
std::optional<ThemeName> page_theme(const Lecture& lecture, std::size_t page);

}  // namespace headlight
