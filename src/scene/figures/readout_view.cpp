#include "scene/figures/readout_view.h"

#include <algorithm>
#include <utility>

#include "paint/figure_parts.h"
#include "paint/figure_type.h"
#include "paint/figures/heatmap_figure.h"
#include "paint/words/cut_texts.h"
#include "scene/figures/compared_sides.h"
#include "scene/figures/sweep_figure.h"
#include "scene/readout/done_sweep.h"
#include "scene/readout/readout_cards.h"

namespace headlight {
namespace {

constexpr float kLeastSweep = 120;
constexpr float kNoteLine = 15;  // of a note that goes on below, in a narrow card

}  // namespace

std::optional<HeatmapInput> sweep_input(const Scene& scene, const std::string& asked_now) {
    if (!scene.sweep) return std::nullopt;
    const SweepOrder& order = scene.sweep->order;
    const SweepResult& result = scene.sweep->result;
    HeatmapInput input = sweep_heatmap(*scene.sweep, scene.theme);
    const SweepQuantity quantity = order.settings.quantity;
    const bool is_asked_now =
        asks_of_word(quantity) ? asked_now == order.asked : asked_now.ends_with(order.asked);
    if (order.document && !(*order.document == scene.document))
        input.formula += " (before the study was changed)";
    else if (asks_of_place(quantity) && !asked_now.empty() && !is_asked_now)
        input.formula += " (of another word or place than above)";
    const bool is_over_heads = order.settings.over == SweepOver::Heads;
    const Component* attention = shown_attention(scene.components, scene.selection);
    if (attention && is_over_heads) {
        const SweepRow row{attention->place.layer, attention->place.component};
        const auto at = std::ranges::find(result.rows, row);
        if (at != result.rows.end() && scene.selection.head < result.change.cols())
            input.selected = {{at - result.rows.begin()}, scene.selection.head};
    }
    return input;
}

std::string readout_title(const Scene& scene, ComparedSide side, const Scene& of_side) {
    const std::string title = side_title(*scene.comparison, side);
    if (!has_readout(of_side.trace)) return title + ", which names no words";
    if (side != ComparedSide::B) return title;
    const std::string path = logits_path();
    const std::string others = other_words_text({scene.trace, scene.trace.at(path)},
                                                {of_side.trace, of_side.trace.at(path)});
    return title + (others.empty() ? "" : ", which reads " + others);
}

void set_beside(LogitView& a, LogitView& b) {
    a.beside = &b;
    b.beside = &a;
}

namespace {

/// Half of the view, less where the cards need more, or all of it where there is no room for both.
float height_of_sweep(Point size) {
    const bool are_beside = size.x >= kLeastCardsBeside;
    const float least = least_card_height();
    const float cards = are_beside ? least : 3 * least + 2 * kCardGap;
    const float rest = size.y - kCardGap - cards;
    return rest < kLeastSweep ? size.y : std::min((size.y - kCardGap) / 2, rest);
}

}  // namespace

SweepPicture sweep_card(const Scene& scene, const LogitView& readout, Point size,
                        const MeasureText& measure) {
    auto input = sweep_input(scene, asked_text(readout));
    if (!input) return {};
    input->width = size.x;
    input->height = size.y;
    Figure card{size.x, size.y, {}};
    card.add(RectMark{{0, 0, size.x, size.y}, scene.theme.card, scene.theme.border, 1, 6});
    HeatmapFigure picture = heatmap_figure(*input, scene.theme, measure);
    add_part(card, picture.figure, {0, 0});
    return {std::move(card), picture.grid, {0, 0}};
}

SweepPicture sweep_picture(const Scene& scene, const LogitView& readout, Point size,
                           const MeasureText& measure) {
    const float height = height_of_sweep(size);
    SweepPicture sweep = sweep_card(scene, readout, {size.x, height}, measure);
    sweep.at.y = size.y - height;
    return sweep;
}

Figure readout_figure(const Scene& scene, const LogitView& readout, Point size,
                      const MeasureText& measure) {
    const SweepPicture sweep = sweep_picture(scene, readout, size, measure);
    if (sweep.figure.marks.empty())
        return readout_cards(readout, kReadoutCards, size, scene.theme, measure);
    Figure figure{size.x, size.y, {}};
    const Point cards{size.x, sweep.at.y - kCardGap};
    constexpr auto kCards = std::ssize(kReadoutCards);
    if (cards.y > 0)
        add_part(figure, readout_cards(readout, kReadoutCards, cards, scene.theme, measure),
                 {0, 0});
    else
        figure.leave_out({"cards", kCards, kCards});
    add_part(figure, sweep.figure, sweep.at);
    return figure;
}

namespace {

/// One side of a comparison, or A alone.
struct ReadoutSide {
    std::string title;  // "": nothing is compared
    const Scene* scene;
    std::optional<LogitView> view;  // absent: it names no words
};

std::vector<ReadoutSide> list_readouts(const Scene& scene, std::optional<SceneOfB>& b) {
    const std::vector<ComparedSide> shown = sides_without_difference(scene, HasHeads::All);
    std::vector<ReadoutSide> sides;
    for (const ComparedSide side : shown) {
        if (side == ComparedSide::B) b.emplace(scene);
        const Scene& of = b ? b->scene() : scene;
        const bool is_compared = shown.size() > 1;
        sides.push_back({is_compared ? readout_title(scene, side, of) : "", &of, {}});
        if (has_readout(of.trace)) sides.back().view = make_readout(of);
    }
    if (sides.size() == 2 && sides[0].view && sides[1].view)
        set_beside(*sides[0].view, *sides[1].view);
    return sides;
}

/// Points in which the cards of a side read well, in that width.
float height_of_side(const ReadoutSide& side, std::span<const ReadoutCard> cards, float width) {
    constexpr float kWide = 1080, kHigh = 460;
    if (!side.view) return 1;
    if (cards.size() == 1) return card_height(*side.view, cards.front(), CardRows::All);
    float stacked = kCardGap * static_cast<float>(cards.size() - 1);
    for (const ReadoutCard card : cards) stacked += card_height(*side.view, card) + kNoteLine;
    const float height = width < kLeastCardsBeside ? stacked : width * kHigh / kWide;
    const auto input = sweep_input(*side.scene);
    return input ? height + kCardGap + sweep_height(*input, width) : height;
}

/// One card alone has the width in which it reads well.
float width_of_cards(std::span<const ReadoutCard> cards) {
    constexpr float kAll = 1080, kNext = 420, kLens = 660, kParts = 480;
    if (cards.size() > 1) return kAll;
    return cards.front() == ReadoutCard::Next   ? kNext
           : cards.front() == ReadoutCard::Lens ? kLens
                                                : kParts;
}

}  // namespace

Figure readout_picture(const Scene& scene, std::span<const ReadoutCard> cards,
                       const FigureLook& look, const MeasureText& measure) {
    constexpr float kTitle = 22, kTitleType = 13, kBorder = 1;  // of a card, half outside of it
    std::optional<SceneOfB> b;
    const std::vector<ReadoutSide> sides = list_readouts(scene, b);
    const auto n = static_cast<float>(sides.size());
    const float title = sides.size() > 1 ? kTitle : 0;
    const float between = n * title + (n - 1) * kCardGap;
    const auto heights_in = [&](float width) {
        float sum = 0;
        for (const ReadoutSide& side : sides) sum += height_of_side(side, cards, width);
        return sum;
    };
    const auto height_for = [&](float width) { return heights_in(width) + between; };
    const float standard = width_of_cards(cards);
    const PictureRoom room = picture_room(look, {standard, height_for(standard)}, height_for);
    const float share = (room.size.y - between) / heights_in(room.size.x);
    Figure figure{room.size.x, room.size.y, {}};
    CutTexts titles("titles");
    float top = 0;
    for (const ReadoutSide& side : sides) {
        if (!side.title.empty()) {
            TextMark mark{
                {kBorder, top + kTitleType}, side.title, kTitleType, scene.theme.text, Font::Bold};
            titles.shorten(mark, room.size.x - 2 * kBorder, measure);
            figure.add(std::move(mark));
        }
        const float height = share * height_of_side(side, cards, room.size.x);
        const Point size{room.size.x - 2 * kBorder, height - 2 * kBorder};
        if (side.view)
            add_part(figure,
                     cards.size() == 1
                         ? readout_cards(*side.view, cards, size, scene.theme, measure)
                         : readout_figure(*side.scene, *side.view, size, measure),
                     {kBorder, top + title + kBorder});
        top += title + height + kCardGap;
    }
    titles.tell(figure);
    return figure;
}

}  // namespace headlight
