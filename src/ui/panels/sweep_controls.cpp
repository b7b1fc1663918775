#include "ui/panels/sweep_controls.h"

#include <array>
#include <imgui.h>

#include "scene/figures/sweep_figure.h"
#include "scene/readout/done_sweep.h"
#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

constexpr float kControlGap = 16;
constexpr double kLook_secs = 0.1;  // while a sweep runs
constexpr const char* kNeedsB =
    "There is no B whose outputs could take A's place: compare with a text of as many tokens first";
constexpr std::array kDraws = {1, 10, 100};

/// What the choices of a path stand for: everything after, the logits, then inputs of the head.
constexpr int kToLogits = 1, kToHead = 2;
constexpr std::array kInputs = {HeadInput::All, HeadInput::Query, HeadInput::Key, HeadInput::Value};

template <typename Choice>
void draw_row_choice(PanelContext& context, const char* name, Choice& value,
                     std::span<const char* const> choices, float width) {
    widgets::same_line_if_fits(widgets::labelled_width(name, width), kControlGap);
    int number = static_cast<int>(value);
    if (widgets::row_choice(context, name, number, choices, width))
        value = static_cast<Choice>(number);
}

/// The head that is shown, if it is one of the network's own layers.
std::optional<SweepPath> shown_head(const PanelContext& context) {
    const Component* attention = shown_attention(context.components, context.selection);
    if (!attention || attention->place.component != ComponentKind::Attention ||
        attention->place.network != Network::Main)
        return std::nullopt;
    return SweepPath{attention->place.layer, context.selection.head};
}

/// What is drawn matters to resampling alone.
bool is_same_sweep(SweepSettings a, SweepSettings b) {
    for (SweepSettings* settings : {&a, &b})
        if (settings->kind != SweepKind::Resample) settings->resampling = {};
    return a == b;
}

}  // namespace

void SweepControls::draw(PanelContext& context) {
    if (context.sweep.is_running()) return draw_progress(context);
    draw_replacement(context);
    draw_path(context);
    draw_start(context);
    draw_differing(context);
}

/// A sweep of other settings than the controls have says what it is of.
void SweepControls::draw_differing(PanelContext& context) const {
    const DoneSweep* done = context.sweep.done();
    if (!done || is_same_sweep(done->order.settings, settings(context))) return;
    widgets::hint(context, "The sweep shown is of other settings: " + done->sentence + ". " +
                               sweep_title(*done) + ".");
}

void SweepControls::draw_progress(PanelContext& context) const {
    const SweepRun& sweep = context.sweep;
    ImGui::SameLine(0, kControlGap);
    if (widgets::button(context, "Cancel sweep", "The last one's result stays"))
        context.requests.sweep.ask({});
    ImGui::SameLine();
    const auto percent = static_cast<int>(100 * sweep.progress().share());
    ImGui::TextDisabled("%d %%  %s", percent, sweep.progress().at().c_str());
    context.requests.look_again(kLook_secs);
}

void SweepControls::draw_replacement(PanelContext& context) {
    static constexpr std::array kOver = {"each head", "each layer's parts", "each token"};
    static constexpr std::array kKinds = {"0", "its mean", "other tokens'", "B's"};
    static constexpr std::array kDrawWords = {"1", "10", "100"};
    static constexpr std::array kQuantities = {"the logit", "the loss", "the probability",
                                               "the divergence"};
    draw_row_choice(context, "Replace", settings_.over, kOver, 132);
    draw_row_choice(context, "by", settings_.kind, kKinds, 122);
    if (settings_.kind == SweepKind::Resample)
        draw_row_choice(context, "draws", draws_, kDrawWords, 52);
    draw_row_choice(context, "and measure", settings_.quantity, kQuantities, 118);
}

void SweepControls::draw_path(PanelContext& context) {
    if (settings_.over == SweepOver::Tokens) return;  // no path begins there
    std::vector<std::string> words = {"everything after", "the logits alone"};
    if (const auto head = shown_head(context)) {
        const std::string name =
            "head " + std::to_string(head->layer) + "." + std::to_string(head->head);
        for (const char* input : {"", ", by Q", ", by K", ", by V"}) words.push_back(name + input);
    }
    std::vector<const char*> choices;
    for (const std::string& word : words) choices.push_back(word.c_str());
    path_ = std::min(path_, static_cast<int>(choices.size()) - 1);
    draw_row_choice(context, "Path to", path_, choices, 132);
}

SweepSettings SweepControls::settings(const PanelContext& context) const {
    SweepSettings settings = settings_;
    settings.resampling = {context.document.seed, kDraws[static_cast<std::size_t>(draws_)]};
    if (settings.over == SweepOver::Tokens) return settings;
    if (path_ == kToLogits) settings.path = SweepPath{};
    if (path_ >= kToHead) {
        settings.path = shown_head(context);
        if (settings.path)
            settings.path->through = kInputs[static_cast<std::size_t>(path_ - kToHead)];
    }
    return settings;
}

void SweepControls::draw_start(PanelContext& context) {
    const bool is_patch = settings_.kind == SweepKind::Patch;
    const bool can_run = !is_patch || context.comparison.trace();
    widgets::same_line_if_fits("Sweep");
    if (widgets::button(context, "Sweep",
                        !can_run   ? kNeedsB
                        : is_patch ? "One component after another gives what it gives in B, a text "
                                     "of as many tokens"
                                   : "The output of one component after another is replaced, and "
                                     "the change measured. The divergence is that of all words' "
                                     "probabilities from the unedited ones, in nats",
                        can_run ? widgets::Enabled::Yes : widgets::Enabled::No))
        context.requests.sweep.ask({settings(context)});
    if (!can_run) widgets::hint(context, kNeedsB);
}

}  // namespace headlight
