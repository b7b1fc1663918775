// A training watched live: the curves, the checkpoints, and the heads of the one that is shown.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>

#include "app_state/training_view.h"
#include "figure/labels.h"
#include "figure/number_format.h"
#include "ui/panels/panels.h"
#include "ui/training/training_panels.h"
#include "ui/widgets/style.h"
#include "ui/widgets/widgets.h"
#include "views/listed_heads.h"
#include "views/readout_words.h"

namespace headlight {
namespace {

using Phase = TrainingSnapshot::Phase;

constexpr std::size_t kMostFullLabels = 4;  // heads of a layer
constexpr float kMargin = 16, kPad = 14, kGap = 10, kTitle = 26, kForget = 110;
constexpr float kLeastCurves = 130, kMostCurves = 270, kCurvesShare = 0.3f, kLeastForBatches = 185;

void draw_card(PanelContext& context, Box box) {
    Figure card{box.width, box.height, {}};
    card.add(RectMark{{0.5f, 0.5f, box.width - 1, box.height - 1},
                      context.theme.card,
                      context.theme.border,
                      1,
                      8});
    context.painter.draw(card, {box.x, box.y});
}

/// Returns "3.1 ms", "1.2 s".
std::string duration_text(double secs) {
    if (secs < 1) return format_value(static_cast<Scalar>(1000 * secs), 2) + " ms";
    if (secs < 90) return fmt::format("{} s", std::lround(secs));
    return fmt::format("{} min", std::lround(secs / 60));
}

/// The transport of a training: play, steps, and the slider over the checkpoints.
class TrainingTransport {
  public:
    static long shown_step(const PanelContext& context) {
        const TrainingCheckpoint* shown = context.training.shown();
        return shown ? shown->step : 0;
    }

    /// Asks for a step once: one that is shown already is not asked for again.
    static void ask_for_step(PanelContext& context, std::optional<long> step) {
        const TrainingView& training = context.training;
        const TrainingCheckpoint* wanted =
            step ? training.snapshot().find_checkpoint(*step) : nullptr;
        const bool is_shown = step ? wanted == training.shown() : training.shows_newest();
        if (is_shown) return;
        context.requests.train([step](TrainingView& view, Workspace&) { view.show_step(step); });
    }

    static void draw(PanelContext& context, Box box) {
        const TrainingView& training = context.training;
        const TrainingSnapshot& now = training.snapshot();
        ImGui::SetCursorScreenPos({box.x, box.y + 3});
        draw_play(context);
        ImGui::SameLine();
        const auto steps = now.is_at_end() ? widgets::Enabled::No : widgets::Enabled::Yes;
        for (const auto& [label, count, tooltip] :
             {std::tuple{"Step", 1L, "One step; then it rests"},
              std::tuple{"+10", 10L, "Ten steps; then it rests"},
              std::tuple{"+100", 100L, "A hundred steps; then it rests"}}) {
            if (widgets::button(context, label, tooltip, steps))
                context.requests.train(
                    [n = count](TrainingView& view, Workspace&) { view.make_steps(n); });
            ImGui::SameLine(0, 4);
        }
        const std::string note = training.fits() ? "step " + format_count(shown_step(context))
                                                 : "another network: undo, or begin anew";
        constexpr const char* go_on = "Go on here";
        // The slider stays where it is while it is dragged.
        const std::string longest = "step " + format_count(now.n_steps);
        const float note_width =
            std::max(ImGui::CalcTextSize(note.c_str()).x, ImGui::CalcTextSize(longest.c_str()).x);
        const float after =
            note_width + button_width("Newest") + button_width("Best") + button_width(go_on) + 16;
        ImGui::SameLine(0, 14);
        const float left = ImGui::GetCursorScreenPos().x;
        draw_slider(context, std::max(80.0f, box.right() - left - after));
        ImGui::SameLine(0, 8);
        ImGui::SetCursorScreenPos({ImGui::GetCursorScreenPos().x, box.y + 3});
        draw_jumps(context);
        const auto is_early =
            training.shows_newest() ? widgets::Enabled::No : widgets::Enabled::Yes;
        if (widgets::button(context, go_on,
                            "The training takes up the weights that are shown, with what the "
                            "optimizer knew then; what came later is dropped",
                            is_early))
            context.requests.train([](TrainingView& view, Workspace&) { view.go_on_from_shown(); });
        ImGui::SameLine(0, 8);
        ImGui::AlignTextToFramePadding();
        ImGui::TextColored(im_vec(context.theme.muted), "%s", note.c_str());
    }

  private:
    static float button_width(const char* label) {
        const ImGuiStyle& style = ImGui::GetStyle();
        return ImGui::CalcTextSize(label).x + 2 * style.FramePadding.x + style.ItemSpacing.x;
    }

    static void draw_play(PanelContext& context) {
        const bool is_running = context.training.is_running();
        const bool is_possible =
            !context.training.snapshot().is_at_end() && context.training.fits();
        if (widgets::primary_button(context, is_running ? "Pause" : "Play",
                                    "Space: trains, or rests",
                                    is_possible ? widgets::Enabled::Yes : widgets::Enabled::No))
            context.requests.run("train-play");
    }

    /// Draws the slider over all steps that were made.
    static void draw_slider(PanelContext& context, float width) {
        const TrainingSnapshot& now = context.training.snapshot();
        const auto n_steps = static_cast<double>(std::max(1L, now.step));
        double share = static_cast<double>(shown_step(context)) / n_steps;
        const double step = 1 / std::max(1.0, static_cast<double>(now.checkpoints.size()) - 1);
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::SetCursorScreenPos({at.x, at.y + 6});
        const bool is_moved = widgets::slider(context, "Step", share, {0, 1, step}, width);
        widgets::tooltip("Drag to any checkpoint: everything shows the weights of then");
        if (!is_moved || now.checkpoints.empty()) return;
        const long wanted = std::lround(share * n_steps);
        ask_for_step(context, wanted >= now.step ? std::nullopt : std::optional(wanted));
    }

    static void draw_jumps(PanelContext& context) {
        const TrainingSnapshot& now = context.training.snapshot();
        const bool has_best = now.best_step >= 0;
        if (widgets::button(context, "Best",
                            "The checkpoint with the best test on held-out examples",
                            has_best ? widgets::Enabled::Yes : widgets::Enabled::No))
            ask_for_step(context, now.best_step);
        ImGui::SameLine(0, 4);
        if (widgets::button(
                context, "Newest", "Follows the training again",
                context.training.shows_newest() ? widgets::Enabled::No : widgets::Enabled::Yes))
            ask_for_step(context, std::nullopt);
        ImGui::SameLine(0, 4);
    }
};

class TrainingPanel final : public Panel {
  public:
    const char* title() const override { return "Training"; }
    const char* help() const override {
        return "The training as it goes on: how often the network is right, and its loss, on the "
               "batches and on what it has never seen; below, the pattern of every head with the "
               "weights of the shown step. Rows are queries, columns are keys. A head is named by "
               "what it does if that is above chance. A click chooses a head; a double-click opens "
               "it. Drag the slider, or click the curves, to go to another step. Checkpoints are "
               "kept every 10 steps; where there are more than 200, every second one is dropped.";
    }

    void draw(PanelContext& context) override {
        const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
        const Box all{at.x + kMargin, at.y + kMargin - 4, room.x - 2 * kMargin,
                      room.y - kMargin - 4};
        if (context.selection.view != ViewId::Heads) return draw_part(context, all);
        const float curves = curves_height(context, all);
        draw_curves(context, {all.x, all.y, all.width, curves});
        TrainingTransport::draw(context,
                                {all.x, all.y + curves + 6, all.width, kTrainingTransport});
        draw_layers(context, box_below(all, curves));
    }

  private:
    /// Draws one part of the network, large, with the slider over it.
    void draw_part(PanelContext& context, Box box) {
        TrainingTransport::draw(context, {box.x, box.y, box.width, kTrainingTransport});
        ImGui::SetCursorScreenPos({box.x - kMargin, box.y + kTrainingTransport});
        (context.document.graph()   ? graph_
         : context.document.image() ? image_
                                    : flow_)
            ->draw(context);
    }

    // ---- curves ----

    static std::string heading(const TrainingSnapshot& now) {
        std::string text =
            fmt::format("step {} of {}", format_count(now.step), format_count(now.n_steps));
        if (now.phase == Phase::Running && now.step_secs > 0)
            text += fmt::format(
                " · {} a step · {} left", duration_text(now.step_secs),
                duration_text(now.step_secs * static_cast<double>(now.n_steps - now.step)));
        if (now.phase == Phase::Done) text += " · done";
        if (now.phase == Phase::Preparing) return "getting ready";
        return text;
    }

    void draw_curves(PanelContext& context, Box box) {
        const TrainingSnapshot& now = context.training.snapshot();
        draw_card(context, box);
        context.regions.add("card curves", box);
        ImGui::SetCursorScreenPos({box.x + kPad, box.y + 8});
        context.painter.push_font(Font::Bold, 13);
        ImGui::TextUnformatted("Loss and accuracy");
        context.painter.pop_font();
        ImGui::SameLine(0, 12);
        context.painter.push_font(Font::Regular, 12);
        if (now.message.empty())
            ImGui::TextColored(im_vec(context.theme.muted), "%s", heading(now).c_str());
        else
            draw_message(context, now, box);
        context.painter.pop_font();
        draw_forget(context, box);
        CurvesInput input = training_curves(now, TrainingTransport::shown_step(context),
                                            context.theme, context.training.earlier());
        input.width = box.width - 2 * kPad;
        input.height = box.height - kTitle - 12;
        if (input.height <
            kLeastForBatches)  // thin lines go without a name before the plot shrinks
            for (CurveLine& line : input.lines)
                if (line.width < 2 && line.stroke == CurveLine::Stroke::Solid) line.name.clear();
        const CurvesFigure curves = curves_figure(input, context.theme, context.painter.measure());
        ImGui::SetCursorScreenPos({box.x + kPad, box.y + kTitle + 4});
        const Point origin = widgets::place_figure(context, curves.figure);
        point(context, curves, origin);
    }

    /// Draws the button that forgets earlier runs, where these have curves.
    static void draw_forget(PanelContext& context, Box box) {
        if (context.training.earlier().empty()) return;
        constexpr const char* kLabel = "This run only";
        const float width = ImGui::CalcTextSize(kLabel).x + 2 * ImGui::GetStyle().FramePadding.x;
        ImGui::SetCursorScreenPos({box.right() - kPad - width, box.y + 4});
        if (widgets::button(context, kLabel, "Takes the curves of earlier runs away"))
            context.requests.train([](TrainingView& view, Workspace&) { view.forget_earlier(); });
    }

    static void draw_message(PanelContext& context, const TrainingSnapshot& now, Box box) {
        ImGui::PushStyleColor(ImGuiCol_Text, im_vec(context.theme.warning));
        const float forget = context.training.earlier().empty() ? 0 : kForget;
        const float right = box.right() - kPad - forget - ImGui::GetWindowPos().x;
        TextMark mark{.at = {}, .text = now.message, .size = 12};
        shorten(mark, right - ImGui::GetCursorPosX(), context.painter.measure());
        ImGui::TextUnformatted(widgets::as_read(mark.text).c_str());
        ImGui::PopStyleColor();
        widgets::tooltip(now.message.c_str());
    }

    /// Shows the numbers of the step under the pointer; a click shows the step.
    static void point(PanelContext& context, const CurvesFigure& curves, Point origin) {
        const auto x = curves.x_at(widgets::pointer_in(origin));
        const TrainingSnapshot& now = context.training.snapshot();
        if (!x || now.checkpoints.empty()) return;
        const TrainingCheckpoint* under = now.find_checkpoint(std::lround(*x));
        if (!under || *x > static_cast<double>(now.step) + 1)
            return widgets::draw_tooltip("not trained yet");
        widgets::draw_tooltip(fmt::format("step {} · a click shows it", format_count(under->step)));
        if (ImGui::IsMouseDown(ImGuiMouseButton_Left))
            TrainingTransport::ask_for_step(context, under->step);
    }

    // ---- heads ----

    struct LayerCards {
        std::vector<Box> boxes;
        float unused = 0;  // height that no picture can use, since they are as wide as they can be
    };

    /// Places the cards of the layers in as many columns as make the pictures largest.
    static LayerCards place_layers(Box box, int n_layers, int n_heads) {
        constexpr float kAround = kTitle + kPad + 15;  // over and below a picture
        const auto card = [&](int columns) {
            const int rows = (n_layers + columns - 1) / columns;
            return Point{
                (box.width - kGap * static_cast<float>(columns - 1)) / static_cast<float>(columns),
                (box.height - kGap * static_cast<float>(rows - 1)) / static_cast<float>(rows)};
        };
        int best = 1;
        float largest = 0;
        for (int columns = 1; columns <= n_layers; ++columns) {
            const Point size = card(columns);
            const float side =
                std::min((size.x - 2 * kPad) / static_cast<float>(n_heads), size.y - kAround);
            if (side > largest) largest = side, best = columns;
        }
        const Point size = card(best);
        LayerCards cards;
        for (int k = 0; k < n_layers; ++k)
            cards.boxes.push_back({box.x + static_cast<float>(k % best) * (size.x + kGap),
                                   box.y + static_cast<float>(k / best) * (size.y + kGap), size.x,
                                   size.y});
        const auto n_rows = static_cast<float>((n_layers + best - 1) / best);
        cards.unused = n_rows * std::max(0.0f, size.y - kAround - largest);
        return cards;
    }

    /// Returns the box below the curves and the transport.
    static Box box_below(const Box& all, float curves) {
        const float used = curves + 6 + kTrainingTransport + 6;
        return {all.x, all.y + used, all.width, all.height - used - kMargin + 8};
    }

    /// Returns their share, with the height that the pictures of the heads cannot use.
    static float curves_height(const PanelContext& context, const Box& all) {
        const float share = std::clamp(kCurvesShare * all.height, kLeastCurves, kMostCurves);
        const std::vector<const Component*> attentions = all_attentions(context.components);
        int most = 1;
        for (const Component* attention : attentions) most = std::max(most, attention->n_heads);
        const LayerCards cards = place_layers(
            box_below(all, share), std::max(1, static_cast<int>(attentions.size())), most);
        return std::min(kMostCurves, share + cards.unused);
    }

    void draw_layers(PanelContext& context, Box box) {
        const std::vector<ListedHead> heads = list_heads(context.scene, thumbnails_);
        const std::vector<std::string> rows = attention_rows(context.components);
        int most = 1;
        for (const ListedHead& head : heads) most = std::max(most, head.head + 1);
        const std::vector<Box> boxes = place_layers(box, static_cast<int>(rows.size()), most).boxes;
        for (std::size_t row = 0; row < rows.size(); ++row) {
            std::vector<ListedHead> of_row;
            for (const ListedHead& head : heads)
                if (head.row == static_cast<int>(row)) of_row.push_back(head);
            draw_layer(context, rows[row], of_row, boxes[row]);
        }
    }

    void draw_layer(PanelContext& context, const std::string& name,
                    const std::vector<ListedHead>& heads, Box box) {
        draw_card(context, box);
        ImGui::SetCursorScreenPos({box.x + kPad, box.y + 7});
        context.painter.push_font(Font::Bold, 13);
        ImGui::TextUnformatted(name.c_str());
        context.painter.pop_font();
        ImGui::SameLine(0, 6);
        context.painter.push_font(Font::Regular, 12);
        const std::string when =
            context.training.shows_newest()
                ? "now"
                : "at step " + format_count(TrainingTransport::shown_step(context));
        ImGui::TextColored(im_vec(context.theme.muted), "%s", when.c_str());
        context.painter.pop_font();
        HeadGridInput input{.heads = {},
                            .rows = {},
                            .width = box.width - 2 * kPad,
                            .height = box.height - kTitle - kPad + 6};
        for (const ListedHead& head : heads) {
            HeadPicture picture = head.picture(context.theme);
            if (picture.label.empty()) {
                picture.label = picture.short_label = reading_label(context, head, Label::Short);
                if (heads.size() <= kMostFullLabels)
                    picture.label = reading_label(context, head, Label::Full);
            }
            picture.is_chosen = is_open(context, head);
            input.heads.push_back(std::move(picture));
        }
        const HeadGridFigure grid =
            head_grid_figure(input, context.theme, context.painter.measure());
        ImGui::SetCursorScreenPos({box.x + kPad, box.y + kTitle + 2});
        const Point origin = widgets::place_figure(context, grid.figure);
        for (std::size_t i = 0; i < heads.size(); ++i) {
            Box at = grid.boxes[i];
            at.x += origin.x, at.y += origin.y;
            context.regions.add("head " + heads[i].place(), at);
        }
        point_at(context, heads, grid.head_at(widgets::pointer_in(origin)));
    }

    enum class Label { Full, Short };

    /// Returns "it → cat 0.98" or "→ cat 0.98", where the study asks about a word and the head has
    /// found one.
    static std::string reading_label(const PanelContext& context, const ListedHead& head,
                                     Label form) {
        const auto row = asked_row(*context.trace);
        const Matrix& pattern = *head.pattern->value;
        if (!row || *row >= pattern.rows() || pattern.rows() != pattern.cols()) return "";
        Index key = 0;
        const Scalar weight = pattern.row(*row).maxCoeff(&key);
        if (weight < kLeastLabel) return "";
        const auto& words = context.trace->shown_items();
        const std::string& asked = words.at(static_cast<std::size_t>(*row));
        return fmt::format("{}→ {} {}", form == Label::Full ? asked + " " : "",
                           words.at(static_cast<std::size_t>(key)), format_cell(weight, 2));
    }

    static bool is_open(const PanelContext& context, const ListedHead& head) {
        const Component* shown = shown_attention(context.components, context.selection);
        return shown == head.attention && context.selection.head == head.head;
    }

    /// Chooses the head that is clicked; a double-click shows its attention large.
    static void point_at(PanelContext& context, const std::vector<ListedHead>& heads,
                         std::optional<std::size_t> at) {
        if (!at) return;
        const ListedHead& head = heads[*at];
        std::string text =
            fmt::format("{} · {}", head.attention->group, head_title(*head.attention, head.head));
        if (head.label) text += " · " + label_and_value(*head.label);
        if (head.ablation) text += std::string(" · ") + ablation_words(*head.ablation);
        widgets::draw_tooltip(text +
                              "\nA double-click opens it: every weight can be changed there");
        if (!ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return;
        Selection& selection = context.selection;
        selection.choose_component(*context.trace, context.components, head.attention->path);
        selection.choose_head(*context.trace, context.components, head.head);
        if (!ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) selection.view = ViewId::Heads;
    }

    std::vector<HeadThumbnail> thumbnails_;
    std::unique_ptr<Panel> flow_ = make_flow_panel(), graph_ = make_graph_panel(),
                           image_ = make_image_panel();
};

}  // namespace

void draw_training_transport(PanelContext& context, Box box) {
    TrainingTransport::draw(context, box);
}

std::unique_ptr<Panel> make_training_panel() {
    return std::make_unique<TrainingPanel>();
}

}  // namespace headlight
