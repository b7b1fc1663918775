#include "ui/panels/origin_view.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <imgui.h>
#include <utility>

#include "core/analyses/pattern_faults.h"
#include "core/matrix.h"
#include "core/numeric/short_number.h"
#include "figure/number_format.h"
#include "io/files/file.h"
#include "io/open_document.h"
#include "io/studies/ready_studies.h"
#include "model/changes.h"
#include "model/pretrained.h"
#include "model/weight_origin.h"
#include "text/shown_tokens.h"
#include "text/strings.h"
#include "text/word_pieces.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

/// Returns the words before the size of a recorded attention.
std::string kind_words(const RecordedStudy& study, RecordedKind kind) {
    if (kind == RecordedKind::Cross) return "Cross-attention: ";
    if (study.text.source.empty()) return study.joined ? "" : "Recorded: ";
    return kind == RecordedKind::Source ? "Encoder: " : "Decoder: ";
}

/// Returns "34 nodes · 190 edges", "14 × 14 patches and 1 other token", "7 tokens".
std::string sizes(const RecordedText& text, const std::string& noun) {
    if (text.graph)
        return fmt::format("{} · {}", counted(text.graph->nodes.size(), "node"),
                           counted(text.graph->edges.size(), "edge"));
    if (const auto& patches = text.patches)
        return fmt::format(
            "{} patches{}", shape_text(patches->rows, patches->columns),
            patches->before == 0 ? "" : " and " + counted(patches->before, "other token"));
    const std::string tokens = counted(text.tokens.size(), noun);
    if (text.source.empty()) return tokens;
    return fmt::format("{} that read {}", tokens,
                       counted(text.source.size(), fmt::format("source {}", noun)));
}

/// Returns the first tokens of a text, to know it by, or the name of its picture.
std::string beginning(const RecordedText& text) {
    if (text.graph) return "";
    if (text.patches) return printable(text.patches->picture);
    constexpr std::size_t kMostTokens = 12;
    std::vector<std::string> shown = shown_tokens(text.tokens);
    if (shown.empty()) shown = text.tokens;
    std::string beginning;
    for (std::size_t i = 0; i < std::min(kMostTokens, shown.size()); ++i)
        beginning += (i ? " " : "") + shown[i];
    return beginning + (shown.size() > kMostTokens ? " …" : "");
}

}  // namespace

void PiecesButton::draw_button(PanelContext& context, const std::vector<std::string>& tokens) {
    if (tokens_ != tokens) tokens_ = tokens, n_words_ = words_of_pieces(tokens).size();
    if (n_words_ == tokens.size()) return;
    if (widgets::button(context, "Join pieces",
                        fmt::format("Shows the attention between the {} that these tokens are "
                                    "pieces of: the sum over the pieces that are read, the mean "
                                    "over those that read",
                                    counted(n_words_, "word"))
                            .c_str()))
        context.requests.run("join-pieces");
}

/// Warns of what is odd about the pattern of the shown head.
void RecordingView::warn_of_shown(PanelContext& context) {
    if (!context.trace) return;
    const Tensor* pattern = shown_pattern(*context.trace, context.components, context.selection);
    if (!pattern || !pattern->value) return;
    if (looked_at_ != pattern->value) {
        looked_at_ = pattern->value;
        const Edges* edges = pattern->row_edges();
        faults_ = edges ? edge_faults(*looked_at_, *edges, context.trace->items())
                        : pattern_faults(*looked_at_, kSumTolerance);
    }
    if (!faults_.empty()) widgets::warning(context, "This head: " + faults_);
}

void RecordingView::draw(PanelContext& context, const RecordedStudy& study) {
    draw_file(context, study);
    if (study.count_texts() > 1)
        draw_choice(context, study);
    else if (study.text.patches)
        widgets::hint(context, beginning(study.text));
    for (const std::string& note : study.notes) widgets::hint(context, note);
    if (study.source && study.source->later)
        widgets::hint(context, "Patterns come from the notebook when they are looked at.");
    draw_pieces(context, study);
    warn_of_shown(context);
}

void RecordingView::draw_pieces(PanelContext& context, const RecordedStudy& study) {
    if (study.joined) {
        if (widgets::button(context, "Part into pieces", "Shows the tokens again"))
            context.requests.run("join-pieces");
    } else if (context.trace) {
        pieces_.draw_button(context, context.trace->items());
    }
}

/// Draws the choice of the shown text: the one before, the next one, any; and the next one beside
/// it.
void RecordingView::draw_choice(PanelContext& context, const RecordedStudy& study) {
    const int n = study.count_texts(), shown = study.text_number;
    int number = shown + 1;
    if (widgets::int_setting(context,
                             {"Text", "Which text is shown: drag it, or double-click and type"},
                             number, {1, n}))
        show(context, number - 1);
    if (const std::string words = beginning(study.text); !words.empty())
        widgets::hint(context, words);
    const auto enabled = [](bool is_on) {
        return is_on ? widgets::Enabled::Yes : widgets::Enabled::No;
    };
    if (widgets::button(context, "Previous", "Shows the text before this one", enabled(shown > 0)))
        show(context, shown - 1);
    widgets::same_line_if_fits("Next");
    if (widgets::button(context, "Next", "Shows the text after this one", enabled(shown < n - 1)))
        show(context, shown + 1);
    widgets::same_line_if_fits("Side by side");
    const bool is_beside = context.comparison.other<OtherStudy>() != nullptr;
    if (!widgets::button(context, is_beside ? "Alone" : "Side by side",
                         "Compares this text with the next one"))
        return;
    is_beside
        ? context.requests.run("stop-comparing")
        : context.requests.comparison.ask(other_recorded_text(context.document, (shown + 1) % n));
}

void RecordingView::show(PanelContext& context, int text) {
    context.edits.push(
        fmt::format("Show text {}", text + 1),
        [text](Document& document) {
            choose_recorded_text(document, text);
            if (needs_places(document)) give_places(document, nullptr);
        },
        "recorded text");
}

void RecordingView::draw_file(PanelContext& context, const RecordedStudy& study) {
    if (study.joined) {
        ImGui::TextUnformatted("Words, joined from their pieces");
        widgets::tooltip(
            "What a word gives to another is the sum over the other's pieces and the mean over its "
            "own. (Clark et al. 2019)");
    } else {
        const std::filesystem::path file(study.file);
        ImGui::TextUnformatted(widgets::as_read(path_text(file.filename())).c_str());
        widgets::tooltip(path_text(file).c_str());
    }
    for (const RecordedAttention& attention : study.attentions) {
        const std::string heads = attention.layer_heads.empty()
                                      ? counted(attention.n_heads, "head")
                                      : joined(attention.layer_heads) + " heads";  // "8, 1 heads"
        widgets::hint(context, fmt::format("{}{} · {}", kind_words(study, attention.kind),
                                           counted(attention.n_layers, "layer"), heads));
    }
    widgets::hint(context, sizes(study.text, study.joined ? "word" : "token"));
}

namespace {

constexpr float kVocabularyWidth = 560, kVocabularyHeight = 360;

/// The words that the weights know, and a heading for them.
struct KnownWords {
    const char* of;  // a heading; null: there is only one list
    const std::vector<std::string>* words;
};

std::vector<KnownWords> known_words(const Document& document) {
    std::vector<KnownWords> lists;
    const auto add = [&](Network network, const char* of) {
        const auto found =
            document.weights->matrices.find(Location{.network = network}.at("W_E").path);
        if (found != document.weights->matrices.end() && found->second.row_names)
            lists.push_back({of, found->second.row_names.get()});
    };
    if (document.sentence()) add(Network::Main, nullptr);
    if (document.alignment()) add(Network::Encoder, "Source"), add(Network::Decoder, "Target");
    return lists;
}

/// Returns "6 matrices trained by …", "22.6 million numbers of all-MiniLM-L6-v2, a pretrained
/// BERT".
std::string what_there_is(const Weights& weights) {
    if (weights.model) {
        constexpr double kMillion = 1e6;
        const double n = weights.model->size_bytes / sizeof(Scalar);
        const std::string count =
            n < kMillion ? format_count(static_cast<Index>(n))
                         : short_number(static_cast<Scalar>(n / kMillion)) + " million";
        return fmt::format("{} numbers of {}", count, weights.origin);
    }
    return fmt::format("{} {}", counted(std::ssize(weights.matrices), "matrix", "matrices"),
                       weights.origin);
}

/// Draws words in the order of the alphabet, as many on a line as fit; signs such as <unknown> are
/// not words.
void draw_words(PanelContext& context, std::vector<std::string> words) {
    std::erase_if(words, [](const std::string& word) { return word.starts_with('<'); });
    std::ranges::sort(words);
    constexpr float kGap = 12;
    bool is_first = true;
    for (const std::string& word : words) {
        const std::string drawn = context.painter.drawn_text(word, Font::Regular);
        if (!std::exchange(is_first, false))
            widgets::same_line_if_fits(ImGui::CalcTextSize(drawn.c_str()).x, kGap);
        ImGui::TextUnformatted(drawn.c_str());
    }
}

void draw_vocabulary(PanelContext& context) {
    const std::vector<KnownWords> lists = known_words(context.document);
    if (lists.empty()) return;
    if (widgets::button(context, "Vocabulary…", "The words that the weights know"))
        ImGui::OpenPopup("vocabulary");
    ImGui::SetNextWindowSize({kVocabularyWidth, 0});
    if (!ImGui::BeginPopup("vocabulary", ImGuiWindowFlags_NoMove)) return;
    context.regions.begin_popup();
    for (const KnownWords& list : lists) {
        const auto n_signs = std::ranges::count_if(
            *list.words, [](const std::string& word) { return word.starts_with('<'); });
        const std::string n = counted(std::ssize(*list.words) - n_signs, "word");
        widgets::heading(context, list.of ? fmt::format("{}, {}", list.of, n) : n);
        compat::begin_child(list.of ? list.of : "words",
                            {0, kVocabularyHeight / static_cast<float>(lists.size())},
                            compat::Border::No);
        draw_words(context, *list.words);
        ImGui::EndChild();
    }
    if (compat::is_key_pressed(Key::Escape)) ImGui::CloseCurrentPopup();
    context.regions.end_popup();
    ImGui::EndPopup();
}

}  // namespace

void draw_weights(PanelContext& context) {
    const SharedWeights& weights = context.document.weights;
    if (!weights) return;
    const std::vector<std::string> beyond = training_notes(context.document);
    const std::string all = what_there_is(*weights);
    const bool is_edited =
        std::ranges::any_of(context.document.interventions,
                            [](const auto& intervention) { return intervention.second.is_on; });
    widgets::hint(context, beyond.empty() && !is_edited ? all : without_accuracy(all));
    for (const std::string& note : beyond)
        widgets::warning(context, "Beyond its training: " + note + ".");
    if (!context.whole) return;
    for (const std::string& note : weight_notes(*context.whole, weights, context.document.seed))
        widgets::warning(context, note + ".");
    draw_vocabulary(context);
}

}  // namespace headlight
