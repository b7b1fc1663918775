#include "scene/export/export_arguments.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "core/page.h"
#include "io/files/file.h"
#include "io/text/json_text.h"
#include "model/vocabulary.h"
#include "paint/color_scale.h"
#include "scene/export/graph_words.h"
#include "scene/export/look_words.h"
#include "scene/figures/explanation_view.h"
#include "scene/figures/panels_view.h"
#include "scene/held.h"
#include "scene/options/shown_options.h"
#include "text/strings.h"

namespace headlight {
namespace {

/// "2.0" in a command is 2.
std::string option_number(float number) {
    std::string text = number_text(number);
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return text;
}

std::string word_for_view(MiddleView view) {
    const auto named = std::ranges::find(kNamedMiddles, view, &NamedMiddle::view);
    return named == std::end(kNamedMiddles) ? "" : std::string(named->name);
}

/// In quotes where a shell would read it otherwise.
std::string shell_word(const std::string& word) {
    constexpr std::string_view kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%";
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

/// What a file is called in the command.
std::string called(const std::filesystem::path& file, const ExportChoice& choice) {
    const bool is_name = choice.caption_paths == ExportChoice::CaptionPaths::Names;
    return path_text(is_name ? file.filename() : file);
}

/// Nothing where it is the usual one.
template <typename Choice, std::size_t n>
void add_choice_to(std::vector<std::string>& words, const char* option, Choice value,
                   const ChoiceWords<Choice, n>& known, const std::string& before = "") {
    if (value == known.front().second) return;
    words.insert(words.end(), {option, before + std::string(word_for(known, value))});
}

/// Gathers the words of one command.
class Arguments {
  public:
    Arguments(const Scene& scene, const ExportChoice& choice)
        : scene_(scene),
          selection_(scene.selection),
          tensor_(scene.trace.at(selection_.chosen)),
          choice_(choice) {}

    std::vector<std::string> take() {
        add_view();
        const bool has_marks = choice_.look.selected == FigureLook::Selected::Shown;
        if (has_marks || needs_held(choice_.view)) add_held();
        add_part();
        add_explanation();
        add_panels();
        add_words();
        add_readout();
        add_graph();
        const Comparison* comparison = scene_.comparison;
        if (shows_sides(choice_.view) && comparison && comparison->is_on())
            add_comparison(*comparison);
        add_colors();
        add_look();
        return std::move(words_);
    }

  private:
    void add(const std::string& option, const std::string& value) {
        words_.push_back(option);
        words_.push_back(value);
    }

    template <typename Choice, std::size_t n>
    void add_choice(const char* option, Choice value, const ChoiceWords<Choice, n>& known,
                    const std::string& before = "") {
        add_choice_to(words_, option, value, known, before);
    }

    bool is_window() const { return choice_.view == FigureOf::Window; }

    /// True if the trace is of one sentence, or text of a recording, where the study has more.
    bool is_one_of_several() const {
        const RecordedStudy* recorded = scene_.document.recorded();
        if (recorded && recorded->count_texts() > 1) return true;
        return has_several_sentences(scene_.document) && count_pages(scene_.trace) == 1;
    }

    /// A recording counts its texts itself.
    int sentence_number() const {
        const RecordedStudy* recorded = scene_.document.recorded();
        return recorded ? recorded->text_number : selection_.sentence;
    }

    std::filesystem::path other_file() const {
        return choice_.other.empty() ? other_study_file(choice_.file) : choice_.other;
    }

    void add_view() {
        for (const NamedFigure& named : named_views())
            if (named.view == choice_.view && choice_.view != FigureOf::Matrix)
                add("--what", named.word);
        const Component* own = component_with(scene_.trace, scene_.components, tensor_.path());
        if (is_window() && selection_.view != MiddleView::Component)
            add("--part", word_for_view(selection_.view));
        else if (!own || own->path != selection_.component)
            add("--part", selection_.component);
        add("--tensor", tensor_.path());
        if (is_one_of_several()) add("--sentence", std::to_string(sentence_number() + 1));
        const int own_head = tensor_.identity().head;
        const bool has_own_head = own_head == selection_.head;
        const bool is_first = selection_.head == 0 && own_head < 0;
        if (selection_.also_heads.empty() && (has_own_head || is_first)) return;
        std::string heads = std::to_string(selection_.head);
        for (const int head : selection_.also_heads) heads += fmt::format(",{}", head);
        add("--heads", heads);
    }

    void add_held() {
        const HeldPlace held = held_place(scene_, tensor_);
        if (held.path.empty()) {
            if (is_window()) add("--selection", "off");  // a new window holds something
            return;
        }
        // In a graph a row without its matrix is a node.
        if (held.path != tensor_.path() || scene_.trace.edges()) add("--held", held.path);
        for (const Index row : held.rows) add("--row", std::to_string(row));
        for (const Index column : held.columns) add("--column", std::to_string(column));
    }

    void add_part() {
        const MatrixLook& look = selection_.matrix;
        const bool is_part = choice_.view == FigureOf::Matrix && look.part_of == tensor_.path();
        const auto add_all = [&](const char* option, const std::vector<Index>& part) {
            if (is_part && !part.empty()) add(option, joined(part, ","));
        };
        add_all("--rows", look.rows);
        add_all("--columns", look.columns);
        if (choice_.view == FigureOf::Row && look.n_bars != MatrixLook{}.n_bars)
            add("--top", std::to_string(look.n_bars));
        const bool is_plane = choice_.view == FigureOf::Plane ||
                              (is_window() && selection_.view == MiddleView::Plane);
        if (is_plane && !look.against.empty()) add("--against", look.against);
    }

    void add_explanation() {
        if (choice_.view != FigureOf::Explanation && !is_window()) return;
        const ExplanationLook& look = selection_.explanation;
        if (!look.terms_of.empty() && (is_window() || has_named_step(scene_)))
            add("--terms-of", look.terms_of);
        add_choice("--terms", look.order, kTermOrderWords);
    }

    /// The figure names its matrices, the window those that were named in it.
    void add_panels() {
        const PanelsLook& look = selection_.panels;
        if (choice_.view != FigureOf::Panels && !is_window()) return;
        const std::vector<std::string> paths = is_window() ? look.matrices : panel_paths(scene_);
        for (const std::string& path : paths) add("--panel", path);
        add_panel_titles(look, paths);
        if (look.across > 0) add("--across", std::to_string(look.across));
    }

    /// In the order of the panels, up to the last one that has a title of its own.
    void add_panel_titles(const PanelsLook& look, const std::vector<std::string>& paths) {
        std::vector<std::string> titles;
        std::size_t n_named = 0;
        for (const std::string& path : paths) {
            const auto at = look.titles.find(path);
            titles.push_back(at == look.titles.end() ? "" : at->second);
            if (!titles.back().empty()) n_named = titles.size();
        }
        for (std::size_t k = 0; k < n_named; ++k) add("--panel-title", titles[k]);
    }

    void add_readout() {
        const ReadoutLook& look = selection_.readout;
        if (!shows_logits(choice_.view) && !is_window()) return;
        if (!look.word.empty()) add("--word", look.word);
        if (!look.minus.empty()) add("--minus", look.minus);
    }

    void add_words() {
        const WordView& words = selection_.words;
        add_choice("--rows-as", selection_.rows_as, kRowsAsWords);
        if (choice_.view != FigureOf::Words && !is_window()) return;
        add_choice("--words-in", words.layout, kWordLayoutWords);
        if (words.strongest_percent != WordView{}.strongest_percent)
            add("--strongest", number_text(words.strongest_percent));
        add_choice("--leave-out", words.leave_out, kLeaveOutWords);
        add_choice("--left-out", words.left_out_weight, kLeftOutWords);
    }

    void add_graph() {
        const bool is_shown = choice_.view == FigureOf::Graph || choice_.view == FigureOf::Step ||
                              choice_.view == FigureOf::Compared || is_window();
        if (!scene_.document.drawn_graph() || !is_shown) return;
        const GraphLook &look = selection_.graph, standard;
        if (edges_word(look) != edges_word(standard)) add("--edges", edges_word(look));
        if (nodes_word(look) != nodes_word(standard)) add("--nodes", nodes_word(look));
        if (!look.zoom.is_whole()) add("--graph-zoom", graph_zoom_word(look.zoom));
    }

    void add_comparison(const Comparison& comparison) {
        if (const auto* sentence = comparison.other<OtherSentence>())
            add("--with", std::to_string(sentence->sentence + 1));
        if (const auto* head = comparison.other<OtherHead>())
            add("--with", fmt::format("{}.heads.{}.pattern", head->attention, head->head));
        if (comparison.other<OtherStudy>()) {
            add("--with", called(other_file(), choice_));
            add("--names", fmt::format("{}|{}", comparison.name_a(), comparison.name_b()));
        }
        add_choice("--sides", comparison.show, kSideWords);
    }

    /// The colours of the chosen matrix, and of all others that the view shows.
    void add_colors() {
        const Comparison* comparison = scene_.comparison;
        const bool is_compared = comparison && comparison->is_on();
        // Where A − B stands alone, it is what an option without a word before it is of.
        const bool is_difference = is_compared && comparison->show == Comparison::Show::Difference;
        add_quantity_colors(tensor_.quantity(),
                            is_difference ? word_before(tensor_.quantity()) : "");
        const bool is_alone =
            choice_.view == FigureOf::Matrix || choice_.view == FigureOf::Compared;
        for (const auto& [word, quantity] : kQuantityWords)
            if (quantity != tensor_.quantity() && !is_alone)
                add_quantity_colors(quantity, word_before(quantity));
        const bool has_difference = is_compared && comparison->show != Comparison::Show::Both;
        if (has_difference || (is_compared && is_window()))
            add_settings(selection_.scales.of_difference(), std::string(kDifferenceWord) + ":",
                         Signs::Both);
        const PictureView view = selection_.views.of(tensor_);
        if (!view.is_whole())
            add("--zoom", fmt::format("{}:{}:{}", number_text(view.zoom), number_text(view.row),
                                      number_text(view.column)));
    }

    static std::string word_before(Quantity quantity) {
        return std::string(word_for(kQuantityWords, quantity)) + ":";
    }

    void add_quantity_colors(Quantity quantity, const std::string& before) {
        add_settings(selection_.scales.of(quantity), before,
                     is_signed(quantity) ? Signs::Both : Signs::One);
    }

    enum class Signs { One, Both };  // of the values: of both, colours lie evenly about 0
    void add_settings(const PictureSettings& settings, const std::string& before, Signs signs) {
        using Range = PictureSettings::Range;
        if (!settings.colors.empty()) add("--colors", before + settings.colors);
        add_choice("--steps", settings.scale, kColorStepWords, before);
        if (settings.range == Range::Fitted) add("--range", before + "fitted");
        if (settings.range == Range::Fixed)
            add("--range",
                fmt::format("{}{}:{}", before,
                            number_text(signs == Signs::Both ? -settings.high : settings.low),
                            number_text(settings.high)));
        add_choice("--far-out", settings.far_out, kFarOutWords, before);
        add_choice("--numbers", settings.numbers, kNumbersWords, before);
    }

    void add_look() {
        const FigureLook& look = choice_.look;
        for (std::string& word : look_arguments(look)) words_.push_back(std::move(word));
        add_choice("--selection", look.selected, kSelectedWords);
    }

    const Scene& scene_;
    const Selection& selection_;
    const Tensor& tensor_;
    const ExportChoice& choice_;
    std::vector<std::string> words_;
};

}  // namespace

std::filesystem::path other_study_file(const std::filesystem::path& figure) {
    return figure.string() + ".b.headlight";
}

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

std::vector<std::string> export_arguments(const Scene& scene, const ExportChoice& choice) {
    return Arguments(scene, choice).take();
}

namespace {

/// Options and their values in turns, without those that change nothing of such a view.
std::vector<std::string> without_idle(const std::vector<std::string>& words, FigureOf view) {
    static ShownOptions shown;
    static const std::vector<TextOption> options = shown_options(shown);
    std::vector<std::string> kept;
    for (std::size_t k = 0; k + 1 < words.size(); k += 2) {
        const auto known = std::ranges::find(options, words[k], &TextOption::names);
        if (known != options.end() && !why_idle(*known, view, words).empty()) continue;
        kept.insert(kept.end(), {words[k], words[k + 1]});
    }
    return kept;
}

}  // namespace

std::string export_command(const Scene& scene, const ExportChoice& choice) {
    const std::string study = called(choice.study, choice);
    const bool is_sweep = choice.view == FigureOf::Sweep;
    std::vector<std::string> words{is_sweep ? "sweep" : "export",
                                   study.empty() ? "study.headlight" : study};
    const std::vector<std::string> what =
        is_sweep ? sweep_arguments(*scene.sweep)
                 : without_idle(export_arguments(scene, choice), choice.view);
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
