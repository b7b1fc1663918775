// All heads of an attention as thumbnails, each with a label for its habit.
#include <algorithm>
#include <fmt/format.h>
#include <imgui.h>
#include <utility>

#include "core/analyses/composition.h"
#include "figure/heads_figure.h"
#include "figure/heatmap_figure.h"
#include "figure/labels.h"
#include "figure/number_format.h"
#include "model/changes.h"
#include "ui/panels/panels.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"
#include "views/answer.h"
#include "views/head_thumbnail.h"

namespace headlight {
namespace {

constexpr float kCaption = 40, kShortCaption = 25, kCaptionWidth = 92;
constexpr float kThumbnailGap = 22, kSmallestSide = 40;

/// The grid of thumbnails: one row, or two rows of smaller ones when one is too long.
struct HeadGrid {
    int columns = 1;
    float side = kSmallestSide, pitch = kSmallestSide + kThumbnailGap;
    bool has_short_captions = false;
};

HeadGrid place_heads(int n_heads) {
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const auto n = static_cast<float>(n_heads);
    const float side = std::max(kSmallestSide, room.y - kCaption);
    const float full = std::max(side, kCaptionWidth) + kThumbnailGap;
    if (n * full <= room.x) return {n_heads, side, full};
    const float pitch = room.x / n;
    if (pitch >= kCaptionWidth + kThumbnailGap)
        return {n_heads, std::min(side, pitch - kThumbnailGap), pitch};
    if (pitch >= kSmallestSide + kThumbnailGap / 2)
        return {.columns = n_heads,
                .side = std::min(side, pitch - kThumbnailGap / 2),
                .pitch = pitch,
                .has_short_captions = true};
    const int columns = (n_heads + 1) / 2;
    const float shared = room.x / static_cast<float>(columns);
    const float most = std::max(20.0f, shared - kThumbnailGap / 2);
    return {.columns = columns,
            .side = std::clamp((room.y - ImGui::GetStyle().ItemSpacing.y) / 2 - kShortCaption,
                               20.0f, most),
            .pitch = shared,
            .has_short_captions = true};
}

class HeadsPanel final : public Panel {
  public:
    const char* title() const override { return "Heads"; }
    const char* help() const override {
        return "The pattern of every head: rows are queries, columns are keys; 0 is blank, 1 has "
               "the head's full colour. The number is the mean entropy of its rows: from 0 bits, "
               "if each word reads one word, to log₂ n bits, if it reads all equally. A label says "
               "what the head does, with the share of attention; there is none below 0.4, or for "
               "shares that heads with random weights reach by chance. A click chooses a head, and "
               "leads from the panels to its matrices; with Ctrl or Shift its lines between words "
               "are added to those of the others. In a "
               "picture a thumbnail shows what one patch reads of each: the one that is pointed at "
               "or held, else the middle one; or what the class token reads.";
    }

    void draw(PanelContext& context) override {
        const Component* attention = shown_attention(context.components, context.selection);
        if (!attention) return;
        draw_attentions(context, *attention);
        const int n_heads = attention->n_heads;
        thumbnails_.resize(static_cast<std::size_t>(n_heads));
        ImGui::BeginGroup();
        const HeadGrid grid = place_heads(n_heads);
        for (int h = 0; h < n_heads; ++h) {
            const int column = h % grid.columns;
            if (column > 0) ImGui::SameLine(static_cast<float>(column) * grid.pitch);
            draw_head(context, *attention, h, grid);
        }
        ImGui::EndGroup();
    }

  private:
    /// Draws the other attentions, where there are several; at a decoding step only those of its
    /// step.
    void draw_attentions(PanelContext& context, const Component& shown) {
        std::vector<const Component*> listed;
        float width = 0;
        for (const Component& component : context.components) {
            if (component.n_heads == 0 || component.place.step != shown.place.step) continue;
            listed.push_back(&component);
            width = std::max(width, ImGui::CalcTextSize(attention_name(component).c_str()).x);
        }
        if (listed.size() < 2) return;
        compat::begin_child("attentions", {width + 16, 0}, compat::Border::No);
        const bool is_news = std::exchange(scrolled_to_, shown.path) != shown.path;
        for (const Component* component : listed) {
            const std::string name = attention_name(*component);
            if (ImGui::Selectable(name.c_str(), component->path == shown.path)) {
                // The view of lines between words stays, and shows that attention.
                Selection& selection = context.selection;
                const bool are_words = selection.view == ViewId::Words;
                selection.choose_component(*context.trace, context.components, component->path);
                if (are_words) selection.view = ViewId::Words;
            }
            widgets::name_item(context, "button " + name);
            if (is_news && component->path == shown.path) ImGui::SetScrollHereY();
        }
        ImGui::EndChild();
        // The heads are all of the chosen one, whatever stands beside their rows.
        const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
        ImGui::GetWindowDrawList()->AddLine({high.x + 8, low.y}, {high.x + 8, high.y},
                                            im_color(context.theme.border));
        ImGui::SameLine(0, 22);
    }

    void draw_head(PanelContext& context, const Component& attention, int head,
                   const HeadGrid& grid) {
        const Trace& trace = *context.trace;
        const Tensor& pattern = thumbnail_source(trace, attention, head);
        if (!pattern.value) return;
        HeadThumbnail& thumbnail = thumbnails_[static_cast<std::size_t>(head)];
        update_thumbnail(thumbnail, trace, pattern, thumbnail_look(context.scene, pattern));
        ImGui::BeginGroup();
        Figure figure = thumbnail_figure(context, thumbnail, grid.side, head);
        const Tensor* z = ablated_tensor(trace, attention, head);
        std::string note;
        if (const auto ablation = z ? find_ablation(*z) : std::nullopt) {
            add_stand_in(figure, {0, 0, figure.width, figure.height}, stand_in(*ablation),
                         context.theme);
            note = " · ";
            note += ablation_words(*ablation);
        }
        widgets::place_figure(context, figure);
        const auto label = head_label(trace, attention.path, head);
        draw_caption(context, thumbnail, label, attention, head, grid);
        ImGui::EndGroup();
        widgets::tooltip(fmt::format("{} · mean entropy {} bits{}{}", head_title(attention, head),
                                     format_value(thumbnail.entropy, 2),
                                     label ? " · " + label_and_value(*label) : "", note)
                             .c_str());
        widgets::name_item(context, fmt::format("head {}", head));
        if (ImGui::IsItemClicked()) choose(context, head);
    }

    /// Chooses a head; with Ctrl or Shift, in addition to those that are shown.
    static void choose(PanelContext& context, int head) {
        const ImGuiIO& io = ImGui::GetIO();
        if (io.KeyCtrl || io.KeyShift)
            return context.selection.toggle_head(*context.trace, context.components, head);
        context.selection.choose_head(*context.trace, context.components, head);
        // If all heads stand beside each other already, a click asks for the head's own matrices.
        if (context.selection.view != ViewId::Panels) return;
        context.selection.view = ViewId::Matrix;
        // The held word's answer is held in the chosen matrix, as in the panels of questions.
        const Tensor& chosen = context.trace->at(context.selection.chosen);
        const std::optional<Index> row = context.selection.held().indices.query;
        if (const auto answer = row ? answer_in(chosen, *row) : std::nullopt)
            context.selection.keep_held(pick_at(*context.trace, chosen, *row, *answer));
    }

    Figure thumbnail_figure(PanelContext& context, const HeadThumbnail& thumbnail, float side,
                            int head) {
        const bool is_chosen = context.selection.head == head;
        const std::vector<int>& also = context.selection.also_heads;
        const bool is_shown = std::find(also.begin(), also.end(), head) != also.end();
        Figure figure{side, side, {}};
        figure.add(
            RectMark{{1, 1, side - 2, side - 2},
                     context.theme.card,
                     is_chosen || is_shown ? head_color(context.theme, head) : context.theme.border,
                     is_chosen  ? 2.5f
                     : is_shown ? 1.5f
                                : 1.0f,
                     6});
        const float pad = side < 80 ? 4 : 7;
        const Box box =
            box_of_aspect({pad, pad, side - 2 * pad, side - 2 * pad}, thumbnail.aspect());
        figure.add(HeatmapMark{
            .box = box, .values = thumbnail.colors.values, .scale = thumbnail.colors.scale});
        if (const auto patch = thumbnail.looking_patch())
            add_cell_mark(figure, box, *thumbnail.picture, *patch, context.theme);
        return figure;
    }

    void draw_caption(PanelContext& context, const HeadThumbnail& thumbnail,
                      const std::optional<HeadLabel>& label, const Component& attention, int head,
                      const HeadGrid& grid) {
        const bool is_short = grid.has_short_captions;
        context.painter.push_font(Font::Regular, 11);
        ImGui::TextColored(im_vec(head_color(context.theme, head)), "●");
        ImGui::SameLine(0, 4);
        ImGui::TextUnformatted(
            (is_short ? head_word(attention, head) : head_title(attention, head)).c_str());
        ImGui::SameLine(0, 4);
        if (is_short) {  // as much of the label as fits beside the number
            const auto metric = label ? static_cast<std::size_t>(label->metric) : 0;
            TextMark mark{.at = {}, .text = label ? head_metric_names()[metric] : "", .size = 11};
            shorten(mark, grid.pitch - 30, context.painter.measure());
            ImGui::TextDisabled("%s", mark.text.c_str());
        } else {
            ImGui::TextDisabled("%s bits", format_value(thumbnail.entropy, 2).c_str());
            if (label) ImGui::TextUnformatted(label_and_value(*label).c_str());
        }
        context.painter.pop_font();
    }

    std::vector<HeadThumbnail> thumbnails_;
    std::string scrolled_to_;  // the attention in the list
};

}  // namespace

std::unique_ptr<Panel> make_heads_panel() {
    return std::make_unique<HeadsPanel>();
}

namespace {

constexpr std::size_t kMostComposed = 6;
constexpr const char* kOutputs[] = {"as computed", "zero", "mean"};

class HeadPanel final : public Panel {
  public:
    const char* title() const override { return "Head"; }
    const char* help() const override {
        return "An ablated head adds nothing of its own to the output: its z is 0, or the mean of "
               "its rows. What changes shows how much the network needs the head. Composition "
               "lists the earlier heads whose output it reads most by its queries, keys or values; "
               "random directions reach about 1/√d_model.";
    }

    void draw(PanelContext& context) override {
        if (!context.trace) return;
        const Component* attention = shown_attention(context.components, context.selection);
        if (!attention) return;
        const int head = context.selection.head;
        const Tensor* z = ablated_tensor(*context.trace, *attention, head);
        if (!z)
            return widgets::hint(context,
                                 context.document.recorded()
                                     ? context.document.recorded()->joined
                                           ? "Of words: heads of the pieces can be ablated."
                                           : "Recorded: there is nothing to ablate."
                                     : "The decoder's one attention is no head: its output "
                                       "is the context of each step, which can be pinned.");
        const auto ablation = find_ablation(*z);
        draw_choice(context, *attention, z->path(), ablation);
        if (ablation)
            widgets::hint(context,
                          fmt::format("Head {} is ablated to {}", head_word(*attention, head),
                                      *ablation == Ablation::Zero ? "zero." : "its mean."));
        if (attention->n_heads > 1) draw_others(context, *attention);
        draw_composition(context, *attention);
    }

  private:
    void draw_choice(PanelContext& context, const Component& attention, const std::string& path,
                     std::optional<Ablation> ablation) {
        int choice = !ablation ? 0 : *ablation == Ablation::Zero ? 1 : 2;
        const std::string label = "Head " + head_word(attention, context.selection.head);
        if (!widgets::choice_setting(context,
                                     {label.c_str(), "The replacement of z, the head's output"},
                                     choice, kOutputs))
            return;
        std::optional<Ablation> wanted;
        if (choice > 0) wanted = choice == 1 ? Ablation::Zero : Ablation::Mean;
        context.edits.push(ablation_name(attention, context.selection.head, wanted),
                           [path, wanted](Document& document) { ablate(document, path, wanted); });
        if (wanted) last_ = *wanted;
    }

    /// Draws the buttons for all other heads of the layer.
    void draw_others(PanelContext& context, const Component& attention) {
        const Trace& trace = *context.trace;
        const int head = context.selection.head;
        int n_ablated = 0;
        for (int h = 0; h < attention.n_heads; ++h)
            if (const Tensor* z = ablated_tensor(trace, attention, h); z && find_ablation(*z))
                ++n_ablated;
        const std::string tooltip = "Ablates every other head of this attention to " +
                                    std::string(last_ == Ablation::Zero ? "zero" : "its mean");
        if (widgets::button(context, "Keep only this head", tooltip.c_str()))
            context.edits.push(
                "Keep only head " + head_word(attention, head),
                [&whole = *context.whole, attention, head, how = last_](Document& document) {
                    keep_one_head(document, whole, attention, head, how);
                });
        if (n_ablated == 0) return;
        widgets::same_line_if_fits("Restore all heads");
        if (widgets::button(context, "Restore all heads", "Removes every ablation"))
            context.edits.push("Restore all heads",
                               [&whole = *context.whole, attention](Document& document) {
                                   restore_heads(document, whole, attention);
                               });
    }

    /// Draws the earlier heads whose output this one reads most, by its queries, keys or values.
    static void draw_composition(PanelContext& context, const Component& attention) {
        const Trace& trace = *context.trace;
        const double chance = chance_of_composition(trace);
        const bool can_compose = attention.place.component == ComponentKind::Attention &&
                                 attention.place.network == Network::Main;
        if (chance == 0 || !can_compose) return;
        bool& is_open = context.selection.has_composition_open;
        widgets::fold(context, "Composition",
                      "by chance " + format_value(static_cast<Scalar>(chance), 2), is_open);
        if (!is_open) return;
        const std::vector<ComposedHead> strongest =
            strongest_compositions(trace, attention.place, context.selection.head, kMostComposed);
        static constexpr const char* kInputs[] = {"Q", "K", "V"};
        for (const ComposedHead& head : strongest) {
            const std::string name = fmt::format("with {}.{} ({})", head.layer, head.head,
                                                 kInputs[static_cast<std::size_t>(head.by)]);
            widgets::fact(context, name.c_str(), format_value(head.score, 2));
        }
        if (!strongest.empty())
            return widgets::hint(context,
                                 "How much of what that head writes this one reads by its queries, "
                                 "keys or values: ‖product‖ / norms [Elhage 2021]. All pairs: "
                                 "composition.Q, K, V among the analyses.");
        const Tensor* scores = trace.find(composition_path(Composition::Value));
        widgets::hint(context, scores->value ? "The first layer's heads read no other head."
                                             : "It is being computed.");
    }

    Ablation last_ = Ablation::Zero;
};

}  // namespace

std::unique_ptr<Panel> make_head_panel() {
    return std::make_unique<HeadPanel>();
}

}  // namespace headlight
