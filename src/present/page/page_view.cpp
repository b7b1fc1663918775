#include "present/page/page_view.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/batch.h"
#include "core/error.h"
#include "expression/item_names.h"
#include "model/changes.h"
#include "model/settings/setting_text.h"
#include "present/file/page_directives.h"
#include "present/page/page_control.h"
#include "present/page_from_view.h"
#include "text/strings.h"
#include "views/export/export_work.h"
#include "views/export/look_names.h"
#include "views/image_view.h"
#include "views/panels_view.h"
#include "views/saved_view.h"

namespace headlight {
namespace {

constexpr std::string_view kNothing = "none";

/// Reads the options of the view from the directives.
ViewState read_view(const Directives& directives, const std::string& source_name, Faults* faults) {
    ViewState state;
    for (const Directive& directive : directives)
        attempt(faults, [&] {
            const auto wrong = read_view_word(state, directive.key, directive.value);
            if (wrong && !wrong->empty())
                throw Error({source_name, directive.line}, "{}: {} {}", directive.key,
                            in_quotes(directive.value), *wrong);
        });
    return state;
}

/// Returns the directive that the error names, as "--row"; of several of that key the one whose
/// value the message quotes. Null if it names none.
const Directive* named_in(const Error& error, const Directives& directives) {
    const Directive* named = nullptr;
    const std::string message = said(error);
    for (const Directive& directive : directives) {
        if (error.place().name != "--" + directive.key) continue;
        if (message.find(in_quotes(directive.value)) != std::string::npos) return &directive;
        if (!named) named = &directive;
    }
    return named;
}

/// Opens in a workspace what a page looks at.
class Opening {
  public:
    Opening(const PageSource& source, OpenPage& page, Faults* faults)
        : faults_(faults),
          source_(source),
          page_(page),
          space_(*page.space),
          directives_(source.lecture.pages[page.index].directives) {}

    /// Opens the page; an error names the line of the directive that it is about.
    void open() {
        attempt(faults_, [&] {
            try {
                open_all();
            } catch (const Error& error) {
                if (error.place().name == source_.name) throw;
                throw Error({source_.name, line_of(error)}, said(error));
            }
        });
    }

  private:
    void open_all() {
        ViewState state = read_view(directives_, source_.name, faults_);
        settle(space_);
        if (!space_.trace)
            throw Error({source_.name, line_of_change()}, said(space_.session.error().value()));
        space_.session.set_bounds(bounds_of_changes(space_.batch->plan()));
        at_line("sentence", [&](const std::string& text) {
            space_.selection.sentence = sentence_from(text, count_sentences(*space_.batch));
            settle(space_);
        });
        if (shows_nodes()) state.rows_are_nodes = true;
        open_part(space_.selection, *space_.trace, space_.components, state);
        choose_view(state);
        for (const Directive& directive : directives_)
            if (directive.key == "control") at(directive, [&] { add_control(directive.value); });
    }

    void add_control(const std::string& text) {
        PageControl control = read_control(text, space_.session.document(), *space_.trace);
        for (const PageControl& other : page_.controls)
            if (move_the_same(control, other, *space_.trace))
                throw Error("lecture", "{} has a control already", in_quotes(control.path));
        note_far_ends(control);
        if (control.kind == PageControl::Kind::Cell)
            watch_also(page_, {control_cell(*space_.trace, control.path).path});
        page_.controls.push_back(std::move(control));
    }

    /// Notes that a slider leads to where nothing can be computed, before it is dragged there.
    void note_far_ends(const PageControl& control) {
        if (control.kind != PageControl::Kind::Setting) return;
        for (const double end : {control.low, control.high}) try {
                Document there = space_.session.document();
                set_number_setting(there, control.path, end);
                check_bounds(*plan(there), bounds_of_changes(space_.batch->plan()));
            } catch (const Error& error) {
                page_.notes.push_back(
                    fmt::format("where the slider of {} is {:g}, the study cannot be computed: {}",
                                control.path, end, said(error)));
            }
    }

    /// Returns the line of the last change that the page makes to the study.
    int line_of_change() const {
        int line = page_line();
        for (const Directive& directive : directives_)
            if (directive.key == "study" || changes_study(directive.key)) line = directive.line;
        return line;
    }
    int page_line() const { return source_.lecture.pages[page_.index].line; }
    /// Returns the line of the option that the error names, or else of the page.
    int line_of(const Error& error) const {
        const Directive* named = named_in(error, directives_);
        return named ? named->line : page_line();
    }

    /// Calls `act`; an error names the directive's line. Returns false after an error.
    bool at(const Directive& directive, const auto& act) const {
        return attempt(faults_, [&] {
            try {
                act();
            } catch (const Error& error) {
                if (error.place().name == source_.name) throw;
                throw Error({source_.name, directive.line}, said(error));
            }
        });
    }
    /// Calls `act` for the last directive of that key, if there is one.
    bool at_line(std::string_view key, const auto& act) const {
        const Directive* last = nullptr;
        for (const Directive& directive : directives_)
            if (directive.key == key) last = &directive;
        return !last || at(*last, [&] { act(last->value); });
    }

    void choose_view(const ViewState& state) {
        std::optional<ViewId> named;  // absent: none is, or nothing is to be shown
        at_line("what", [&](const std::string& word) {
            if (word != kNothing) named = figure_from(word);
        });
        // Options that depend on the matrix are not judged without it.
        if (!at_line("tensor", [&](const std::string& path) { show_matrix(space_, path); }))
            return void(at_line("with", [&](const std::string& name) { compare(name, state); }));
        const bool holds = find_value(directives_, "row") || find_value(directives_, "column");
        if (!holds) space_.selection.release();
        const bool is_named = find_value(directives_, "what") != nullptr;
        page_.view = is_named ? named : std::optional(usual_view());
        const ViewState taken = choose_all(state);
        at_line("with", [&](const std::string& name) {
            compare(name, state);
            settle(space_);
            if (!space_.comparison.now().trace)
                throw Error("lecture", space_.comparison.now().chosen.problem);
            space_.comparison.bound_changes();
        });
        const Scene scene = make_scene(space_, theme_named(ThemeName::Light));
        if (page_.view) {
            space_.selection.view = middle_for(*page_.view);
            ExportChoice looked_at;
            looked_at.view = *page_.view;
            watch_also(page_, watched_for(scene, looked_at));
            note_idle(*page_.view, taken, scene);
        }
        settle(space_);
        if (page_.view == ViewId::Matrix || page_.view == ViewId::Compared)
            page_.matrix = space_.selection.chosen;
        if (page_.view == ViewId::Panels)
            at_line("what", [&](const std::string&) { check_panels(); });
    }

    /// Notes the options that change nothing in the view. A held row or column is read by the text,
    /// too.
    void note_idle(ViewId view, const ViewState& state, const Scene& scene) const {
        for (const ViewNote& note : notes_on_options(view, state, scene)) {
            const std::string& key = note.word;
            if (key == "row" || key == "column" || !find_value(directives_, key)) continue;
            page_.notes.push_back(fmt::format("{}: {}", key, without_dashes(note.text)));
        }
    }

    void check_panels() const {
        const Scene scene = make_scene(space_, theme_named(ThemeName::Light));
        const ShownPanels panels = list_panels(scene, FigureLook::Heading::Shown);
        if (!panels.problem.empty()) throw Error("lecture", panels.problem);
    }

    /// Returns the view of a page that names none.
    ViewId usual_view() const {
        if (find_value(directives_, "with")) return ViewId::Compared;
        if (find_value(directives_, "tensor")) return ViewId::Matrix;
        if (space_.session.document().drawn_graph()) return ViewId::Graph;
        return has_image(*space_.trace) ? ViewId::Image : ViewId::Matrix;
    }

    /// On the picture of a graph a row is a node.
    bool shows_nodes() const {
        const std::string* what = find_value(directives_, "what");
        const bool is_picture =
            what ? *what == "graph"
                 : !find_value(directives_, "tensor") && !find_value(directives_, "with");
        return is_picture && space_.session.document().drawn_graph();
    }

    /// A directive that is refused is a fault, and the rest is chosen without it. Returns the rest.
    ViewState choose_all(const ViewState& state) {
        Directives left = directives_;
        ViewState rest = state;
        const auto obeyed = [&](const ViewState& whole) {
            return page_.view ? without_refusals(whole, *page_.view) : whole;
        };
        while (const Directive* refused = choose(obeyed(rest), left)) {
            left.erase(left.begin() + (refused - left.data()));
            rest = read_view(left, source_.name, &ignored_);
            rest.rows_are_nodes = state.rows_are_nodes;
        }
        return rest;
    }

    /// Returns the directive that is refused, if its error is not thrown; null if none is.
    const Directive* choose(const ViewState& state, const Directives& given) {
        const Trace& trace = *space_.trace;
        const Directive* refused = nullptr;
        attempt(faults_, [&] {
            try {
                apply_view(
                    space_.selection, {trace, trace.at(space_.selection.chosen)}, space_.components,
                    state, [&](const std::string& note) {
                        // An option is a key here, without the dashes of a command.
                        page_.notes.push_back(note.starts_with("--") ? note.substr(2) : note);
                    });
            } catch (const Error& error) {
                refused = named_in(error, given);
                throw Error({source_.name, refused ? refused->line : page_line()}, said(error));
            }
        });
        return refused;
    }

    /// Compares with "text …", the same study of another text; with "before", the page before; with
    /// "network NAME", the same text read by another study's network; otherwise with a study's
    /// name, a head's matrix or a sentence's number.
    void compare(const std::string& name, const ViewState& state) {
        const Document& document = space_.session.document();
        space_.comparison.show(state.sides);
        std::function<void(Document&)> change;  // a control of A moves B, too
        const auto open = [&](const std::string& called) {
            const std::size_t blank = std::min(called.find(' '), called.size());
            const std::string first = called.substr(0, blank);
            if (first == "before") return document_before();
            if (first == "network")
                return with_network_of(
                    document, source_.documents.open(std::string(trimmed(called.substr(blank)))));
            if (!changes_study(first)) return source_.documents.open(called);
            change = [made = Directive{first, std::string(trimmed(called.substr(blank)))}](
                         Document& a) { change_study(a, made); };
            Document other = document;
            change(other);
            return other;
        };
        Other other = named_other(document, *space_.batch, state, open);
        if (auto* study = std::get_if<OtherStudy>(&other)) study->change = change;
        if (auto* study = std::get_if<OtherStudy>(&other); study && state.names.empty()) {
            study->name = name == "before" ? "before" : "B";
            study->name_a = name == "before" ? "now" : "A";
            study->is_named_by_words = true;
        }
        space_.comparison.start(std::move(other));
    }

    Document document_before() const {
        const auto before = page_.index > 0 ? source_.documents.at(page_.index - 1) : nullptr;
        if (!before) throw Error("lecture", "the page before shows no study");
        return *before;
    }

    Faults* faults_;
    Faults ignored_;  // they were said before
    const PageSource& source_;
    OpenPage& page_;
    Workspace& space_;
    const Directives& directives_;
};

}  // namespace

void settle(Workspace& space) {
    constexpr int kMostRounds = 16;
    for (int round = 0; round < kMostRounds; ++round) {
        const TracePtr before = space.trace;
        prepare(space);
        const bool is_busy = space.session.is_busy() || space.comparison.is_busy();
        if (round > 1 && !is_busy && space.trace == before) return;
        space.session.wait();
        space.comparison.wait();
    }
}

Document no_study() {
    Document document;
    document.study = SentenceStudy{};
    return document;
}

PageBefore::PageBefore(std::shared_ptr<const Document> written)
    : document(std::move(written)), space(no_study(), {}) {
    put_study(space, *document);
}

void put_study(Workspace& space, const Document& document) {
    space.session.set_bounds({});
    space.session.replace(History(document));
    space.selection = {};
    space.comparison.stop();
    space.comparison.show(Comparison::Show::All);
    space.watched = {};
    space.exported.clear();
    space.batch = space.trace = nullptr;
    space.components.clear();
    space.file.clear();
    space.opened = space.saved = space.session.history().shared_state();
    space.before.clear();
    space.after.clear();
    space.is_new = false;  // the page says what is held
}

/// The globs stand in the same order every time: another list would be computed anew.
void watch_page(const OpenPage& page, Workspace& space) {
    for (const std::string& glob : page.watched)
        if (!is_among(glob, space.exported)) space.exported.push_back(glob);
}

void watch_also(OpenPage& page, const std::vector<std::string>& globs) {
    for (const std::string& glob : globs)
        if (!is_among(glob, page.watched)) page.watched.push_back(glob);
    if (page.space) watch_page(page, *page.space);
}

namespace {

/// Tables of two moments keep their whole names beside each other.
void name_curves(std::vector<CurveLog>& logs) {
    std::map<std::string, int> count;
    for (const CurveLog& log : logs) ++count[curve_legend(log.name)];
    for (CurveLog& log : logs)
        if (const std::string legend = curve_legend(log.name); count[legend] == 1)
            log.name = legend;
}

std::optional<PageCurves> read_page_curves(const PageSource& source, std::size_t index) {
    PageCurves curves;
    const Directive* last = nullptr;
    for (const Directive& directive : source.lecture.pages[index].directives) {
        if (directive.key != "curve" && directive.key != "series") continue;
        last = &directive;
        if (directive.key == "series") curves.columns.push_back(directive.value);
        if (directive.key != "curve") continue;
        try {
            curves.logs.push_back(source.documents.open_curve(directive.value));
        } catch (const Error& error) {
            if (error.place().name == source.name) throw;
            throw Error({source.name, directive.line}, said(error));
        }
    }
    if (!last) return std::nullopt;
    const ErrorPlace where{source.name, last->line};
    if (curves.logs.empty()) throw Error(where, "a series belongs to a curve: curve: FILE.csv");
    name_curves(curves.logs);
    // Throws Error if there is no such series.
    static_cast<void>(
        log_curves(curves.logs, curves.columns, theme_named(ThemeName::Light), where));
    return curves;
}

}  // namespace

OpenPage open_page(const PageSource& source, std::size_t index, Workspace& into, Faults* faults) {
    check_directives(source, index, faults);
    OpenPage page{.index = index,
                  .space = nullptr,
                  .view = {},
                  .matrix = {},
                  .curves = {},
                  .controls = {},
                  .notes = {},
                  .watched = {}};
    const std::shared_ptr<const Document> document = source.documents.at(index);
    attempt(faults, [&] { page.curves = read_page_curves(source, index); });
    if (!document) return page;
    page.space = &into;
    put_study(into, *document);
    Opening(source, page, faults).open();
    // A page that asks for no view has only text.
    if (page.curves || source.lecture.pages[index].directives.empty()) {
        page.view.reset();
        page.matrix.clear();
    }
    return page;
}

double page_animation_secs(const LecturePage& page) {
    constexpr double kUsual = 0.6;
    const std::string* text = find_value(page.directives, "animate");
    return text ? number_between(*text, 0.0, kMostAnimationSecs).value_or(kUsual) : kUsual;
}

std::optional<ThemeName> page_theme(const Lecture& lecture, std::size_t page) {
    const std::string* theme = find_value(lecture.pages[page].directives, "theme");
    if (!theme) theme = find_value(lecture.directives, "theme");
    if (!theme) return std::nullopt;
    return choice_named(*theme, kThemeWords);
}

}  // namespace headlight
