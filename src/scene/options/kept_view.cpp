#include "scene/options/kept_view.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "core/error.h"
#include "core/page.h"
#include "scene/export/export_arguments.h"
#include "scene/figures/word_lines_view.h"
#include "scene/held.h"
#include "scene/options/apply_view.h"
#include "scene/workspace.h"
#include "text/strings.h"

namespace headlight {
namespace {

/// Words of a view that are no option of how it is shown.
constexpr std::array<std::string_view, 3> kViewItself = {"what", "tensor", "sentence"};

ViewState read_words(const ViewWords& words) {
    ViewState state;
    for (const ViewWord& word : words)
        if (std::ranges::find(kViewItself, word.name) == kViewItself.end())
            take_view_word(state, word);
    return state;
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

void compare(Workspace& space, const ViewState& state) {
    space.comparison.show = state.sides;
    const std::filesystem::path file(state.with);
    if (file.is_absolute()) return compare_with_named_file(space, file);
    space.comparison.start(named_other(
        space.session.document(), *space.whole, state, [](const std::string& name) -> Document {
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
    for (ViewWord& word : export_words(part, choice))
        if (word.name != "what") words.push_back(std::move(word));
    if (view == FigureOf::Plane && !scene.selection.looks.matrix.against.empty())
        words.push_back({"against", scene.selection.looks.matrix.against});
    return words;
}

void show_kept_view(Workspace& space, const ViewWords& words) {
    ViewState state = read_words(words);
    Selection& selection = space.selection;
    const std::string* what = find_word(words, "what");
    const FigureOf view = what ? figure_from(*what) : FigureOf::Matrix;
    if (view == FigureOf::Graph) state.rows_are = ViewState::RowsAre::Nodes;
    selection.scales = {};
    open_part(selection, *space.page, space.components, state);
    if (const std::string* path = find_word(words, "tensor")) show_matrix(space, *path);
    selection.release();
    apply_view(selection, {*space.page, space.page->at(selection.chosen)}, space.components, state,
               [](const std::string&) {});
    if (view == FigureOf::Compared && state.with.empty())
        throw Error("view", "no B is named for it");
    if (what) check_is_there(space, view);
    show_in_window(selection, view);
    if (!state.with.empty()) compare(space, state);
}

const std::string* find_word(const ViewWords& words, std::string_view name) {
    const auto found = std::ranges::find(words.rbegin(), words.rend(), name, &ViewWord::name);
    return found == words.rend() ? nullptr : &found->value;
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
