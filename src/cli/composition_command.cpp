#include "cli/composition_command.h"

#include <algorithm>
#include <array>
#include <vector>

#include "cli/open_study.h"
#include "cli/output/csv_cell.h"
#include "core/analyses/composition.h"
#include "core/error.h"
#include "io/files/file.h"
#include "io/text/json_text.h"
#include "paint/number_format.h"

namespace headlight {
namespace {

struct Pair {
    std::string earlier, later;
    std::array<Scalar, kCompositions> scores = {};  // by Q, K and V
    bool has_scores = false;                        // of Q and K

    Scalar highest() const { return *std::ranges::max_element(scores); }
};

/// The pairs whose earlier head is in an earlier layer, in the order of heads.
std::vector<Pair> list_pairs(const Trace& trace) {
    std::vector<Pair> pairs;
    const Tensor& by_value = trace.at(composition_path(Composition::Value));
    const Index n_heads = by_value.settings().count;
    for (Index i = 0; i < by_value.rows().size; ++i)
        for (Index j = 0; j < (i / n_heads + 1) * n_heads; ++j) {
            Pair pair{axis_label(trace, by_value.columns(), j),
                      axis_label(trace, by_value.rows(), i)};
            for (int c = 0; c < kCompositions; ++c) {
                const Tensor* scores = trace.find(composition_path(static_cast<Composition>(c)));
                if (!scores) continue;
                pair.scores[static_cast<std::size_t>(c)] = (*scores->value)(i, j);
                pair.has_scores = pair.has_scores || c == 0;
            }
            pairs.push_back(std::move(pair));
        }
    return pairs;
}

std::string write_pairs(const std::vector<Pair>& pairs) {
    std::string csv = "earlier,later,Q,K,V\n";
    for (const Pair& pair : pairs) {
        csv += pair.earlier + "," + pair.later;
        for (std::size_t c = 0; c < kCompositions; ++c) {
            const bool is_known = c == 2 || pair.has_scores;
            csv += "," + (is_known ? number_text(pair.scores[c]) : std::string());
        }
        csv += '\n';
    }
    return csv;
}

}  // namespace

void print_composition(const PrintComposition& options, const Streams& streams) {
    if (options.output) check_is_csv_name(*options.output);
    const Document document = open_for_numbers(options.study, streams);
    const Trace trace =
        evaluate_study(document, {.everything = false, .globs = {"composition.*"}}, streams);
    if (!trace.find(composition_path(Composition::Value)))
        throw Error("composition",
                    "the study has no heads of two layers that read one residual stream");
    std::vector<Pair> pairs = list_pairs(trace);
    if (options.head)
        std::erase_if(pairs, [&](const Pair& pair) { return pair.later != *options.head; });
    if (pairs.empty())
        throw Error("composition", "there is no head " + *options.head +
                                       " behind the first layer; write 1.2 for head 2 of layer 1");
    if (options.top) {
        std::ranges::stable_sort(
            pairs, [](const Pair& a, const Pair& b) { return a.highest() > b.highest(); });
        pairs.resize(std::min(pairs.size(), static_cast<std::size_t>(*options.top)));
    }
    const std::string equation = trace.at(composition_path(Composition::Value)).equation();
    const std::string folded = equation.substr(std::min(equation.find(';'), equation.size()));
    write_note(streams, "Frobenius norm of the product over the norms of both" + folded +
                            "; random directions reach about " +
                            format_value(static_cast<Scalar>(chance_of_composition(trace))));
    if (options.output)
        write_file(*options.output, write_pairs(pairs));
    else
        streams.out << write_pairs(pairs);
}

}  // namespace headlight
