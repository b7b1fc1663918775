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

/// These words of a view are no options of how it is shown.
constexpr std::array<std::string_view, 3> kViewItself = {"what", "tensor", "sentence"};

ViewState read_words(const ViewWords& words) {
    ViewState state;
    for (const ViewWord& word : words)
        if (std::ranges::find(kViewItself, word.name) == kViewItself.end())
            take_view_word(state, word);
    return state;
}

/// Checks that the study has words, heads and so on for the view.
void check_is_there(const Workspace& space, ViewId view) {
    const Scene scene = make_scene(space, theme_named(ThemeName::Light));
    const bool is_there = std::ranges::any_of(
        list_views(scene), [&](const ViewEntry& named) { return named.id == view; });
    if (!is_there && view != ViewId::Compared)
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

/// Returns the words of the whole window, of which a figure reads those that it needs.
ViewWords kept_view(const Scene& scene) {
    const OtherStudy* study = scene.comparison ? scene.comparison->other<OtherStudy>() : nullptr;
    // A study that was not read from a file has no name that lasts.
    const bool is_named = !study || !study->file.empty();
    const Comparison* comparison = is_named ? scene.comparison : nullptr;
    Selection of_part = scene.selection;
    of_part.view = ViewId::Matrix;
    const Scene part{scene.document, scene.trace, scene.components, of_part,
                     scene.theme,    comparison,  scene.kept};
    const Scene whole{scene.document, scene.trace, scene.components, scene.selection,
                      scene.theme,    comparison,  scene.kept};
    const ViewId view = shown_view(whole);
    const ViewEntry& named = view_of(view);
    ViewWords words;
    if (view != ViewId::Matrix) words.push_back({"what", named.word});
    ExportChoice choice;
    choice.view = ViewId::Window;
    choice.caption_paths = ExportChoice::CaptionPaths::AsTheyAre;
    if (study) choice.other = study->file;
    for (ViewWord& word : export_words(part, choice))
        if (word.name != "what") words.push_back(std::move(word));
    if (view == ViewId::Plane && !scene.selection.looks.matrix.against.empty())
        words.push_back({"against", scene.selection.looks.matrix.against});
    return words;
}

void show_kept_view(Workspace& space, const ViewWords& words) {
    ViewState state = read_words(words);
    Selection& selection = space.selection;
    const std::string* what = find_word(words, "what");
    const ViewId view = what ? figure_from(*what) : ViewId::Matrix;
    if (view == ViewId::Graph) state.rows_are = ViewState::RowsAre::Nodes;
    selection.scales = {};
    open_part(selection, *space.page, space.components, state);
    if (const std::string* path = find_word(words, "tensor")) show_matrix(space, *path);
    selection.release();
    apply_view(selection, {*space.page, space.page->at(selection.chosen)}, space.components, state,
               [](const std::string&) {});
    if (view == ViewId::Compared && state.with.empty()) throw Error("view", "no B is named for it");
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
    for (const ViewEntry& named : all_views()) known.push_back(named.word);
    return {where, "there is no view " + in_quotes(word) + suggestion(word, known)};
}

ViewId figure_from(const std::string& word) {
    const ViewEntry* view = find_view(word);
    constexpr std::array kOfWindow{ViewId::Window, ViewId::Training, ViewId::Sweep};
    if (!view || std::ranges::count(kOfWindow, view->id) > 0) throw unknown_view("view", word);
    return view->id;
}

void show_matrix(Workspace& space, const std::string& path) {
    show_tensor(space.selection, *space.page, space.components,
                (*space.page)[tensor_named(*space.page, path)].path());
}

ViewId middle_for(ViewId id) {
    const ViewEntry& view = view_of(id);
    return view.stands_in_middle() ? id : view.shows_logits() ? ViewId::Readout : ViewId::Matrix;
}

void show_in_window(Selection& selection, ViewId view) {
    selection.view = middle_for(view);
    selection.explains = view == ViewId::Explanation;
}

}  // namespace headlight
