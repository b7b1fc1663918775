#include "scene/figures/readout_view.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "paint/color.h"
#include "paint/color_scale.h"
#include "paint/figure_parts.h"
#include "paint/figure_type.h"
#include "paint/figures/bars_figure.h"
#include "paint/labels.h"
#include "paint/number_format.h"
#include "scene/figures/compared_sides.h"
#include "scene/figures/sweep_figure.h"
#include "scene/readout/sweep_run.h"

namespace headlight {
namespace {

constexpr float kCardPad = 14, kCardGap = 12, kCardHeading = 46, kCardTitle = 14, kCardNote = 12;
constexpr float kBarRow = 19;
constexpr float kLeastCard = 2 * kCardPad + kCardHeading + 2 * kBarRow;  // it shows something
constexpr float kLeastSweep = 120;

/// So many of n, evenly spread, with the first, if there are two, and the last.
std::vector<std::size_t> spread(std::size_t n, std::size_t count) {
    std::vector<std::size_t> chosen;
    count = std::min(n, count);
    for (std::size_t k = 0; k < count; ++k)
        chosen.push_back(count == 1 ? n - 1 : k * (n - 1) / (count - 1));
    return chosen;
}

/// The heights in which the three cards show what matters, above each other.
std::array<float, 3> heights_needed(const LogitView& readout) {
    constexpr float kLensRow = 22, kMostWords = 10, kMostParts = 14;
    const float around = 2 * kCardPad + kCardHeading;
    const auto rows = [&](std::size_t n, float most) {
        return around + kBarRow * (std::min(static_cast<float>(n), most) + 1);
    };
    const std::size_t n_parts = readout.parts ? readout.parts->parts.size() : 2;
    return {rows(readout.next.size(), kMostWords),
            around + kLensRow * static_cast<float>(readout.lens.size()), rows(n_parts, kMostParts)};
}

class ReadoutFigure {
  public:
    ReadoutFigure(const LogitView& readout, Point size, const Theme& theme,
                  const MeasureText& measure)
        : readout_(readout), size_(size), theme_(theme), measure_(measure) {}

    Figure draw() {
        figure_.width = size_.x, figure_.height = size_.y;
        const std::array<Box, 3> cards = places();
        draw_next(cards[0]);
        draw_lens(cards[1]);
        draw_parts(cards[2]);
        return std::move(figure_);
    }

  private:
    std::array<Box, 3> places() const {
        constexpr std::array kOfWidth = {0.26f, 0.40f, 0.34f};
        std::array<Box, 3> boxes;
        const bool are_beside = size_.x >= kLeastThreeBeside;
        const std::array<float, 3> shares = are_beside ? kOfWidth : heights_needed(readout_);
        const float all = (are_beside ? size_.x : size_.y) - 2 * kCardGap;
        const float sum = shares[0] + shares[1] + shares[2];
        float at = 0;
        for (std::size_t k = 0; k < boxes.size(); ++k) {
            const float part = all * shares[k] / sum;
            boxes[k] = are_beside ? Box{at, 0, part, size_.y} : Box{0, at, size_.x, part};
            at += part + kCardGap;
        }
        return boxes;
    }

    /// The room below its title.
    Box begin_card(Box card, const std::string& title, const std::string& note) {
        figure_.add(RectMark{card, theme_.card, theme_.border, 1, 6});
        const float room = card.width - 2 * kCardPad;
        TextMark heading{{card.x + kCardPad, card.y + kCardPad + 10},
                         title,
                         kCardTitle,
                         theme_.text,
                         Font::Bold};
        TextMark below{{card.x + kCardPad, card.y + kCardPad + 28}, note, kCardNote, theme_.muted};
        shorten(heading, room, measure_);
        shorten(below, room, measure_);
        figure_.add(heading);
        if (card.height >= kCardPad + kCardHeading) figure_.add(below);
        const float top = card.y + kCardPad + kCardHeading;
        return {card.x + kCardPad, top, room, std::max(1.0f, card.bottom() - kCardPad - top)};
    }

    void draw_bars(BarsInput input, Box room) {
        const int rows = static_cast<int>(room.height / kBarRow);
        if (rows == 0) return;
        const bool has_rest = input.n_more > 0 || std::ssize(input.values) > rows;
        input.width = room.width;
        input.color = theme_.accent;
        input.negative_color = theme_.negative;
        input.max_rows = std::max(1, rows - (has_rest ? 1 : 0));
        add_part(figure_, bars_figure(input, theme_, measure_).figure, {room.x, room.y});
    }

    /// What the bars are of, and where it is asked.
    std::pair<std::string, std::string> words_of_answer() const {
        if (readout_.names == LogitsName::Class) return {"Class", "of the picture"};
        const std::string at =
            "“" + readout_.after + "”, token " + std::to_string(readout_.question.row);
        switch (readout_.names) {
            case LogitsName::NextWord:
                return {"Next word", "after " + at};
            case LogitsName::WordWritten:
                return {"Word to write", "where “" + readout_.after + "” is written"};
            case LogitsName::WordOfStep:
                return {"Word to write", "at step " + readout_.after};
            default:
                return {"Word in its place", "in place of " + at};
        }
    }

    void draw_next(Box card) {
        const auto [title, note] = words_of_answer();
        const Box room = begin_card(card, title, note);
        BarsInput input;
        input.full_scale = 1;
        for (const LikelyWord& word : readout_.next) {
            if (word.is_asked) input.selected = std::ssize(input.values);
            input.labels.push_back(word.name);
            input.values.push_back(static_cast<Scalar>(word.probability));
        }
        input.n_more = readout_.n_more;
        input.more_sum = static_cast<Scalar>(std::max(0.0, readout_.more_sum));
        draw_bars(std::move(input), room);
    }

    void draw_lens(Box card) {
        constexpr float kHighest = 30, kLeastStep = 13, kLabel = 44, kValue = 52, kGap = 5;
        const float height = card.height - 2 * kCardPad - kCardHeading;
        const std::vector<std::size_t> stages = spread(
            readout_.lens.size(), static_cast<std::size_t>(std::max(0.0f, height / kLeastStep)));
        std::string note = "if the layers after did nothing";
        if (stages.size() < readout_.lens.size())
            note += "; " + std::to_string(stages.size()) + " of " +
                    std::to_string(readout_.lens.size()) + " shown";
        const Box room = begin_card(card, "Logit lens", note);
        if (stages.empty()) return;
        const auto n = static_cast<float>(stages.size());
        const float step = std::min(kHighest, room.height / std::max(1.0f, n));
        const float size = std::clamp(0.5f * step, 6.0f, 13.0f);
        const float column = (room.width - kLabel - kValue) /
                             static_cast<float>(readout_.lens.front().likeliest.size());
        for (std::size_t l = 0; l < stages.size(); ++l) {
            const LogitView::Stage& stage = readout_.lens[stages[l]];
            const float y = room.y + step * static_cast<float>(l), base = y + step / 2 + size / 3;
            figure_.add(TextMark{{room.x, base}, stage.name, size, theme_.muted});
            for (std::size_t k = 0; k < stage.likeliest.size(); ++k) {
                const LikelyWord& word = stage.likeliest[k];
                const Box box{room.x + kLabel + column * static_cast<float>(k), y + step * 0.08f,
                              column - kGap, step * 0.84f};
                const Color fill = mixed(theme_.card, theme_.accent, word.probability);
                figure_.add(RectMark{box, fill, theme_.border, 0.5f, 3});
                TextMark name{{box.x + 7, base},
                              word.name,
                              size,
                              text_on(theme_, fill),
                              word.is_asked ? Font::Bold : Font::Regular};
                shorten(name, box.width - 10, measure_);
                figure_.add(name);
            }
            TextMark value{{room.right(), base},
                           format_listed(static_cast<Scalar>(stage.asked)),
                           size,
                           theme_.muted};
            value.align = Align::End;
            figure_.add(value);
        }
        TextMark heading{{room.right(), room.y - 6}, "p(" + readout_.word + ")", 11, theme_.muted};
        heading.align = Align::End;
        figure_.add(heading);
    }

    void draw_parts(Box card) {
        const std::string sum = format_value(static_cast<Scalar>(readout_.logit));
        std::string what = sum + " = logit of “" + readout_.word + "”";
        if (!readout_.minus.empty()) what += " − logit of “" + readout_.minus + "”";
        if (readout_.parts) what += ", as a sum";
        const Box room = begin_card(card, "Where the logit comes from", what);
        if (!readout_.parts) {
            const TextMark why{{room.x, room.y + 12},
                               "It is no sum of parts: a norm follows each layer, or a nonlinear "
                               "head the last one.",
                               kCardNote,
                               theme_.muted};
            TextMark line = why;
            for (std::string& words : wrapped_lines(why, room.width, measure_)) {
                line.text = std::move(words);
                figure_.add(line);
                line.at.y += kLineHeight * kCardNote;
            }
            return;
        }
        BarsInput input;
        input.order = BarsInput::Order::StrongestFirst;
        for (const LogitPart& part : readout_.parts->parts) {
            input.labels.push_back(part_name(part.what));
            input.values.push_back(static_cast<Scalar>(part.value));
        }
        draw_bars(std::move(input), room);
    }

    const LogitView& readout_;
    Point size_;
    const Theme& theme_;
    const MeasureText& measure_;
    Figure figure_;
};

}  // namespace

std::optional<HeatmapInput> sweep_input(const Scene& scene, const std::string& asked_now) {
    const SweepResult* result = scene.sweep ? scene.sweep->result() : nullptr;
    if (!result) return std::nullopt;
    const SweepOrder& order = scene.sweep->order();
    const SweepWords words{order.asked, sweep_sentence(order.settings)};
    HeatmapInput input = sweep_heatmap(*result, order.settings, words, scene.theme);
    const bool is_of_word = asks_of_word(order.settings.quantity);
    if (!(*order.document == scene.document))
        input.formula += " (before the study was changed)";
    else if (is_of_word && !asked_now.empty() && asked_now != order.asked)
        input.formula += " (of another word or place than above)";
    const bool is_over_heads = order.settings.over == SweepOver::Heads;
    const Component* attention = shown_attention(scene.components, scene.selection);
    if (attention && is_over_heads) {
        const SweepRow row{attention->place.layer, attention->place.component};
        const auto at = std::ranges::find(result->rows, row);
        if (at != result->rows.end() && scene.selection.head < result->change.cols())
            input.selected = {{at - result->rows.begin()}, scene.selection.head};
    }
    return input;
}

namespace {

/// Half of the view, less where the cards need more, or all of it where there is no room for both.
float height_of_sweep(Point size) {
    const bool are_beside = size.x >= kLeastThreeBeside;
    const float cards = are_beside ? kLeastCard : 3 * kLeastCard + 2 * kCardGap;
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

Figure readout_cards(const Scene& scene, const LogitView& readout, Point size,
                     const MeasureText& measure) {
    return ReadoutFigure(readout, size, scene.theme, measure).draw();
}

Figure readout_figure(const Scene& scene, const LogitView& readout, Point size,
                      const MeasureText& measure) {
    const SweepPicture sweep = sweep_picture(scene, readout, size, measure);
    if (sweep.figure.marks.empty()) return readout_cards(scene, readout, size, measure);
    Figure figure{size.x, size.y, {}};
    const Point cards{size.x, sweep.at.y - kCardGap};
    if (cards.y > 0) add_part(figure, readout_cards(scene, readout, cards, measure), {0, 0});
    add_part(figure, sweep.figure, sweep.at);
    return figure;
}

Figure readout_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure) {
    constexpr float kWidth = 1080, kHeight = 460, kTitle = 22, kTitleType = 13;
    const std::vector<ComparedSide> sides = sides_without_difference(scene, HasHeads::All);
    const bool has_titles = sides.size() > 1;
    const float title = has_titles ? kTitle : 0;
    std::optional<SceneOfB> b;
    std::vector<std::optional<LogitView>> readouts;
    for (const ComparedSide side : sides) {
        if (side == ComparedSide::B) b.emplace(scene);
        const Scene& of = b ? b->scene() : scene;
        readouts.push_back(has_readout(of.trace) ? std::optional(make_readout(of)) : std::nullopt);
    }
    const auto n = static_cast<float>(sides.size());
    const auto height_for = [&](float width) {
        const std::array<float, 3> cards = heights_needed(*readouts.front());
        const float stacked = cards[0] + cards[1] + cards[2] + 2 * kCardGap;
        const float each = width < kLeastThreeBeside ? stacked : width * kHeight / kWidth;
        return n * (each + title) + (n - 1) * kCardGap;
    };
    const PictureRoom room = picture_room(look, {kWidth, height_for(kWidth)}, height_for);
    const float height = (room.size.y - (n - 1) * kCardGap) / n;
    Figure figure{room.size.x, room.size.y, {}};
    float top = 0;
    for (std::size_t k = 0; k < sides.size(); ++k) {
        if (has_titles) {
            const std::string name = side_title(*scene.comparison, sides[k]);
            TextMark mark{{0, top + kTitleType}, name, kTitleType, scene.theme.text, Font::Bold};
            if (!readouts[k]) mark.text += ", which names no words";
            shorten(mark, room.size.x, measure);
            figure.add(std::move(mark));
        }
        const Scene& of = sides[k] == ComparedSide::B ? b->scene() : scene;
        const Point size{room.size.x, height - title};
        if (readouts[k])
            add_part(figure, readout_figure(of, *readouts[k], size, measure), {0, top + title});
        top += height + kCardGap;
    }
    return figure;
}

}  // namespace headlight
