#include "lecture/page_view.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/error.h"
#include "core/page.h"
#include "io/text/printable.h"
#include "lecture/trimmed.h"
#include "model/settings/number_settings.h"
#include "scene/export/export_work.h"
#include "scene/export/look_words.h"
#include "scene/options/choose_shown.h"
#include "scene/options/kept_view.h"
#include "scene/options/text_option.h"

namespace headlight {
namespace {

constexpr std::string_view kNothing = "none";

/// The options of the view that the directives give.
ShownOptions read_shown(const Directives& directives, const std::string& source_name) {
    ShownOptions shown;
    for (const Directive& directive : directives) {
        const auto wrong = take_shown_word(shown, directive.key, directive.value);
        if (wrong && !wrong->empty())
            throw Error(place_in(source_name, directive.line),
                        directive.key + ": " + in_quotes(directive.value) + " " + *wrong);
    }
    return shown;
}

FigureOf usual_view(const Scene& scene, const Directives& directives) {
    if (find_value(directives, "with")) return FigureOf::Compared;
    if (find_value(directives, "tensor")) return FigureOf::Matrix;
    if (scene.document.graph()) return FigureOf::Graph;
    return scene.document.image() ? FigureOf::Image : FigureOf::Matrix;
}

std::optional<double> number_from(std::string_view text) {
    double number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, failure] = std::from_chars(text.data(), end, number);
    if (failure != std::errc() || rest != end) return std::nullopt;
    return number;
}

/// "layer.attention.temperature = 0.2:4", "embed[cat, 0] = -1:1" or "text".
PageControl read_control(const std::string& text, const Document& document) {
    if (text == "text") return {.path = text, .kind = PageControl::Kind::Text};
    const std::size_t equals = text.find('='), colon = text.find(':', equals);
    PageControl control{.path = std::string(trimmed(text.substr(0, equals)))};
    if (equals != std::string::npos && colon != std::string::npos) {
        const auto low = number_from(trimmed(text.substr(equals + 1, colon - equals - 1)));
        const auto high = number_from(trimmed(text.substr(colon + 1)));
        if (low && high && *low < *high) {
            control.low = *low;
            control.high = *high;
            control.kind =
                control.path.ends_with(']') ? PageControl::Kind::Cell : PageControl::Kind::Setting;
            if (control.kind == PageControl::Kind::Setting &&
                !find_number_setting(document, control.path))
                throw Error("lecture", "there is no number setting " + in_quotes(control.path) +
                                           " that has an effect here");
            return control;
        }
    }
    throw Error("lecture", "a control is NAME = LOW:HIGH, or text, not " + in_quotes(text));
}

/// What a page looks at, in its workspace.
class Opening {
  public:
    Opening(const PageSource& source, OpenPage& page)
        : source_(source),
          page_(page),
          space_(*page.space),
          directives_(source.lecture.pages[page.index].directives) {}

    void open() {
        const ShownOptions shown = read_shown(directives_, source_.name);
        settle(space_);
        if (!space_.page)
            throw Error(place_in(source_.name, source_.lecture.pages[page_.index].line),
                        space_.session.problem());
        at_line("sentence", [&](const std::string& text) { choose_sentence(text); });
        open_shown(space_.selection, *space_.page, space_.components, shown);
        choose_view(shown);
        for (const Directive& directive : directives_)
            if (directive.key == "control")
                at(directive, [&] {
                    page_.controls.push_back(
                        read_control(directive.value, space_.session.document()));
                });
    }

  private:
    /// An error of `act` names the directive's line.
    void at(const Directive& directive, const auto& act) const {
        try {
            act();
        } catch (const Error& error) {
            const std::string text = error.what();
            const std::size_t end = text.find("] ");
            throw Error(place_in(source_.name, directive.line),
                        end == std::string::npos ? text : text.substr(end + 2));
        }
    }
    /// For the last directive of that key, if there is one.
    void at_line(std::string_view key, const auto& act) const {
        const Directive* last = nullptr;
        for (const Directive& directive : directives_)
            if (directive.key == key) last = &directive;
        if (last) at(*last, [&] { act(last->value); });
    }

    void choose_sentence(const std::string& text) {
        space_.selection.sentence = sentence_from(text, count_pages(*space_.whole));
        settle(space_);
    }

    void choose_view(const ShownOptions& shown) {
        at_line("tensor", [&](const std::string& path) { show_matrix(space_, path); });
        const bool holds = find_value(directives_, "row") || find_value(directives_, "column");
        if (!holds) space_.selection.release();
        choose(shown);
        const Scene scene = make_scene(space_, theme_named(ThemeName::Light));
        page_.view = usual_view(scene, directives_);
        at_line("what", [&](const std::string& word) {
            page_.view = word == kNothing ? std::nullopt : std::optional(figure_from(word));
        });
        if (page_.view) {
            space_.selection.view = middle_for(*page_.view);
            ExportChoice looked_at;
            looked_at.view = *page_.view;
            watch_also(page_, watched_for(scene, looked_at));
        }
        settle(space_);
    }

    void choose(const ShownOptions& shown) {
        const Directive* first = nullptr;  // of those that may be refused
        for (const Directive& directive : directives_)
            if (!first && (directive.key == "row" || directive.key == "column" ||
                           directive.key == "heads" || directive.key == "held"))
                first = &directive;
        const auto choose_now = [&] {
            const Trace& trace = *space_.page;
            choose_shown(space_.selection, {trace, trace.at(space_.selection.chosen)},
                         space_.components, shown,
                         [&](const std::string& note) { page_.notes.push_back(note); });
        };
        if (first)
            at(*first, choose_now);
        else
            choose_now();
        at_line("with", [&](const std::string& name) { compare(name, shown); });
    }

    /// "text …": the same study of another text; "before": the page before; else a study's name, a
    /// head's matrix or a sentence's number.
    void compare(const std::string& name, const ShownOptions& shown) {
        const Document& document = space_.session.document();
        space_.comparison.show = shown.sides;
        const auto open = [&](const std::string& called) {
            const std::size_t blank = std::min(called.find(' '), called.size());
            const std::string first = called.substr(0, blank);
            if (first == "before") return document_before();
            if (!changes_study(first)) return source_.documents.open(called);
            Document other = document;
            change_study(other, {first, std::string(trimmed(called.substr(blank)))});
            return other;
        };
        Other other = other_shown(document, *space_.whole, shown, open);
        if (auto* study = std::get_if<OtherStudy>(&other); study && !shown.names) {
            study->name = name == "before" ? "before" : "B";
            study->name_a = name == "before" ? "now" : "A";
        }
        space_.comparison.start(std::move(other));
    }

    Document document_before() const {
        const auto before = page_.index > 0 ? source_.documents.at(page_.index - 1) : nullptr;
        if (!before) throw Error("lecture", "the page before shows no study");
        return *before;
    }

    const PageSource& source_;
    OpenPage& page_;
    Workspace& space_;
    const Directives& directives_;
};

}  // namespace

void settle(Workspace& space) {
    constexpr int kMostRounds = 16;
    for (int round = 0; round < kMostRounds; ++round) {
        const std::shared_ptr<const Trace> before = space.page;
        prepare(space);
        const bool is_busy = space.session.is_busy() || space.comparison.is_busy();
        if (round > 1 && !is_busy && space.page == before) return;
        space.session.wait();
        space.comparison.wait();
    }
}

Document no_study() {
    Document document;
    document.study = SentenceStudy{};
    return document;
}

void put_study(Workspace& space, const Document& document) {
    space.session.replace(History(document));
    space.selection = {};
    space.comparison.stop();
    space.comparison.show = Comparison::Show::All;
    space.watched = {};
    space.exported.clear();
    space.whole = space.page = nullptr;
    space.components.clear();
    space.file.clear();
    space.opened = space.saved = space.session.history().shared_document();
    space.before.clear();
    space.after.clear();
    space.is_new = false;  // what is held is said by the page
}

void watch_also(OpenPage& page, const std::vector<std::string>& globs) {
    for (const std::string& glob : globs)
        if (std::ranges::find(page.watched, glob) == page.watched.end())
            page.watched.push_back(glob);
    if (page.space) page.space->exported = page.watched;
}

OpenPage open_page(const PageSource& source, std::size_t index, Workspace& into) {
    OpenPage page{
        .index = index, .space = nullptr, .view = {}, .controls = {}, .notes = {}, .watched = {}};
    const std::shared_ptr<const Document> document = source.documents.at(index);
    if (!document) return page;
    page.space = &into;
    put_study(into, *document);
    Opening(source, page).open();
    return page;
}

double page_animation_secs(const LecturePage& page) {
    constexpr double kUsual = 0.6, kMost = 60;
    const std::string* text = find_value(page.directives, "animate");
    const auto secs = text ? number_from(*text) : std::nullopt;
    return secs ? std::clamp(*secs, 0.0, kMost) : kUsual;
}

std::optional<ThemeName> page_theme(const Lecture& lecture, std::size_t page) {
    const std::string* theme = find_value(lecture.pages[page].directives, "theme");
    if (!theme) theme = find_value(lecture.directives, "theme");
    if (!theme) return std::nullopt;
    return choice_named(*theme, kThemeWords);
}

}  // namespace headlight
