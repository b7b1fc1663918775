// All heads of a layer as thumbnails.
#include <algorithm>
#include <imgui.h>

#include "core/statistics.h"
#include "paint/heatmap_figure.h"
#include "paint/number_format.h"
#include "paint/tensor_scale.h"
#include "paint/thumbnail.h"
#include "ui/panels.h"
#include "ui/style.h"
#include "ui/widgets.h"

namespace headlight {
namespace {

constexpr float kCaption = 40, kShortCaption = 25, kCaptionWidth = 92;
constexpr float kGap = 22, kSmallestSide = 40;

/// The thumbnail of one pattern, made again only when the pattern is another one.
struct Thumbnail {
    MatrixPtr pattern;
    MatrixPtr picture;
    Scalar entropy = 0;
};

Thumbnail make_thumbnail(const Trace& trace, const MatrixPtr& pattern) {
    if (!trace.edges) return {pattern, pattern, mean_entropy_bits(*pattern)};
    std::vector<ReadEdge> edges;
    for (std::size_t e = 0; e < trace.edges->row.size(); ++e)
        edges.push_back({static_cast<int>(trace.edges->row[e]),
                         static_cast<int>(trace.edges->neighbour[e]),
                         (*pattern)(static_cast<Index>(e), 0)});
    return {pattern, std::make_shared<const Matrix>(pooled_pattern(edges, trace.edges->n_nodes)),
            mean_entropy_bits(*pattern, *trace.edges)};
}

/// How the thumbnails share the strip: in one row, or in two smaller ones when one is too long.
struct HeadGrid {
    int columns = 1;
    float side = kSmallestSide;
    enum class Captions { Full, Short } captions = Captions::Full;
};

HeadGrid place_heads(int n_heads) {
    using Captions = HeadGrid::Captions;
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const auto n = static_cast<float>(n_heads);
    const float side = std::max(kSmallestSide, room.y - kCaption);
    if (n * (std::max(side, kCaptionWidth) + kGap) <= room.x)
        return {n_heads, side, Captions::Full};
    const float share = room.x / n - kGap / 2;
    if (share >= kSmallestSide) return {n_heads, std::min(side, share), Captions::Short};
    const int columns = (n_heads + 1) / 2;
    const float shared = room.x / static_cast<float>(columns) - kGap / 2;
    return {columns, std::clamp(room.y / 2 - kShortCaption, 20.0f, std::max(20.0f, shared)),
            Captions::Short};
}

class HeadsPanel final : public Panel {
  public:
    const char* title() const override { return "Heads"; }
    const char* help() const override {
        return "The pattern of every head: a row looks, a column is looked at; 0 is blank, 1 is "
               "the "
               "head's full colour. The number is the mean entropy of its rows: 0 bits, when each "
               "word "
               "reads one word, up to log₂ n bits, when it reads all alike.";
    }

    void draw(PanelContext& context) override {
        const Trace& trace = *context.trace;
        draw_layers(context, trace);
        const int n_heads = count_heads(trace);
        thumbnails_.resize(static_cast<std::size_t>(n_heads));
        ImGui::BeginGroup();
        const HeadGrid grid = place_heads(n_heads);
        for (int h = 0; h < n_heads; ++h) {
            const bool is_short = grid.captions == HeadGrid::Captions::Short;
            if (h % grid.columns > 0) ImGui::SameLine(0, is_short ? kGap / 2 : kGap);
            draw_head(context, h, grid);
        }
        ImGui::EndGroup();
    }

  private:
    void draw_layers(PanelContext& context, const Trace& trace) {
        const int n_layers = count_layers(trace);
        if (n_layers < 2) return;
        ImGui::BeginGroup();
        for (int l = 0; l < n_layers; ++l) {
            const std::string name = "Layer " + std::to_string(l);
            const bool is_chosen = context.selection.layer == l;
            if (ImGui::Selectable(name.c_str(), is_chosen, 0, {62, 0}))
                context.selection.choose_head(trace, l, context.selection.head);
            widgets::name_item(context, "button " + name);
        }
        ImGui::EndGroup();
        ImGui::SameLine(0, 18);
    }

    void draw_head(PanelContext& context, int head, const HeadGrid& grid) {
        const Trace& trace = *context.trace;
        const Tensor& pattern =
            trace.at(head_path(trace, context.selection.layer, head) + ".pattern");
        if (!pattern.value) return;
        Thumbnail& thumbnail = thumbnails_[static_cast<std::size_t>(head)];
        if (thumbnail.pattern != pattern.value) thumbnail = make_thumbnail(trace, pattern.value);
        ImGui::BeginGroup();
        const Figure figure = thumbnail_figure(context, thumbnail, pattern, grid.side, head);
        widgets::place_figure(context, figure);
        draw_caption(context, thumbnail, head, grid.captions);
        ImGui::EndGroup();
        widgets::name_item(context, "head " + std::to_string(head));
        if (ImGui::IsItemClicked())
            context.selection.choose_head(trace, context.selection.layer, head);
    }

    Figure thumbnail_figure(PanelContext& context, const Thumbnail& thumbnail,
                            const Tensor& pattern, float side, int head) {
        const bool is_chosen = context.selection.head == head;
        Figure figure{side, side, {}};
        figure.add(RectMark{{1, 1, side - 2, side - 2},
                            context.theme.card,
                            is_chosen ? head_color(context.theme, head) : context.theme.border,
                            is_chosen ? 2.5f : 1.0f,
                            6});
        const float pad = side < 80 ? 4 : 7;
        figure.add(HeatmapMark{.box = {pad, pad, side - 2 * pad, side - 2 * pad},
                               .values = thumbnail.picture,
                               .scale = scale_of(pattern, *thumbnail.picture, context.theme)});
        return figure;
    }

    void draw_caption(PanelContext& context, const Thumbnail& thumbnail, int head,
                      HeadGrid::Captions captions) {
        context.painter.push_font(Font::Regular, 11);
        ImGui::TextColored(im_vec(head_color(context.theme, head)), "●");
        ImGui::SameLine(0, 4);
        if (captions == HeadGrid::Captions::Short) {
            ImGui::Text("%d", head);
        } else {
            ImGui::Text("head %d", head);
            ImGui::SameLine(0, 4);
            ImGui::TextDisabled("%s bits", format_value(thumbnail.entropy, 2).c_str());
        }
        context.painter.pop_font();
    }

    std::vector<Thumbnail> thumbnails_;
};

}  // namespace

std::unique_ptr<Panel> make_heads_panel() {
    return std::make_unique<HeadsPanel>();
}

}  // namespace headlight
