// What the view of logits consists of, read off a trace.
#include <algorithm>
#include <cstddef>
#include <limits>

#include "core/error.h"
#include "core/page.h"
#include "paint/labels.h"
#include "scene/figures/readout_view.h"
#include "scene/readout/readout_words.h"

namespace headlight {
namespace {

constexpr std::size_t kNextWords = 20, kLensWords = 3;

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
    return is_word && *held.query <= last_word(scene.trace, logits.rows())
               ? *held.query
               : usual_place(scene.trace);
}

class ReadoutMaker {
  public:
    explicit ReadoutMaker(const Scene& scene) : scene_(scene), trace_(scene.trace) {}

    LogitView make() {
        readout_.question.row = asked_row(scene_);
        readout_.names = named_by_logits(scene_.document, trace_);
        const Matrix lens = lens_logits(trace_, readout_.question.row);
        const Index last = lens.rows() - 1;
        readout_.unranked = why_unranked(scene_.document, trace_, readout_.question.row);
        choose_words(numbers_in(lens, last));
        readout_.logit = logit_asked(trace_, readout_.question);
        for (Index l = 0; l <= last; ++l) add_stage(l, numbers_in(lens, l));
        readout_.next = likely(numbers_in(lens, last), kNextWords);
        readout_.n_more = lens.cols() - std::ssize(readout_.next);
        readout_.more_sum = 1;
        for (const LikelyWord& word : readout_.next) readout_.more_sum -= word.probability;
        if (readout_.unranked.empty()) readout_.parts = attribute_logit(trace_, readout_.question);
        return std::move(readout_);
    }

  private:
    std::string shown(Index word) const {
        return shown_label(trace_, logits_in(trace_).columns(), word);
    }

    std::optional<Index> find(const std::string& text) {
        if (text.empty()) return std::nullopt;
        const auto word = find_vocabulary_word(trace_, text);
        if (!word && readout_.problem.empty())
            readout_.problem =
                missing_name(readout_.names) + " “" + text + "”" +
                (readout_.names == LogitsName::Class ? "" : tokens_note(scene_.document, text));
        return word;
    }

    void choose_words(std::span<const Scalar> logits) {
        const ReadoutLook& look = scene_.selection.readout;
        const auto likeliest = readout_.unranked.empty()
                                   ? std::ranges::max_element(logits) - logits.begin()
                                   : std::ptrdiff_t{0};
        readout_.question.word = find(look.word).value_or(likeliest);
        readout_.question.minus = find(look.minus);
        // A difference of another word than the one that was asked for would mislead.
        if (!readout_.problem.empty()) readout_.question.minus.reset();
        readout_.word = shown(readout_.question.word);
        if (readout_.question.minus) readout_.minus = shown(*readout_.question.minus);
        readout_.after = shown_label(trace_, logits_in(trace_).rows(), readout_.question.row);
    }

    std::vector<LikelyWord> likely(std::span<const Scalar> logits, std::size_t count) const {
        if (!has_probabilities(logits)) return {};
        const std::vector<double> shares = row_probabilities(logits);
        std::vector<LikelyWord> words;
        for (const LargestNumber& largest : largest_numbers(logits, count))
            words.push_back({shown(largest.place), shares[static_cast<std::size_t>(largest.place)],
                             largest.place == readout_.question.word});
        return words;
    }

    void add_stage(Index layer, std::span<const Scalar> logits) {
        const double asked =
            has_probabilities(logits)
                ? row_probabilities(logits)[static_cast<std::size_t>(readout_.question.word)]
                : std::numeric_limits<double>::quiet_NaN();
        readout_.lens.push_back(
            {layer == 0 ? "input" : std::to_string(layer - 1), likely(logits, kLensWords), asked});
    }

    const Scene& scene_;
    const Trace& trace_;
    LogitView readout_;
};

}  // namespace

bool has_readout(const Trace& trace) {
    return !list_streams(trace).empty();
}

LogitView make_readout(const Scene& scene) {
    return ReadoutMaker(scene).make();
}

std::size_t most_likely_words(const LogitView& view) {
    std::size_t n = 0;
    for (const LogitView::Stage& stage : view.lens) n = std::max(n, stage.likeliest.size());
    return n;
}

std::string asked_text(const LogitView& view) {
    return token_in_words(view.word) +
           (view.minus.empty() ? "" : " − " + token_in_words(view.minus)) +
           asked_place(view.names, view.after);
}

}  // namespace headlight
