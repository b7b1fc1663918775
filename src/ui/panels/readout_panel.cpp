// The view of logits: the likeliest words, the likeliest after fewer layers, and the terms that add
// up to one of them.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>
#include <string>

#include "app_state/sweep_run.h"
#include "figure/figure_parts.h"
#include "figure/labels.h"
#include "figure/number_format.h"
#include "model/sweep/sweep.h"
#include "ui/panel.h"
#include "ui/panels/component_strip.h"
#include "ui/panels/panels.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"
#include "views/compared_sides.h"
#include "views/finished_sweep.h"
#include "views/readout_view.h"

namespace headlight {
namespace {

class SweepControls {
  public:
    /// Draws after the last item. While a sweep runs, these are its progress and a button that ends
    /// it.
    void draw(PanelContext& context);

  private:
    void draw_progress(PanelContext& context) const;
    void draw_replacement(PanelContext& context);
    void draw_path(PanelContext& context);
    void draw_start(PanelContext& context);
    void draw_differing(PanelContext& context) const;
    SweepSettings settings(const PanelContext& context) const;

    SweepSettings settings_;
    int path_ = 0, draws_ = 0;
};

constexpr float kControlGap = 16;
constexpr double kLook_secs = 0.1;  // while a sweep runs
constexpr const char* kNeedsB =
    "There is no B whose outputs could take A's place: compare with a text of as many tokens first";
constexpr std::array kDraws = {1, 10, 100};

/// The meanings of the choices of a path: everything after, the logits, then inputs of the head.
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

/// Returns the head that is shown, if it is one of the network's own layers.
std::optional<SweepPath> shown_head(const PanelContext& context) {
    const Component* attention = shown_attention(context.components, context.selection);
    if (!attention || attention->place.component != ComponentKind::Attention ||
        attention->place.network != Network::Main)
        return std::nullopt;
    return SweepPath{attention->place.layer, context.selection.head};
}

/// The random drawing matters only to resampling.
bool is_same_sweep(SweepSettings a, SweepSettings b) {
    for (SweepSettings* settings : {&a, &b})
        if (settings->kind != SweepKind::Resample) settings->resampling = {};
    return a == b;
}

void SweepControls::draw(PanelContext& context) {
    if (context.sweep.is_running()) return draw_progress(context);
    draw_replacement(context);
    draw_path(context);
    draw_start(context);
    draw_differing(context);
}

/// Names the settings of the shown sweep if they differ from those of the controls.
void SweepControls::draw_differing(PanelContext& context) const {
    const FinishedSweep* done = context.sweep.done();
    if (!done || is_same_sweep(done->order.settings, settings(context))) return;
    widgets::hint(context, fmt::format("The sweep shown is of other settings: {}. {}.",
                                       done->sentence, sweep_title(*done)));
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
    if (settings_.over == SweepSites::Tokens) return;  // no path begins there
    std::vector<std::string> words = {"everything after", "the logits alone"};
    if (const auto head = shown_head(context)) {
        const std::string name = fmt::format("head {}.{}", head->layer, head->head);
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
    if (settings.over == SweepSites::Tokens) return settings;
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
    const bool can_run = !is_patch || context.comparison.trace;
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

constexpr float kReadoutMargin = 16, kWordField = 120, kSideLine = 22, kSideSize = 13;

class ReadoutPanel final : public Panel {
  public:
    const char* title() const override { return "Logits"; }
    const char* help() const override {
        return "The likeliest next words after the held token, or after the last one; for a "
               "picture, "
               "its classes. The logit lens shows what they would be if the layers after one did "
               "nothing. Below “Where the logit comes from” stands what each head, MLP and "
               "embedding adds to the logit of the word (less that of the other word, if you name "
               "one); the last norm's mean and deviation are taken as they are, so that the parts "
               "add up to it. In a comparison B's logits stand beside A's. A sweep replaces the "
               "output of one head, or one attention or MLP, or one token of the residual stream, "
               "after another, and shows by how much the logit, the probability or the loss "
               "changes, or how far all words' probabilities diverge. Path to sends that change to "
               "one head alone, or to "
               "the logits alone: all other heads keep their outputs, MLPs are computed anew.";
    }

    void draw(PanelContext& context) override {
        draw_component_strip(context, ImGui::GetContentRegionAvail().x);
        if (!has_readout(*context.trace)) {
            ImGui::SetCursorPosX(kReadoutMargin);
            return widgets::hint(context, "This network names no words and no classes.");
        }
        ImGui::SetCursorPosX(kReadoutMargin);
        ImGui::BeginGroup();
        draw_word(context, "Logit of", word_, context.selection.looks.readout.word,
                  "the likeliest");
        ImGui::SameLine(0, kReadoutMargin);
        draw_word(context, "minus", minus_, context.selection.looks.readout.minus, "nothing");
        sweep_.draw(context);
        ImGui::EndGroup();
        draw_sides(context);
    }

  private:
    /// The inputs that the logits of one side were made from.
    struct Kept {
        std::shared_ptr<const Trace> trace;  // kept: another one has another address
        AxisIndices held;
        ReadoutLook look;
        std::optional<LogitView> readout;
    };

    void draw_sides(PanelContext& context) {
        const Scene& scene = context.scene;
        const std::vector<ComparedSide> shown = sides_without_difference(scene, HasHeads::All);
        LogitView& a = follow(scene, a_);
        a.beside = nullptr;
        draw_problem(context, "", a);
        std::optional<SceneOfB> b;
        if (shown.size() > 1) {
            b.emplace(scene);
            if (has_readout(b->scene().trace)) {
                set_beside(a, follow(b->scene(), b_));
                draw_problem(context, "B: ", *b_.readout);
            }
        }
        const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
        const Box all{at.x + kReadoutMargin, at.y + 4, room.x - 2 * kReadoutMargin,
                      room.y - kReadoutMargin - 4};
        if (!b) return draw_alone(context, a, all);
        const Box sides = draw_sweep_beside(context, a, all);
        const std::vector<Box> boxes = side_boxes(sides);
        draw_title(context, side_title(context.comparison, ComparedSide::A), boxes[0]);
        sides.width < all.width ? draw_cards(context, scene, a, below_title(boxes[0]))
                                : draw_alone(context, a, below_title(boxes[0]));
        draw_title(context, readout_title(scene, ComparedSide::B, b->scene()), boxes[1]);
        if (has_readout(b->scene().trace))
            draw_cards(context, b->scene(), *b_.readout, below_title(boxes[1]));
    }

    /// Places one side above the other where each is wide enough for its cards beside each other.
    static std::vector<Box> side_boxes(Box all) {
        if (all.width < kLeastCardsBeside) return place_pictures(all, 2, kReadoutMargin);
        const float height = (all.height - kReadoutMargin) / 2;
        return {{all.x, all.y, all.width, height},
                {all.x, all.bottom() - height, all.width, height}};
    }

    /// Draws the sweep, which is over the heads of A, at the right. Returns the rest; all of it
    /// where there is none, or too little is left.
    static Box draw_sweep_beside(PanelContext& context, const LogitView& a, Box all) {
        constexpr float kLeastBeside = 220, kOfWidth = 0.3f;
        const float width =
            std::min(kOfWidth * all.width, all.width - kReadoutMargin - kLeastCardsBeside);
        const Point size{std::max(width, 1.0f), all.height};
        const SweepPicture sweep =
            width < kLeastBeside ? SweepPicture{}
                                 : sweep_card(context.scene, a, size, context.painter.measure());
        if (sweep.figure.marks.empty()) return all;
        ImGui::SetCursorScreenPos({all.right() - width, all.y});
        point_at_head(context, sweep, widgets::place_figure(context, sweep.figure));
        all.width -= width + kReadoutMargin;
        return all;
    }

    static void draw_alone(PanelContext& context, const LogitView& view, Box box) {
        ImGui::SetCursorScreenPos({box.x, box.y});
        const Point size{box.width, box.height};
        const MeasureText measure = context.painter.measure();
        const Point origin =
            widgets::place_figure(context, readout_figure(context.scene, view, size, measure));
        point_at_head(context, sweep_picture(context.scene, view, size, measure), origin);
    }

    static void draw_problem(const PanelContext& context, const char* of, const LogitView& view) {
        if (view.problem.empty()) return;
        ImGui::SetCursorPosX(kReadoutMargin);
        ImGui::TextColored(im_vec(context.theme.warning), "%s%s", of,
                           widgets::as_read(view.problem).c_str());
    }

    static void draw_title(PanelContext& context, const std::string& title, Box box) {
        Figure heading{box.width, kSideLine, {}};
        TextMark mark{{0, kSideSize}, title, kSideSize, context.theme.text, Font::Bold};
        shorten(mark, box.width, context.painter.measure());
        heading.add(std::move(mark));
        context.painter.draw(heading, {box.x, box.y});
    }

    static Box below_title(Box box) {
        return {box.x, box.y + kSideLine, box.width, box.height - kSideLine};
    }

    static void draw_cards(PanelContext& context, const Scene& scene, const LogitView& view,
                           Box box) {
        ImGui::SetCursorScreenPos({box.x, box.y});
        const Point size{box.width, box.height};
        widgets::place_figure(
            context, logit_cards(view, kLogitCards, size, scene.theme, context.painter.measure()));
    }

    /// Shows the change of the head under the pointer, and opens it with a click.
    static void point_at_head(PanelContext& context, const SweepPicture& picture, Point origin) {
        const auto input = sweep_input(context.scene);
        if (!input) return;
        const Point p = widgets::pointer_in(origin);
        const auto cell = picture.grid.cell_at({p.x - picture.at.x, p.y - picture.at.y});
        if (!cell) return;
        const SweepResult& result = context.scene.sweep->result;
        const SweepRow& row = result.rows[static_cast<std::size_t>(cell->row)];
        widgets::draw_tooltip(fmt::format("{}, {}: {}",
                                          row_names(result)[static_cast<std::size_t>(cell->row)],
                                          result.columns[static_cast<std::size_t>(cell->column)],
                                          format_value((*input->values)(cell->row, cell->column))));
        const bool is_head = context.scene.sweep->order.settings.over == SweepSites::Heads;
        if (!is_head || !ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return;
        for (const Component* attention : all_attentions(context.components))
            if (attention->place.layer == row.layer &&
                attention->place.component == row.attention &&
                attention->place.network != Network::Encoder)
                context.selection.choose_component(*context.trace, context.components,
                                                   attention->path);
        context.selection.choose_head(*context.trace, context.components,
                                      static_cast<int>(cell->column));
        context.selection.view = ViewId::Readout;
    }

    struct Field {
        std::string shown, buffer;
    };

    static void draw_word(PanelContext& context, const char* name, Field& field, std::string& word,
                          const char* otherwise) {
        widgets::row_label(name);
        if (field.shown != word) field.buffer = context.codes.encode(field.shown = word);
        ImGui::SetNextItemWidth(kWordField);
        const bool is_edited =
            ImGui::InputTextWithHint((std::string("##") + name).c_str(), otherwise, &field.buffer);
        widgets::name_item(context, std::string("text ") + name);
        widgets::tooltip(
            "A word of the vocabulary, where a blank before it counts, or the name of a class");
        if (is_edited) word = field.shown = context.codes.decode(field.buffer);
    }

    /// Computes the logits anew where something of them has changed.
    static LogitView& follow(const Scene& scene, Kept& kept) {
        const AxisIndices held = scene.selection.held().indices;
        const bool is_same = scene.kept && scene.kept == kept.trace && held == kept.held &&
                             scene.selection.looks.readout == kept.look && kept.readout;
        if (!is_same) kept = {scene.kept, held, scene.selection.looks.readout, make_readout(scene)};
        return *kept.readout;
    }

    SweepControls sweep_;
    Field word_, minus_;
    Kept a_, b_;
};

}  // namespace

std::unique_ptr<Panel> make_readout_panel() {
    return std::make_unique<ReadoutPanel>();
}

}  // namespace headlight
