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

constexpr std::size_t kNextWords = 20, kLensWords = 3;
constexpr float kCardPad = 14, kCardGap = 12, kCardHeading = 46, kCardTitle = 14, kCardNote = 12;
constexpr float kBarRow = 19;
constexpr float kLeastThreeBeside = 760;  // points: narrower, the cards stand above each other

std::span<const Scalar> numbers_in(const Matrix& matrix, Index row) {
    return {matrix.row(row).data(), static_cast<std::size_t>(matrix.cols())};
}

const Tensor& logits_in(const Trace& trace) {
    return trace.at(logits_path());
}

Index asked_row(const Scene& scene) {
    const Tensor& logits = logits_in(scene.trace);
    const Focus& held = scene.selection.held().focus;
    const bool is_word = held.query && held.query_list == logits.rows().list;
    return is_word && *held.query < logits.rows().size ? *held.query : usual_place(scene.trace);
}

class ReadoutMaker {
  public:
    explicit ReadoutMaker(const Scene& scene) : scene_(scene), trace_(scene.trace) {}

    LogitView make() {
        readout_.question.row = asked_row(scene_);
        readout_.names = named_by_logits(scene_.document, trace_);
        const Matrix lens = lens_logits(trace_, readout_.question.row);
        const Index last = lens.rows() - 1;
        choose_words(numbers_in(lens, last));
        readout_.logit = logit_asked(trace_, readout_.question);
        for (Index l = 0; l <= last; ++l) add_stage(l, numbers_in(lens, l));
        readout_.next = likely(numbers_in(lens, last), kNextWords);
        readout_.n_more = lens.cols() - std::ssize(readout_.next);
        readout_.more_sum = 1;
        for (const LikelyWord& word : readout_.next) readout_.more_sum -= word.probability;
        readout_.parts = attribute_logit(trace_, readout_.question);
        return std::move(readout_);
    }

  private:
    std::string shown(Index word) const {
        return shown_label(trace_, logits_in(trace_).columns(), word);
    }

    std::optional<Index> find(const std::string& text) {
        if (text.empty()) return std::nullopt;
        const auto word = find_vocabulary_word(trace_, text);
        if (!word) readout_.problem = missing_name(readout_.names) + " “" + text + "”";
        return word;
    }

    void choose_words(std::span<const Scalar> logits) {
        const ReadoutLook& look = scene_.selection.readout;
        const auto likeliest = std::ranges::max_element(logits) - logits.begin();
        readout_.question.word = find(look.word).value_or(likeliest);
        readout_.question.minus = find(look.minus);
        readout_.word = shown(readout_.question.word);
        if (readout_.question.minus) readout_.minus = shown(*readout_.question.minus);
        readout_.after = shown_label(trace_, logits_in(trace_).rows(), readout_.question.row);
    }

    std::vector<LikelyWord> likely(std::span<const Scalar> logits, std::size_t count) const {
        const std::vector<double> shares = row_probabilities(logits);
        std::vector<LikelyWord> words;
        for (const LargestNumber& largest : largest_numbers(logits, count))
            words.push_back({shown(largest.place), shares[static_cast<std::size_t>(largest.place)],
                             largest.place == readout_.question.word});
        return words;
    }

    void add_stage(Index layer, std::span<const Scalar> logits) {
        const std::vector<double> shares = row_probabilities(logits);
        readout_.lens.push_back({layer == 0 ? "input" : std::to_string(layer - 1),
                                 likely(logits, kLensWords),
                                 shares[static_cast<std::size_t>(readout_.question.word)]});
    }

    const Scene& scene_;
    const Trace& trace_;
    LogitView readout_;
};

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
        figure_.add(below);
        const float top = card.y + kCardPad + kCardHeading;
        return {card.x + kCardPad, top, room, std::max(1.0f, card.bottom() - kCardPad - top)};
    }

    void draw_bars(BarsInput input, Box room) {
        const int rows = static_cast<int>(room.height / kBarRow);
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
        if (readout_.names == LogitsName::NextWord) return {"Next word", "after " + at};
        return {"Word in its place", "in place of " + at};
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
            readout_.lens.size(), static_cast<std::size_t>(std::max(1.0f, height / kLeastStep)));
        std::string note = "if the layers after did nothing";
        if (stages.size() < readout_.lens.size())
            note += "; " + std::to_string(stages.size()) + " of " +
                    std::to_string(readout_.lens.size()) + " shown";
        const Box room = begin_card(card, "Logit lens", note);
        const auto n = static_cast<float>(stages.size());
        const float step = std::min(kHighest, room.height / std::max(1.0f, n));
        const float size = std::clamp(0.5f * step, 6.0f, 13.0f);
        const float column = (room.width - kLabel - kValue) / static_cast<float>(kLensWords);
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
                           format_value(static_cast<Scalar>(stage.asked)),
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

bool has_readout(const Trace& trace) {
    return !list_streams(trace).empty();
}

LogitView make_readout(const Scene& scene) {
    return ReadoutMaker(scene).make();
}

std::string asked_text(const LogitView& view) {
    return view.word + (view.minus.empty() ? "" : " − " + view.minus) +
           asked_place(view.names, view.after);
}

std::optional<HeatmapInput> sweep_input(const Scene& scene, const std::string& asked_now) {
    const SweepResult* result = scene.sweep ? scene.sweep->result() : nullptr;
    if (!result) return std::nullopt;
    const SweepOrder& order = scene.sweep->order();
    const SweepWords words{order.asked, sweep_sentence(order.settings)};
    HeatmapInput input = sweep_heatmap(*result, order.settings, words, scene.theme);
    const bool is_of_logit = order.settings.quantity == SweepQuantity::Logit;
    if (!(*order.document == scene.document))
        input.formula += " (before the study was changed)";
    else if (is_of_logit && !asked_now.empty() && asked_now != order.asked)
        input.formula += " (of another word or place than above)";
    const bool is_over_heads = order.settings.over == SweepOver::Heads;
    const Component* attention = shown_attention(scene.components, scene.selection);
    if (attention && is_over_heads) {
        const auto at = std::ranges::find(result->layers, attention->place.layer);
        if (at != result->layers.end() && scene.selection.head < result->change.cols())
            input.selected = {{at - result->layers.begin()}, scene.selection.head};
    }
    return input;
}

SweepPicture sweep_picture(const Scene& scene, const LogitView& readout, Point size,
                           const MeasureText& measure) {
    auto input = sweep_input(scene, asked_text(readout));
    if (!input) return {};
    constexpr float kShare = 0.5f;
    input->width = size.x;
    input->height = kShare * (size.y - kCardGap);
    HeatmapFigure picture = heatmap_figure(*input, scene.theme, measure);
    return {std::move(picture.figure), picture.grid, {0, size.y - input->height}};
}

Figure readout_figure(const Scene& scene, const LogitView& readout, Point size,
                      const MeasureText& measure) {
    const SweepPicture sweep = sweep_picture(scene, readout, size, measure);
    if (sweep.figure.marks.empty())
        return ReadoutFigure(readout, size, scene.theme, measure).draw();
    Figure figure =
        ReadoutFigure(readout, {size.x, sweep.at.y - kCardGap}, scene.theme, measure).draw();
    figure.height = size.y;
    const Box card{0, sweep.at.y, size.x, size.y - sweep.at.y};
    figure.add(RectMark{card, scene.theme.card, scene.theme.border, 1, 6});
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
