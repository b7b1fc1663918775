#include "views/export/look_names.h"

#include <fmt/format.h>

#include "core/numeric/read_digits.h"
#include "io/text/json_text.h"
#include "views/readout_words.h"

namespace headlight {
namespace {

/// A unit in which a length may be written; `times` of the kept unit are one of it.
struct LengthWord {
    std::string_view word;
    FigureLength::Unit unit;
    float times = 1;
};
constexpr LengthWord kLengthWords[] = {{"mm", FigureLength::Unit::Millimetres},
                                       {"cm", FigureLength::Unit::Millimetres, 10},
                                       {"in", FigureLength::Unit::Millimetres, 25.4f},
                                       {"px", FigureLength::Unit::Pixels},
                                       {"pt", FigureLength::Unit::Points}};

struct LengthLimits {
    float least, most;
};

std::optional<FigureLength> length_from(std::string_view text, LengthLimits millimetres,
                                        LengthLimits pixels, LengthLimits points) {
    using Unit = FigureLength::Unit;
    for (const auto& [word, unit, times] : kLengthWords) {
        if (!text.ends_with(word)) continue;
        const LengthLimits& limits = unit == Unit::Millimetres ? millimetres
                                     : unit == Unit::Pixels    ? pixels
                                                               : points;
        text.remove_suffix(word.size());
        float value = 0;
        const char* end = text.data() + text.size();
        const auto [rest, failure] = read_digits(text.data(), end, value);
        const bool is_number = failure == std::errc() && rest == end;
        value *= times;
        if (!is_number || !(value >= limits.least && value <= limits.most)) return std::nullopt;
        return FigureLength{unit, value};
    }
    return std::nullopt;
}

}  // namespace

ThemeName theme_name(const Theme& theme) {
    for (const auto& [word, name] : kThemeWords)
        if (&theme_named(name) == &theme) return name;
    return ThemeName::Light;
}

std::string length_text(const FigureLength& length) {
    std::string number = number_text(length.value);
    if (number.ends_with(".0")) number.resize(number.size() - 2);
    return number + std::string(word_for(kUnitWords, length.unit));
}

std::optional<FigureLength> width_from(std::string_view text) {
    return length_from(text, {5, 5000}, {16, 32767}, {16, 14400});
}

std::optional<FigureLength> type_from(std::string_view text) {
    return length_from(text, {1, 100}, {4, 1000}, {3, 300});
}

namespace {

/// Returns the words that the sweep asks about, if it asks about any.
std::vector<Index> words_of(const SweepJob& order) {
    if (!asks_of_word(order.settings.quantity)) return {};
    std::vector<Index> words{order.question.word};
    if (order.question.minus) words.push_back(*order.question.minus);
    return words;
}

}  // namespace

std::vector<std::string> sweep_arguments(const FinishedSweep& sweep) {
    const SweepJob& order = sweep.order;
    const SweepSettings& settings = order.settings;
    std::vector<std::string> words;
    const auto add = [&](const char* option, std::string value) {
        words.insert(words.end(), {option, std::move(value)});
    };
    if (asks_of_place(settings.quantity)) add("--row", std::to_string(order.question.row));
    const std::vector<Index> asked = words_of(order);
    for (std::size_t k = 0; k < asked.size(); ++k)
        add(k == 0 ? "--of" : "--minus", word_shown(*order.base, asked[k]));
    add("--do", std::string(word_for(kSweepWords, settings.kind)));
    add("--over", std::string(word_for(kSweepOverWords, settings.over)));
    add("--quantity", std::string(word_for(kSweepQuantityWords, settings.quantity)));
    if (order.from_text) add("--from", *order.from_text);
    if (settings.kind == SweepKind::Resample) {
        add("--seed", std::to_string(settings.resampling.seed));
        add("--draws", std::to_string(settings.resampling.n_draws));
    }
    if (!settings.path) return words;
    const SweepPath& path = *settings.path;
    add("--to", path.ends_in_logits() ? "logits" : fmt::format("{}.{}", path.layer, path.head));
    if (path.through != HeadInput::All)
        add("--through", std::string(word_for(kHeadInputWords, path.through)));
    return words;
}

std::string why_no_sweep_command(const FinishedSweep& sweep) {
    const SweepJob& order = sweep.order;
    if (!order.base) return "it was done by a command";
    if (order.settings.kind == SweepKind::Patch && !order.from_text)
        return "B is no other text of the same study, which headlight sweep --from would name";
    for (const Index word : words_of(order)) {
        const std::string name = word_shown(*order.base, word);
        if (find_vocabulary_word(*order.base, name) != word)
            return "the vocabulary has two words that are written " + name;
    }
    return "";
}

}  // namespace headlight
