#include "views/readout_view.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <span>
#include <utility>

#include "figure/bars_figure.h"
#include "figure/color.h"
#include "figure/color_scale.h"
#include "figure/figure_look.h"
#include "figure/figure_parts.h"
#include "figure/heatmap_figure.h"
#include "figure/labels.h"
#include "figure/number_format.h"
#include "text/strings.h"
#include "views/compared_sides.h"
#include "views/finished_sweep.h"

namespace headlight {
namespace {

constexpr float kLeastSweep = 120;
constexpr float kNoteLine = 15;  // of a note that goes on below, in a narrow card

}  // namespace

std::optional<HeatmapInput> sweep_input(const Scene& scene, const std::string& asked_now) {
    if (!scene.sweep) return std::nullopt;
    const SweepJob& order = scene.sweep->order;
    const SweepResult& result = scene.sweep->result;
    HeatmapInput input = sweep_heatmap(*scene.sweep, scene.theme);
    const SweepQuantity quantity = order.settings.quantity;
    const bool is_asked_now =
        asks_of_word(quantity) ? asked_now == order.asked : asked_now.ends_with(order.asked);
    if (order.document && !(*order.document == scene.document))
        input.formula += " (before the study was changed)";
    else if (asks_of_place(quantity) && !asked_now.empty() && !is_asked_now)
        input.formula += " (of another word or place than above)";
    const bool is_over_heads = order.settings.over == SweepSites::Heads;
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

constexpr float kCardGap = 12, kCardPad = 14, kCardHeading = 46, kCardTitle = 14, kCardNote = 12;
constexpr float kBarRow = 19;
constexpr Index kLeastBars = 2;  // the first, and what the others add up to

struct CardRows {
    bool are_all = false;
};

/// Returns the height in which a card shows what matters, or, with all rows, everything: of what
/// adds up to a logit only the strongest parts.
float card_height(const LogitView& readout, LogitCard card, CardRows rows = {}) {
    constexpr float kLensRow = 22;
    constexpr std::size_t kMostPartsShown = 32;
    const float around = 2 * kCardPad + kCardHeading;
    const auto bars = [&](std::size_t n, std::size_t most) {
        const std::size_t shown = rows.are_all ? n : std::min(n, most) + 1;
        return around + kBarRow * static_cast<float>(shown);
    };
    switch (card) {
        case LogitCard::Next:
            return bars(readout.next.size() + (rows.are_all && readout.n_more > 0), 10);
        case LogitCard::Lens:
            return around + kLensRow * static_cast<float>(readout.lens.size());
        case LogitCard::Attribution:
            break;
    }
    if (!readout.parts) return bars(3, 2);
    return bars(std::min<std::size_t>(readout.parts->parts.size(), kMostPartsShown), 14);
}

/// With less height a card shows nothing.
float least_card_height() {
    return 2 * kCardPad + kCardHeading + static_cast<float>(kLeastBars + 1) * kBarRow;
}

/// Returns half of the view, less where the cards need more, or all of it where there is no room
/// for both.
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
        return logit_cards(readout, kLogitCards, size, scene.theme, measure);
    Figure figure{size.x, size.y, {}};
    const Point cards{size.x, sweep.at.y - kCardGap};
    constexpr auto kCards = std::ssize(kLogitCards);
    if (cards.y > 0)
        add_part(figure, logit_cards(readout, kLogitCards, cards, scene.theme, measure), {0, 0});
    else
        figure.leave_out({"cards", kCards, kCards});
    add_part(figure, sweep.figure, sweep.at);
    return figure;
}

namespace {

/// One side of a comparison, or A if nothing is compared.
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

/// Returns the height, in points, in which the cards of a side read well in that width.
float height_of_side(const ReadoutSide& side, std::span<const LogitCard> cards, float width) {
    constexpr float kWide = 1080, kHigh = 460;
    if (!side.view) return 1;
    if (cards.size() == 1) return card_height(*side.view, cards.front(), {.are_all = true});
    float stacked = kCardGap * static_cast<float>(cards.size() - 1);
    for (const LogitCard card : cards) stacked += card_height(*side.view, card) + kNoteLine;
    const float height = width < kLeastCardsBeside ? stacked : width * kHigh / kWide;
    const auto input = sweep_input(*side.scene);
    return input ? height + kCardGap + sweep_height(*input, width) : height;
}

/// A single card has the width in which it reads well.
float width_of_cards(std::span<const LogitCard> cards) {
    constexpr float kAll = 1080, kNext = 420, kLens = 660, kAttribution = 480;
    if (cards.size() > 1) return kAll;
    return cards.front() == LogitCard::Next   ? kNext
           : cards.front() == LogitCard::Lens ? kLens
                                              : kAttribution;
}

}  // namespace

Figure readout_picture(const Scene& scene, std::span<const LogitCard> cards, const FigureLook& look,
                       const MeasureText& measure) {
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
                     cards.size() == 1 ? logit_cards(*side.view, cards, size, scene.theme, measure)
                                       : readout_figure(*side.scene, *side.view, size, measure),
                     {kBorder, top + title + kBorder});
        top += title + height + kCardGap;
    }
    titles.tell(figure);
    return figure;
}

namespace {

constexpr float kWideForWords = 680;  // in less the lens drops words that would be cut

constexpr float kMoreNote = 15;               // of one line more below a title
constexpr float kLensGap = 5, kLensPad = 10;  // between words of the lens; beside one in its box
constexpr float kLensText = 13, kLensValue = 52;

/// Chooses `count` of n places, evenly spread, with the first, if there are two, and the last.
std::vector<std::size_t> spread(std::size_t n, std::size_t count) {
    std::vector<std::size_t> chosen;
    count = std::min(n, count);
    for (std::size_t k = 0; k < count; ++k)
        chosen.push_back(count == 1 ? n - 1 : k * (n - 1) / (count - 1));
    return chosen;
}

BarsInput bars_of_words(const LogitView& readout) {
    BarsInput input;
    input.full_scale = 1;
    for (const LikelyWord& word : readout.next) {
        if (word.is_asked) input.selected = std::ssize(input.values);
        input.labels.push_back(word.name);
        input.values.push_back(static_cast<Scalar>(word.probability));
    }
    input.n_more = readout.n_more;
    input.more_sum = static_cast<Scalar>(std::max(0.0, readout.more_sum));
    return input;
}

BarsInput bars_of_parts(const LogitView& readout) {
    BarsInput input;
    input.order = BarsInput::Order::StrongestFirst;
    if (!readout.parts) return input;
    for (const LogitPart& part : readout.parts->parts) {
        input.labels.push_back(part_name(part.what));
        input.values.push_back(static_cast<Scalar>(part.value));
    }
    return input;
}

class ReadoutFigure {
  public:
    ReadoutFigure(const LogitView& readout, Point size, const Theme& theme,
                  const MeasureText& measure)
        : readout_(readout), size_(size), theme_(theme), measure_(measure) {}

    Figure draw(std::span<const LogitCard> cards) {
        figure_.width = size_.x, figure_.height = size_.y;
        is_alone_ = cards.size() == 1;
        const CardsWithRoom fitting = cards_with_room(cards);
        const auto n_cards = std::ssize(cards), n_drawn = std::ssize(fitting.cards);
        figure_.leave_out({"cards", n_cards - n_drawn, n_cards});
        const std::vector<Box> boxes = places(fitting);
        for (std::size_t k = 0; k < fitting.cards.size(); ++k) draw(fitting.cards[k], boxes[k]);
        for (const CutTexts* cut : {&headings_, &words_}) cut->tell(figure_);
        return std::move(figure_);
    }

  private:
    struct CardsWithRoom {
        std::vector<LogitCard> cards;
        bool are_beside = false;
    };

    /// Returns as many cards as show something, beside or above each other; at least the first.
    CardsWithRoom cards_with_room(std::span<const LogitCard> cards) const {
        constexpr float kLeastWidth = kLeastCardsBeside / 3;
        CardsWithRoom fitting{{cards.begin(), cards.end()}, size_.x >= kLeastCardsBeside};
        for (; fitting.cards.size() > 1; drop_one(fitting.cards)) {
            const auto n = static_cast<float>(fitting.cards.size());
            const bool has_height = n * least_card_height() + (n - 1) * kCardGap <= size_.y;
            if (fitting.are_beside || has_height) return fitting;
            fitting.are_beside = fitting.cards.size() < cards.size() && size_.x >= n * kLeastWidth;
            if (fitting.are_beside) return fitting;
        }
        return fitting;
    }
    /// The lens is the first card that a view does without.
    static void drop_one(std::vector<LogitCard>& cards) {
        const auto lens = std::ranges::find(cards, LogitCard::Lens);
        cards.erase(lens == cards.end() ? cards.end() - 1 : lens);
    }

    /// Above each other every card has the least height, and its share of the rest.
    std::vector<Box> places(const CardsWithRoom& fitting) const {
        const std::vector<LogitCard>& cards = fitting.cards;
        const bool are_beside = fitting.are_beside;
        std::vector<float> shares;
        float sum = 0;
        for (const LogitCard card : cards) {
            shares.push_back(are_beside ? share_of_width(card)
                                        : card_height(readout_, card) + kMoreNote);
            sum += shares.back();
        }
        const auto n = static_cast<float>(cards.size());
        const float all = (are_beside ? size_.x : size_.y) - (n - 1) * kCardGap;
        const float least = are_beside ? 0 : std::min(least_card_height(), all / n);
        std::vector<Box> boxes;
        float at = 0;
        for (const float share : shares) {
            const float part = least + (all - n * least) * share / sum;
            boxes.push_back(are_beside ? Box{at, 0, part, size_.y} : Box{0, at, size_.x, part});
            at += part + kCardGap;
        }
        return boxes;
    }

    /// The lens has as much width as its words need. In a narrow picture the titles need its room.
    float share_of_width(LogitCard card) const {
        constexpr float kNext = 0.26f, kAttribution = 0.34f, kMostLens = 0.52f;
        const float least = size_.x < kWideForWords ? 0.37f : 0.40f;
        const float lens = std::clamp(width_of_lens() / size_.x, least, kMostLens);
        if (card == LogitCard::Lens) return lens;
        return (1 - lens) * (card == LogitCard::Next ? kNext : kAttribution) /
               (kNext + kAttribution);
    }

    /// Returns the width in which no word is cut.
    float width_of_lens() const {
        float widest = 0;
        for (const LogitView::Stage& stage : readout_.lens)
            for (const LikelyWord& word : stage.likeliest)
                widest = std::max(widest, measure_(word.name, kLensText, Font::Bold));
        return 2 * kCardPad + lens_label() + kLensValue +
               static_cast<float>(n_likeliest()) * (widest + kLensGap + kLensPad);
    }
    float lens_label() const { return is_alone_ ? 60 : 44; }

    void draw(LogitCard card, Box box) {
        if (card == LogitCard::Next) draw_next(box);
        if (card == LogitCard::Lens) draw_lens(box);
        if (card == LogitCard::Attribution) draw_attribution(box);
    }

    /// Begins a card and returns the room below its title.
    Box begin_card(Box card, const std::string& title, const std::string& note) {
        figure_.add(RectMark{card, theme_.card, theme_.border, 1, 6});
        const float room = card.width - 2 * kCardPad;
        TextMark heading{{card.x + kCardPad, card.y + kCardPad + 10},
                         title,
                         kCardTitle,
                         theme_.text,
                         Font::Bold};
        TextMark below{{card.x + kCardPad, card.y + kCardPad + 28}, "", kCardNote, theme_.muted};
        headings_.shorten(heading, room, measure_);
        figure_.add(heading);
        float top = card.y + kCardPad + kCardHeading;
        if (card.height >= kCardPad + kCardHeading)
            for (const std::string& line : note_lines(note, room)) {
                if (below.at.y + kMoreNote > top) top += kMoreNote;
                below.text = line;
                headings_.shorten(below, room, measure_);
                figure_.add(below);
                below.at.y += kMoreNote;
            }
        return {card.x + kCardPad, top, room, std::max(1.0f, card.bottom() - kCardPad - top)};
    }

    /// Breaks a long note into two lines.
    std::vector<std::string> note_lines(const std::string& note, float room) const {
        const TextMark text{{}, note, kCardNote};
        if (measure_(note, kCardNote, Font::Regular) <= room) return {note};
        std::vector<std::string> lines = wrapped_lines(text, room, measure_);
        while (lines.size() > 2) {
            lines[lines.size() - 2] += " " + lines.back();
            lines.pop_back();
        }
        return lines;
    }

    using MakeBars = BarsInput (*)(const LogitView& readout);
    void draw_bars(MakeBars make_bars, Box room) {
        BarsInput input = make_bars(readout_);
        const int rows = static_cast<int>(room.height / kBarRow + 1e-3f);
        const Index n_bars = std::ssize(input.values) + input.n_more;
        if (rows < std::min<Index>(n_bars, kLeastBars))
            return figure_.leave_out({"bars", n_bars, n_bars});
        input.width = room.width;
        input.color = theme_.accent;
        input.negative_color = theme_.negative;
        input.label_share = 0.45f;
        input.max_rows = rows;
        BarsInput beside;
        if (readout_.beside) {
            beside = make_bars(*readout_.beside);
            beside.max_rows = rows;
            input.beside = &beside;
        }
        add_part(figure_, bars_figure(input, theme_, measure_).figure, {room.x, room.y});
    }

    /// Returns what the bars stand for, and the place where it is asked.
    std::pair<std::string, std::string> words_of_answer() const {
        if (readout_.names == LogitsName::Class) return {"Class", "of the picture"};
        const std::string at =
            fmt::format("{}, token {}", quoted_word(readout_.after), readout_.question.row);
        switch (readout_.names) {
            case LogitsName::NextWord:
                return {"Next word",
                        fmt::format("after {}, token {}", quoted_word(readout_.context),
                                    readout_.question.row)};
            case LogitsName::WordWritten:
                return {"Word to write",
                        fmt::format("where {} is written", quoted_word(readout_.after))};
            case LogitsName::WordOfStep:
                return {"Word to write", "at step " + readout_.after};
            default:
                return {"Word in its place", "in place of " + at};
        }
    }

    void draw_next(Box card) {
        const auto [title, note] = words_of_answer();
        const Box room = begin_card(card, title, note);
        if (!readout_.unranked.empty()) return draw_reason(readout_.unranked, room);
        draw_bars(bars_of_words, room);
    }

    /// A layer without probabilities has no likely words.
    std::size_t n_likeliest() const { return most_likely_words(readout_); }

    static float lens_size(float step) { return std::clamp(0.6f * step, 6.0f, kLensText); }

    /// Returns as many words as fit into a narrow card without being cut, but at least one.
    std::size_t words_beside(const std::vector<std::size_t>& stages, float room,
                             float height) const {
        std::size_t n_words = n_likeliest();
        if (size_.x >= kWideForWords || stages.empty()) return n_words;
        const float size = lens_size(height / static_cast<float>(stages.size()));
        const auto fits = [&](std::size_t n) {
            const float column = room / static_cast<float>(n) - kLensGap - kLensPad;
            return std::ranges::all_of(stages, [&](std::size_t stage) {
                const auto& words = readout_.lens[stage].likeliest;
                return std::ranges::all_of(
                    std::span(words).first(std::min(n, words.size())), [&](const LikelyWord& word) {
                        return measure_(word.name, size, Font::Bold) <= column;
                    });
            });
        };
        while (n_words > 1 && !fits(n_words)) --n_words;
        return n_words;
    }

    void draw_lens(Box card) {
        constexpr float kHighest = 30, kLeastStep = 13;
        const float label = lens_label();
        const float height = card.height - 2 * kCardPad - kCardHeading;
        const std::vector<std::size_t> stages = spread(
            readout_.lens.size(), static_cast<std::size_t>(std::max(0.0f, height / kLeastStep)));
        // A card by itself says where it is asked; other cards stand beside one that says it.
        std::string note = is_alone_ ? words_of_answer().second + ", " : "";
        note += "if the layers after did nothing";
        if (stages.size() < readout_.lens.size())
            note += fmt::format("; {} of {} layers shown", stages.size(), readout_.lens.size());
        const float of_words = card.width - 2 * kCardPad - label - kLensValue;
        const std::size_t n_words = words_beside(stages, of_words, height);
        if (n_words < n_likeliest())
            note += fmt::format("; {} of {} words shown", n_words, n_likeliest());
        const Box room = begin_card(card, "Logit lens", note);
        if (stages.empty()) return;
        const auto n = static_cast<float>(stages.size());
        const float step = std::min(kHighest, room.height / std::max(1.0f, n));
        const float size = lens_size(step);
        const float column = of_words / static_cast<float>(std::max<std::size_t>(n_words, 1));
        for (std::size_t l = 0; l < stages.size(); ++l) {
            const LogitView::Stage& stage = readout_.lens[stages[l]];
            const float y = room.y + step * static_cast<float>(l), base = y + step / 2 + size / 3;
            const bool is_layer = is_alone_ && stages[l] > 0;
            figure_.add(TextMark{
                {room.x, base}, (is_layer ? "layer " : "") + stage.name, size, theme_.muted});
            if (stage.likeliest.empty())
                figure_.add(
                    TextMark{{room.x + label, base}, "NaN or infinite logits", size, theme_.muted});
            for (std::size_t k = 0; k < std::min(n_words, stage.likeliest.size()); ++k) {
                const LikelyWord& word = stage.likeliest[k];
                const Box box{room.x + label + column * static_cast<float>(k), y + step * 0.08f,
                              column - kLensGap, step * 0.84f};
                const Color fill = mixed(theme_.card, theme_.accent, word.probability);
                figure_.add(RectMark{box, fill, theme_.border, 0.5f, 3});
                TextMark name{{box.x + 7, base},
                              word.name,
                              size,
                              text_on(theme_, fill),
                              word.is_asked ? Font::Bold : Font::Regular};
                words_.shorten(name, box.width - kLensPad, measure_);
                figure_.add(name);
            }
            if (!readout_.unranked.empty()) continue;  // of no word
            TextMark value{{room.right(), base},
                           format_listed(static_cast<Scalar>(stage.asked), 1),
                           size,
                           theme_.muted};
            value.align = Align::End;
            figure_.add(value);
        }
        if (!readout_.unranked.empty()) return;
        TextMark heading{
            {room.right(), room.y - 6}, fmt::format("p({})", readout_.word), 11, theme_.muted};
        heading.align = Align::End;
        figure_.add(heading);
    }

    void draw_reason(const std::string& reason, Box room) {
        TextMark line{{room.x, room.y + 12}, "", kCardNote, theme_.muted};
        for (std::string& words :
             wrapped_lines(TextMark{{}, reason, kCardNote}, room.width, measure_)) {
            line.text = std::move(words);
            figure_.add(line);
            line.at.y += kLineHeight * kCardNote;
        }
    }

    void draw_attribution(Box card) {
        constexpr const char* kTitle = "Where the logit comes from";
        if (!readout_.unranked.empty())
            return draw_reason(readout_.unranked,
                               begin_card(card, kTitle, words_of_answer().second));
        const std::string sum = format_value(static_cast<Scalar>(readout_.logit));
        std::string what = fmt::format("{} = logit of {}", sum, quoted_word(readout_.word));
        if (!readout_.minus.empty()) what += " − logit of " + quoted_word(readout_.minus);
        if (is_alone_) what += " " + words_of_answer().second;
        if (readout_.parts) what += ", as a sum";
        const Box room = begin_card(card, kTitle, what);
        if (!readout_.parts)
            return draw_reason(
                "It is no sum of parts: a norm follows each layer, or a nonlinear head the last "
                "one.",
                room);
        draw_bars(bars_of_parts, room);
    }

    const LogitView& readout_;
    Point size_;
    const Theme& theme_;
    const MeasureText& measure_;
    Figure figure_;
    CutTexts headings_{"headings"}, words_{"words"};
    bool is_alone_ = false;  // one card is drawn
};

}  // namespace

Figure logit_cards(const LogitView& readout, std::span<const LogitCard> cards, Point size,
                   const Theme& theme, const MeasureText& measure) {
    return ReadoutFigure(readout, size, theme, measure).draw(cards);
}

}  // namespace headlight
