#include "views/export/export_arguments.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include "core/batch.h"
#include "figure/color_scale.h"
#include "io/files/file.h"
#include "io/text/json_text.h"
#include "model/vocabulary.h"
#include "text/strings.h"
#include "views/explanation_view.h"
#include "views/export/look_names.h"
#include "views/heads_order.h"
#include "views/held.h"
#include "views/panels_view.h"
#include "views/view_state.h"

namespace headlight {
namespace {

/// Writes "2.0" as 2 in a command.
std::string option_number(float number) {
    std::string text = number_text(number);
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return text;
}

/// Puts a word in quotes where a shell would read it otherwise.
std::string shell_word(const std::string& word) {
    constexpr std::string_view kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%";
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

/// Returns the name that a file has in the command.
std::string called(const std::filesystem::path& file, const ExportChoice& choice) {
    return path_text(choice.has_paths_as_given ? file : file.filename());
}

/// Makes the state of what a scene shows.
class StateMaker {
  public:
    StateMaker(const Scene& scene, const ExportChoice& choice)
        : scene_(scene),
          selection_(scene.selection),
          tensor_(scene.trace.at(selection_.chosen)),
          choice_(choice) {}

    ViewState make() {
        state_.looks = selection_.looks;
        HeadsOrder& order = state_.looks.heads.order;
        if (!why_no_order(order, scene_.trace, scene_.components).empty()) order = {};
        state_.zoom = selection_.views.of(tensor_);
        if (!scene_.document.drawn_graph()) state_.looks.graph = {};
        if (!is_window() && !has_named_step(scene_)) state_.looks.explanation.terms_of.clear();
        open_part();
        const bool has_marks = choice_.look.selected == FigureLook::Selected::Shown;
        if (has_marks || view_of(choice_.view).needs_held()) hold();
        choose_matrices();
        compare();
        color();
        return std::move(state_);
    }

  private:
    bool is_window() const { return choice_.view == ViewId::Window; }

    /// Adds the part and the heads, where they are not those of the matrix.
    void open_part() {
        const Component* own = component_with(scene_.trace, scene_.components, tensor_.path());
        if (is_window() && selection_.view != ViewId::Matrix)
            state_.part = view_of(selection_.view).word;
        else if (!own || own->path != selection_.component)
            state_.part = selection_.component;
        const int own_head = tensor_.identity().head;
        const bool has_own_head = own_head == selection_.head;
        const bool is_first = selection_.head == 0 && own_head < 0;
        const bool has_more =
            view_of(choice_.view).has(ViewEntry::OfHeads) && !selection_.also_heads.empty();
        if (!has_more && (has_own_head || is_first)) return;
        state_.heads = {selection_.head};
        if (has_more)
            state_.heads.insert(state_.heads.end(), selection_.also_heads.begin(),
                                selection_.also_heads.end());
    }

    void hold() {
        const HeldPlace held = held_place(scene_, tensor_);
        if (held.path.empty()) return;
        // In a graph a held row is a node unless its matrix is named.
        if (held.path != tensor_.path() || scene_.trace.edges()) state_.held = held.path;
        for (const Index row : held.rows) state_.rows.push_back(std::to_string(row));
        const Tensor& matrix = scene_.trace.at(held.path);
        if (!held.rows.empty() && matrix.row_edges())
            state_.rows.front() = edge_text(matrix, held.rows.front());
        for (const Index column : held.columns) state_.columns.push_back(std::to_string(column));
    }

    /// Returns "9<-33", unless several edges have that name; then its number.
    std::string edge_text(const Tensor& edges, Index edge) const {
        const std::string name = names_on_axis(scene_.trace, edges.rows(), edge).back();
        const bool is_its_own = find_on_axis(scene_.trace, edges.rows(), name) == std::vector{edge};
        return is_its_own ? name : std::to_string(edge);
    }

    /// Adds the part of the matrix, the matrix in the same plane, and those of panels. A figure
    /// names its matrices; the window names those that were chosen in it.
    void choose_matrices() {
        const MatrixLook& look = selection_.looks.matrix;
        if (look.part_of == tensor_.path()) {
            if (!look.rows.empty()) state_.part_rows = {joined(look.rows, ",")};
            if (!look.columns.empty()) state_.part_columns = {joined(look.columns, ",")};
        }
        if (!is_window() || selection_.view == ViewId::Plane) state_.against = look.against;
        const PanelsLook& panels = selection_.looks.panels;
        if (is_window()) state_.panels = panels.matrices;
        if (choice_.view == ViewId::Panels) state_.panels = panel_paths(scene_);
        for (const std::string& path : state_.panels) {
            const auto at = panels.titles.find(path);
            state_.panel_titles.push_back(at == panels.titles.end() ? "" : at->second);
        }
        std::vector<std::string>& titles = state_.panel_titles;
        while (!titles.empty() && titles.back().empty()) titles.pop_back();
    }

    void compare() {
        const Comparison* comparison = scene_.comparison;
        if (!view_of(choice_.view).shows_sides() || !comparison || !comparison->is_on()) return;
        if (const auto* sentence = comparison->other<OtherSentence>())
            state_.with = std::to_string(sentence->sentence + 1);
        if (const auto* head = comparison->other<OtherHead>())
            state_.with = fmt::format("{}.heads.{}.pattern", head->attention, head->head);
        if (comparison->other<OtherStudy>()) {
            state_.with = called(
                choice_.other.empty() ? other_study_file(choice_.file) : choice_.other, choice_);
            state_.names = fmt::format("{}|{}", comparison->name_a, comparison->name_b);
        }
        state_.sides = comparison->show;
    }

    /// Adds the colours of the chosen matrix, and of all others that the view shows.
    void color() {
        const Comparison* comparison = scene_.comparison;
        const bool is_compared = comparison && comparison->is_on();
        // Where only A − B is shown, an option without a word before it is about A − B.
        const bool is_difference = is_compared && comparison->show == Comparison::Show::Difference;
        add_colors(tensor_.quantity(), is_difference ? Of::Quantity : Of::Shown);
        const bool is_alone = choice_.view == ViewId::Matrix || choice_.view == ViewId::Compared;
        for (const auto& [word, quantity] : kQuantityWords)
            if (quantity != tensor_.quantity() && !is_alone) add_colors(quantity, Of::Quantity);
        const bool has_difference = is_compared && comparison->show != Comparison::Show::Both;
        if (has_difference || (is_compared && is_window()))
            add(changes_from(selection_.scales.of_difference(), {.of = Of::Difference},
                             Signs::Both));
    }

    using Of = PictureChange::Of;
    void add_colors(Quantity quantity, Of of) {
        add(changes_from(selection_.scales.of(quantity), {.of = of, .quantity = quantity},
                         is_signed(quantity) ? Signs::Both : Signs::One));
    }

    void add(const std::vector<PictureChange>& changes) {
        state_.pictures.insert(state_.pictures.end(), changes.begin(), changes.end());
    }

    const Scene& scene_;
    const Selection& selection_;
    const Tensor& tensor_;
    const ExportChoice& choice_;
    ViewState state_;
};

/// Puts the words of a view into the order of a command: the options of its content stand after the
/// part.
ViewWords words_in_order(const Scene& scene, const ExportChoice& choice, const ViewWords& chosen) {
    ViewWords words;
    if (choice.view != ViewId::Matrix) words.push_back({"what", view_of(choice.view).word});
    const bool has_part = !chosen.empty() && chosen.front().name == "part";
    if (has_part) words.push_back(chosen.front());
    words.push_back({"tensor", scene.trace.at(scene.selection.chosen).path()});
    const RecordedStudy* recorded = scene.document.recorded();  // it counts its texts itself
    const bool is_one_of_several =
        (recorded && recorded->count_texts() > 1) ||
        (has_several_sentences(scene.document) && count_sentences(scene.trace) == 1);
    if (is_one_of_several) {
        const int number = recorded ? recorded->text_number : scene.selection.sentence;
        words.push_back({"sentence", std::to_string(number + 1)});
    }
    words.insert(words.end(), chosen.begin() + (has_part ? 1 : 0), chosen.end());
    return words;
}

}  // namespace

std::filesystem::path other_study_file(const std::filesystem::path& figure) {
    return figure.string() + ".b.headlight";
}

namespace {

/// Adds nothing where the choice is the usual one.
template <typename Choice, std::size_t n>
void add_choice_to(std::vector<std::string>& words, const char* option, Choice value,
                   const EnumNames<Choice, n>& known) {
    if (value == known.front().second) return;
    words.insert(words.end(), {option, std::string(word_for(known, value))});
}

/// Returns the arguments for the look, without marks.
std::vector<std::string> look_arguments(const FigureLook& look) {
    std::vector<std::string> words;
    const auto add = [&](const char* option, std::string value) {
        words.insert(words.end(), {option, std::move(value)});
    };
    if (look.room)
        add("--size", fmt::format("{}x{}", number_text(look.room->x), number_text(look.room->y)));
    if (look.width) add("--width", length_text(*look.width));
    if (look.type) add("--type", length_text(*look.type));
    if (look.dpi != FigureLook{}.dpi) add("--dpi", option_number(look.dpi));
    add_choice_to(words, "--theme", look.theme, kThemeWords);
    add_choice_to(words, "--background", look.background, kBackgroundWords);
    add_choice_to(words, "--title", look.heading, kHeadingWords);
    return words;
}

/// Writes the words that change something in the figure, and those that a page needs besides.
ViewWords words_of_figure(const Scene& scene, const ExportChoice& choice, const ViewState& state,
                          const std::vector<std::string>& also = {}) {
    ViewWords words = write_view(state);
    std::erase_if(words, [&](const ViewWord& word) {
        return !is_among(word.name, also) &&
               !why_idle(*find_view_option(word.name), choice.view, state, scene).empty();
    });
    return words_in_order(scene, choice, words);
}

}  // namespace

ViewWords export_words(const Scene& scene, const ExportChoice& choice) {
    // Texts read the held place, too, whatever the view shows of it.
    return words_of_figure(scene, choice, StateMaker(scene, choice).make(),
                           {"row", "column", "held"});
}

std::vector<std::string> export_arguments(const Scene& scene, const ExportChoice& choice) {
    const ViewState state = StateMaker(scene, choice).make();
    std::vector<std::string> arguments;
    for (const ViewWord& word : words_of_figure(scene, choice, state))
        arguments.insert(arguments.end(), {"--" + word.name, word.value});
    for (std::string& word : look_arguments(choice.look)) arguments.push_back(std::move(word));
    // A new window holds something.
    const bool holds_nothing =
        choice.view == ViewId::Window && state.rows.empty() && state.columns.empty();
    if (holds_nothing || choice.look.selected == FigureLook::Selected::Hidden)
        arguments.insert(arguments.end(), {"--selection", "off"});
    return arguments;
}

std::string export_command(const Scene& scene, const ExportChoice& choice) {
    const std::string study = called(choice.study, choice);
    const bool is_sweep = choice.view == ViewId::Sweep;
    std::vector<std::string> words{is_sweep ? "sweep" : "export",
                                   study.empty() ? "study.headlight" : study};
    words.insert(words.end(), choice.changes.begin(), choice.changes.end());
    const std::vector<std::string> what =
        is_sweep ? sweep_arguments(*scene.sweep) : export_arguments(scene, choice);
    words.insert(words.end(), what.begin(), what.end());
    if (is_sweep)
        for (std::string& word : look_arguments(choice.look)) words.push_back(std::move(word));
    if (choice.film.is_on())
        words.insert(words.end(), {"--motion", choice.film.motion, "--frames",
                                   std::to_string(choice.film.n_frames), "--frame-secs",
                                   option_number(choice.film.secs())});
    words.insert(words.end(), {"-o", called(choice.file, choice)});
    std::string text = "headlight";
    for (const std::string& word : words) text += " " + shell_word(word);
    return text;
}

}  // namespace headlight
