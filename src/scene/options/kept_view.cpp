#include "scene/options/kept_view.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "core/error.h"
#include "core/page.h"
#include "scene/export/export_arguments.h"
#include "scene/figures/word_lines_view.h"
#include "scene/held.h"
#include "scene/options/shown_options.h"
#include "scene/workspace.h"
#include "text/strings.h"

namespace headlight {
namespace {

/// Words of a view that are no option of how it is shown.
constexpr std::array<std::string_view, 3> kViewItself = {"what", "tensor", "sentence"};

ShownOptions read_words(const ViewWords& words) {
    ShownOptions shown;
    for (const ViewWord& word : words)
        if (std::ranges::find(kViewItself, word.name) == kViewItself.end())
            take_view_word(shown, word);
    return shown;
}

/// Of a study that has words, heads and so on for it.
void check_is_there(const Workspace& space, FigureOf view) {
    const Scene scene = make_scene(space, theme_named(ThemeName::Light));
    const bool is_there = std::ranges::any_of(
        list_views(scene), [&](const NamedFigure& named) { return named.view == view; });
    if (!is_there && view != FigureOf::Compared)
        throw Error("view", "the study has nothing for that view");
}

void compare_with_named_file(Workspace& space, const std::filesystem::path& file) {
    try {
        compare_with_file(space, file);
    } catch (const Error& error) {
        throw Error("view", "B cannot be opened: {}", error.what());
    }
}

void compare(Workspace& space, const ShownOptions& shown) {
    space.comparison.show = shown.sides;
    const std::filesystem::path file(*shown.with);
    if (file.is_absolute()) return compare_with_named_file(space, file);
    space.comparison.start(other_shown(
        space.session.document(), *space.whole, shown, [](const std::string& name) -> Document {
            throw Error("view", "there is no head or sentence {}", in_quotes(name));
        }));
}

}  // namespace

/// The words of the whole window, of which a figure reads those that it needs.
ViewWords kept_view(const Scene& scene) {
    const OtherStudy* study = scene.comparison ? scene.comparison->other<OtherStudy>() : nullptr;
    // One that was not read from a file has no name that lasts.
    const bool is_named = !study || !study->file.empty();
    const Comparison* comparison = is_named ? scene.comparison : nullptr;
    Selection of_part = scene.selection;
    of_part.view = MiddleView::Component;
    const Scene part{scene.document, scene.trace, scene.components, of_part,
                     scene.theme,    comparison,  scene.kept};
    const Scene whole{scene.document, scene.trace, scene.components, scene.selection,
                      scene.theme,    comparison,  scene.kept};
    const FigureOf view = shown_view(whole);
    const auto named = std::ranges::find(named_views(), view, &NamedFigure::view);
    ViewWords words;
    if (view != FigureOf::Matrix) words.push_back({"what", named->word});
    ExportChoice choice;
    choice.view = FigureOf::Window;
    choice.caption_paths = ExportChoice::CaptionPaths::AsTheyAre;
    if (study) choice.other = study->file;
    const std::vector<std::string> arguments = export_arguments(part, choice);
    for (std::size_t k = 0; k + 1 < arguments.size(); k += 2)
        if (const std::string name = arguments[k].substr(2); name != "what" && name != "selection")
            words.push_back({name, arguments[k + 1]});
    if (view == FigureOf::Plane && !scene.selection.matrix.against.empty())
        words.push_back({"against", scene.selection.matrix.against});
    return words;
}

void show_kept_view(Workspace& space, const ViewWords& words) {
    ShownOptions shown = read_words(words);
    Selection& selection = space.selection;
    const std::string* what = find_word(words, "what");
    const FigureOf view = what ? figure_from(*what) : FigureOf::Matrix;
    if (view == FigureOf::Graph) shown.rows_are = ShownOptions::RowsAre::Nodes;
    selection.scales = {};
    open_shown(selection, *space.page, space.components, shown);
    if (const std::string* path = find_word(words, "tensor")) show_matrix(space, *path);
    selection.release();
    choose_shown(selection, {*space.page, space.page->at(selection.chosen)}, space.components,
                 shown, [](const std::string&) {});
    if (view == FigureOf::Compared && !shown.with) throw Error("view", "no B is named for it");
    if (what) check_is_there(space, view);
    show_in_window(selection, view);
    if (shown.with) compare(space, shown);
}

const std::string* find_word(const ViewWords& words, std::string_view name) {
    const auto found = std::ranges::find(words.rbegin(), words.rend(), name, &ViewWord::name);
    return found == words.rend() ? nullptr : &found->value;
}

std::optional<std::string> take_shown_word(ShownOptions& shown, std::string_view name,
                                           const std::string& text) {
    for (const TextOption& option : shown_options(shown))
        if (option.names == "--" + std::string(name))
            return option.accept(text) ? "" : option.refusal;
    return std::nullopt;
}

void take_view_word(ShownOptions& shown, const ViewWord& word) {
    const auto wrong = take_shown_word(shown, word.name, word.value);
    if (!wrong) throw Error("view", "there is no option {}", in_quotes(word.name));
    if (!wrong->empty()) throw Error("view", "{}: {} {}", word.name, in_quotes(word.value), *wrong);
}

int sentence_from(const std::string& text, Index n_sentences) {
    const auto number = number_between(text, Index{1}, n_sentences);
    if (!number) throw Error("view", "the study has sentences 1 to {}", n_sentences);
    return static_cast<int>(*number - 1);
}

Error unknown_view(const std::string& where, const std::string& word) {
    std::vector<std::string_view> known;
    for (const NamedFigure& named : named_views()) known.push_back(named.word);
    return {where, "there is no view " + in_quotes(word) + suggestion(word, known)};
}

FigureOf figure_from(const std::string& word) {
    const auto at = std::ranges::find(named_views(), word, &NamedFigure::word);
    constexpr std::array kOfWindow{FigureOf::Window, FigureOf::Training, FigureOf::Sweep};
    if (at == named_views().end() || std::ranges::count(kOfWindow, at->view) > 0)
        throw unknown_view("view", word);
    return at->view;
}

void show_matrix(Workspace& space, const std::string& path) {
    show_tensor(space.selection, *space.page, space.components,
                (*space.page)[tensor_named(*space.page, path)].path());
}

MiddleView middle_for(FigureOf view) {
    return view == FigureOf::Heads    ? MiddleView::AllHeads
           : view == FigureOf::Words  ? MiddleView::Words
           : shows_logits(view)       ? MiddleView::Readout
           : view == FigureOf::Panels ? MiddleView::Panels
           : view == FigureOf::Plane  ? MiddleView::Plane
                                      : MiddleView::Component;
}

void show_in_window(Selection& selection, FigureOf view) {
    selection.view = middle_for(view);
    selection.explains = view == FigureOf::Explanation;
}

}  // namespace headlight
