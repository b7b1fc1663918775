#include "scene/export/sweep_words.h"

#include "scene/readout/readout_words.h"

namespace headlight {
namespace {

/// The words that the sweep is of, if it is of any.
std::vector<Index> words_of(const SweepOrder& order) {
    if (!asks_of_word(order.settings.quantity)) return {};
    std::vector<Index> words{order.question.word};
    if (order.question.minus) words.push_back(*order.question.minus);
    return words;
}

std::string receiver(const SweepPath& path) {
    if (path.ends_in_logits()) return "logits";
    return std::to_string(path.layer) + "." + std::to_string(path.head);
}

}  // namespace

std::vector<std::string> sweep_arguments(const DoneSweep& sweep) {
    const SweepOrder& order = sweep.order;
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
    add("--to", receiver(*settings.path));
    if (settings.path->through != HeadInput::All)
        add("--through", std::string(word_for(kHeadInputWords, settings.path->through)));
    return words;
}

std::string why_no_sweep_command(const DoneSweep& sweep) {
    const SweepOrder& order = sweep.order;
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
