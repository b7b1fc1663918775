#include "ui/panels/weights_view.h"

#include <algorithm>
#include <fmt/format.h>
#include <imgui.h>
#include <utility>

#include "core/numeric/short_number.h"
#include "io/studies/ready_studies.h"
#include "model/pretrained.h"
#include "model/weight_origin.h"
#include "paint/number_format.h"
#include "text/strings.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"

namespace headlight {
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
