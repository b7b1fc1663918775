// headlight list: the contents of a study, without computing it.
#include <algorithm>
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/open_study.h"
#include "core/error.h"
#include "figure/words/formula.h"
#include "io/text/json_text.h"
#include "io/text/table.h"
#include "model/evaluate.h"
#include "model/pretrained.h"
#include "model/vocabulary.h"
#include "text/shown_tokens.h"
#include "text/strings.h"
#include "text/words.h"
#include "views/view_figure.h"

namespace headlight {
namespace {

constexpr std::size_t kTabWidth = 8;

std::size_t next_stop(std::size_t column) {
    return (column / kTabWidth + 1) * kTabWidth;
}

/// Returns a tab, then blanks so that `text` ends where the others of its column do. `written` is
/// the width of the line up to the tab, `widest` the largest of all lines.
std::string right_aligned(const std::string& text, std::size_t written, std::size_t widest,
                          std::size_t width) {
    const std::size_t missing = next_stop(widest) - next_stop(written) + width - text.size();
    return "\t" + std::string(missing, ' ') + text;
}

std::size_t widest_number(const Plan& plan, Axis PlannedTensor::*axis) {
    std::size_t width = 0;
    for (const PlannedTensor& tensor : plan.tensors())
        width = std::max(width, std::to_string((tensor.*axis).size).size());
    return width;
}

/// Returns the words that the decoder writes in free running, up to <end>.
Words written_words(const Document& document) {
    const Trace trace = evaluate(document, nullptr, {});
    const Tensor& logits = trace.at("logits");
    Words words;
    for (Index i = 0; i < logits.value->rows(); ++i) {
        Index largest = 0;
        logits.value->row(i).maxCoeff(&largest);
        words.push_back(axis_label(trace, logits.columns(), largest));
        if (words.back() != kEndWord) continue;
        words.pop_back();
        break;
    }
    return words;
}

std::vector<Words> sequences(const Document& document) {
    if (const SentenceStudy* sentence = document.sentence())
        return sentences_in(*sentence, document.weights);
    if (const RecordedStudy* recorded = document.recorded()) {
        std::vector<Words> all;
        for (const RecordedText& text :
             recorded->texts ? *recorded->texts : std::vector{recorded->text}) {
            if (!text.source.empty()) all.push_back(text.source);
            all.push_back(text.tokens);
        }
        return all;
    }
    const AlignmentStudy* alignment = document.alignment();
    if (!alignment) throw Error("words", "the study is not about words");
    SourceTarget words = source_target_in(*alignment, document.weights);
    const bool is_free = alignment->mechanism == AlignmentMechanism::Recurrent &&
                         alignment->recurrent.feeding == Feeding::Free;
    return {std::move(words.source), is_free ? written_words(document) : std::move(words.target)};
}

/// Returns the words as pictures and logits write them.
Words shown_words(const Document& document, const Words& words) {
    const SharedModel model = document.weights ? document.weights->model : nullptr;
    Words shown = document.recorded() ? shown_tokens(words) : Words();
    if (shown.empty()) shown = words;
    if (!model || !model->tokenizer) return shown;
    for (std::string& word : shown)
        if (const auto id = model->tokenizer->find_id(word))
            word = model->tokenizer->shown_piece(*id);
    return shown;
}

Table table_of(const Plan& plan) {
    Table table{.name = "list", .caption = "The matrices"};
    const auto fill = [&](auto& column, auto of) {
        for (const PlannedTensor& tensor : plan.tensors()) column.push_back(of(tensor));
    };
    fill(table.add_texts("path"), [](const PlannedTensor& t) { return t.path; });
    fill(table.add_numbers("rows"),
         [](const PlannedTensor& t) { return static_cast<double>(t.rows.size); });
    fill(table.add_numbers("columns"),
         [](const PlannedTensor& t) { return static_cast<double>(t.columns.size); });
    fill(table.add_texts("equation"),
         [](const PlannedTensor& t) { return plain_formula(t.equation); });
    return table;
}

}  // namespace

void list_words(const ListWords& options, const Streams& streams) {
    const Document document = open_for_numbers(options.study, options.changes, streams);
    const std::vector<Words> all = sequences(document);
    if (options.json) {
        const auto list = [&](const Words& words) {
            return "[" + joined(shown_words(document, words), ", ", json_string) + "]";
        };
        streams.out << "[" << joined(all, ",\n ", list) << "]\n";
        return;
    }
    for (const Words& sequence : all) {
        const Words words = shown_words(document, sequence);
        for (std::size_t i = 0; i < words.size(); ++i)
            streams.out << (i > 0 ? "\t" : "") << words[i];
        streams.out << '\n';
    }
}

void list_tensors(const ListTensors& options, const Streams& streams) {
    Document document = open_for_numbers(options.study, streams);
    const std::optional<Index> sentence = take_recorded_text(document, options.sentence);
    make_changes(document, options.changes, streams);
    const std::shared_ptr<const Plan> whole = plan(document);
    const std::string origin = study_origin(document, *whole);
    if (!origin.empty()) write_note(streams, printable(origin));
    const std::shared_ptr<const Plan> shown = sentence_page(whole, sentence);
    if (options.json) {
        streams.out << write_table_json(table_of(*shown));
        return;
    }
    std::size_t path_width = 0;
    for (const PlannedTensor& tensor : shown->tensors())
        path_width = std::max(path_width, tensor.path.size());
    const std::size_t row_width = widest_number(*shown, &PlannedTensor::rows);
    const std::size_t column_width = widest_number(*shown, &PlannedTensor::columns);
    for (const PlannedTensor& tensor : shown->tensors()) {
        const std::string rows = std::to_string(tensor.rows.size);
        const std::string columns = std::to_string(tensor.columns.size);
        // After the rows every line has the same width.
        streams.out << tensor.path << right_aligned(rows, tensor.path.size(), path_width, row_width)
                    << right_aligned(columns, 0, 0, column_width) << '\t'
                    << plain_formula(tensor.equation)
                    << (tensor.head_name ? fmt::format("  ({})", tensor.head_name) : "") << '\n';
    }
}

}  // namespace headlight
