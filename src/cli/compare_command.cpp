// headlight compare: a tensor of A minus one of B.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fmt/format.h>
#include <numeric>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cli/commands.h"
#include "cli/open_study.h"
#include "cli/options.h"
#include "cli/output.h"
#include "core/analyses/difference.h"
#include "core/components.h"
#include "core/error.h"
#include "core/numeric/short_number.h"
#include "core/plan.h"
#include "core/trace.h"
#include "expression/item_names.h"
#include "figure/figure_look.h"
#include "figure/tensor_figure.h"
#include "io/exporters.h"
#include "io/files/file.h"
#include "io/pictures/figure_text.h"
#include "model/changes.h"
#include "text/strings.h"
#include "views/export/export_work.h"
#include "views/view_table.h"

namespace headlight {
namespace {

/// Returns a note about what had no room in the picture; "" if nothing. Throws Error if the tensor
/// has no values or the file cannot be written.
std::string write_tensor(const Exporter& exporter, const Trace& trace, const Tensor& tensor,
                         const std::string& output, const FigureLook& look) {
    const Theme& theme = theme_named(look.theme);
    Figure figure;
    FigureSheet sheet;
    std::string note;
    if (exporter.kind == ExportKind::Picture) {
        const HeatmapInput input = heatmap_input(trace, tensor, theme);
        LaidOutFigure laid_out = lay_out_figure(look, [&](const FigureLook& typed) {
            return tensor_picture(input, typed, pango_measure());
        });
        figure = std::move(laid_out.figure);
        sheet = sheet_for(figure, laid_out.look, theme.card);
        note = laid_out.note;
    }
    write_file(output, export_bytes(exporter, {trace, {&tensor}, figure, sheet}));
    return note;
}

/// Sorts by magnitude, the largest first; heads without that number last.
void sort_by(Table& table, const std::string& column) {
    const auto first = table.columns.begin() + static_cast<std::ptrdiff_t>(table.n_labels);
    const auto at = std::find_if(first, table.columns.end(),
                                 [&](const TableColumn& c) { return c.name == column; });
    if (at == table.columns.end()) {
        throw Error("--sort", "'{}' is no column; there are {}", column,
                    joined(number_columns(table)));
    }
    const auto k = static_cast<std::size_t>(at - table.columns.begin());
    if (std::ranges::all_of(std::get<std::vector<double>>(at->cells),
                            [](double number) { return std::isnan(number); }))
        throw Error("--sort", "no head has a number for '{}' here", column);
    std::vector<std::size_t> rows(table.n_rows());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    const auto size = [&](std::size_t row) {
        const auto number = number_in(table, row, k);
        return number ? std::abs(*number) : Scalar(-1);
    };
    std::ranges::stable_sort(rows, std::ranges::greater(), size);
    keep_rows(table, rows);
}

/// One of the two studies, and the request to it.
struct ComparedStudy {
    const std::string& study;
    std::vector<std::string> globs;
    const std::optional<Index>& sentence;
    const std::optional<std::string>& text;
    const Changes& changes;
};

Trace trace_with(const ComparedStudy& asked, const Streams& streams) {
    const Watched watched{.everything = false, .globs = asked.globs};
    Document document = open_for_numbers(asked.study, streams);
    Changes changes = asked.changes;
    if (asked.text) changes.text = asked.text;
    const std::optional<Index> page = take_recorded_text(document, asked.sentence);
    make_changes(document, changes, streams);
    return sentence_page(evaluate_study(document, watched, streams), page);
}

struct BothTraces {
    Trace a, b;
};

BothTraces both_traces(const CompareTensors& options, const std::vector<std::string>& globs_a,
                       const std::vector<std::string>& globs_b, const Streams& streams) {
    const auto& sentence_b = options.sentence_b ? options.sentence_b : options.sentence;
    Changes of_a;  // both read the text
    of_a.text = options.changes.text;
    return {trace_with({options.study_a, globs_a, options.sentence, std::nullopt, of_a}, streams),
            trace_with({options.study_b, globs_b, sentence_b, options.text_b, options.changes},
                       streams)};
}

/// Writes a row a head, see compared_heads_table. Heads that are left out are noted. Throws Error
/// if no head can be compared.
void compare_heads(const CompareTensors& options, const Streams& streams) {
    if (!options.tensor.empty() || options.tensor_b)
        throw Error("compare", "--heads compares every head; --tensor and --with name one matrix");
    check_table_output(options.output, {.json = options.json});
    const std::vector<std::string> globs = {"*.pattern", "*.metrics"};
    const BothTraces traces = both_traces(options, globs, globs, streams);
    const bool is_of_all = !options.sentence && !options.sentence_b;
    auto [table, left_out, notes] = compared_heads_table(
        {.a = traces.a, .b = traces.b, .has_metrics = is_of_all}, make_components(traces.a.plan()));
    if (options.sort) sort_by(table, *options.sort);
    write_notes(streams, "left out: ", left_out);
    write_notes(streams, "", notes);
    if (!is_of_all) write_note(streams, "of single sentences there are no metrics of heads");
    write_table(table, options.output, streams, {.json = options.json});
}

/// Returns "it, cat"; "A: it, cat; B: it, dog" where the two have other tokens in one place.
std::string both_texts(const std::string& a, const std::string& b) {
    return a == b ? a : fmt::format("A: {}; B: {}", a, b);
}

/// Names the place: words are named in both studies; other things are called as in A.
std::string place_text(const TensorIn& a, const TensorIn& b, const Difference& difference) {
    std::string text_a, text_b;
    const auto add = [&](const Axis& of_a, const Axis& of_b, Index index) {
        const bool is_counted = is_of_items(of_b) && index < of_b.size;
        const std::string label = shown_label(a.trace, of_a, index);
        append_part(text_a, ", ", label);
        append_part(text_b, ", ", is_counted ? shown_label(b.trace, of_b, index) : label);
    };
    add(a.tensor.rows(), b.tensor.rows(), difference.row);
    if (a.tensor.columns().kind != AxisKind::Single)
        add(columns_of_row(a.trace, a.tensor, difference.row),
            columns_of_row(b.trace, b.tensor, difference.row), difference.column);
    return both_texts(text_a, text_b);
}

/// Returns how many tokens along the axis are others in B, and the first of them; "" if none is.
std::string other_tokens(const TensorIn& a, const Axis& of_a, const TensorIn& b, const Axis& of_b) {
    if (!is_of_items(of_a) || !is_of_items(of_b)) return "";
    const Index n = std::min(of_a.size, of_b.size);
    Index n_others = 0;
    std::string first;
    for (Index i = 0; i < n; ++i) {
        const std::string label_a = shown_label(a.trace, of_a, i),
                          label_b = shown_label(b.trace, of_b, i);
        if (label_a == label_b || n_others++ > 0) continue;
        first = fmt::format("[{}] {}", i, both_texts(label_a, label_b));
    }
    if (n_others == 0) return "";
    return fmt::format("{} of {}\t{}", n_others, n, first);
}

/// Returns the numbers of print() as one row.
Table difference_table(const TensorIn& a, const TensorIn& b, const MatchedValues& matched,
                       const Difference& difference) {
    Table table{.name = "compare", .caption = "How much a matrix of B differs from that of A"};
    table.n_labels = 2;
    const auto number = [&](const char* name, double value) {
        table.add_numbers(name).push_back(value);
    };
    table.add_texts("A").push_back(a.tensor.path());
    table.add_texts("B").push_back(b.tensor.path());
    number("rows", static_cast<double>(a.tensor.rows().size));
    number("columns", static_cast<double>(a.tensor.columns().size));
    if (difference.n_finite > 0) {
        const Index i = difference.row, j = difference.column;
        number("largest A − B", static_cast<double>(difference.largest));
        number("row", static_cast<double>(i));
        number("column", static_cast<double>(j));
        table.add_texts("at").push_back(place_text(a, b, difference));
        number("of A", static_cast<double>((*a.tensor.value)(i, j)));
        number("of B", static_cast<double>((*matched.values)(i, j)));
        number("mean |A − B|", static_cast<double>(difference.mean_magnitude));
    }
    number("masked in one only", static_cast<double>(difference.n_one_sided));
    if (a.tensor.quantity() != Quantity::Probability || !matched.has_all()) return table;
    const RowDistances rows = row_distances(a, *matched.values);
    number("mean total variation of rows", static_cast<double>(rows.total_variation));
    number("mean Jensen–Shannon of rows, bits", static_cast<double>(rows.jensen_shannon_bits));
    return table;
}

void print(const TensorIn& a, const TensorIn& b, const MatchedValues& matched,
           const Difference& difference, const Streams& streams) {
    const auto line = [&](const char* name, const std::string& value) {
        streams.out << name << '\t' << value << '\n';
    };
    const Index i = difference.row, j = difference.column;
    line("A", a.tensor.path());
    line("B", b.tensor.path());
    line("shape", shape_text(a.tensor.rows().size, a.tensor.columns().size));
    std::string others = other_tokens(a, a.tensor.rows(), b, b.tensor.rows());
    if (others.empty()) others = other_tokens(a, a.tensor.columns(), b, b.tensor.columns());
    if (!others.empty()) line("other tokens", others);
    if (difference.n_finite > 0) {
        line("largest A − B", fewest_digits(difference.largest));
        line("at", fmt::format("{}\t[{}, {}]\tA {}\tB {}", place_text(a, b, difference), i, j,
                               fewest_digits((*a.tensor.value)(i, j)),
                               fewest_digits((*matched.values)(i, j))));
        line("mean |A − B|", fewest_digits(difference.mean_magnitude));
    }
    if (difference.n_one_sided > 0)
        line("masked in one only", std::to_string(difference.n_one_sided));
    if (!matched.only_in_a.empty()) line("words only in A", printable(joined(matched.only_in_a)));
    if (!matched.only_in_b.empty()) line("words only in B", printable(joined(matched.only_in_b)));
    if (a.tensor.quantity() != Quantity::Probability || !matched.has_all()) return;
    const RowDistances rows = row_distances(a, *matched.values);
    line("mean total variation of rows", fewest_digits(rows.total_variation));
    line("mean Jensen–Shannon of rows", fewest_digits(rows.jensen_shannon_bits) + " bits");
}

}  // namespace

void compare_tensors(const CompareTensors& options, const Streams& streams) {
    if (options.output)
        check_is_no_input(*options.output,
                          std::vector<std::filesystem::path>{options.study_a, options.study_b});
    note_idle_look(options.look, options.output, streams);
    if (options.heads) return compare_heads(options, streams);
    if (options.tensor.empty())
        throw Error("compare", "says of what: --tensor PATH, or --heads for every head");
    if (options.sort) throw Error("--sort", "orders the table of --heads");
    const Exporter* exporter = options.output ? &exporter_for(*options.output) : nullptr;
    const std::string& path_b = options.tensor_b ? *options.tensor_b : options.tensor;
    const auto [trace_a, trace_b] = both_traces(options, {options.tensor}, {path_b}, streams);
    const TensorIn a{trace_a, trace_a[tensor_named(trace_a, options.tensor)]};
    const TensorIn b{trace_b, trace_b[tensor_named(trace_b, path_b)]};
    if (const std::string why = why_not_subtracted(a, b); !why.empty())
        throw Error("compare", "{}: {}", a.tensor.path(), why);
    const MatchedValues matched = match_by_name(a, b);
    const Difference d = difference(a, matched);
    if (exporter) {
        const Tensor D = difference_tensor(a.tensor, d.values);
        const bool is_picture = exporter->kind == ExportKind::Picture;
        const std::string note =
            write_tensor(*exporter, Trace(named_by_both(a, b)),
                         is_picture ? D : named_difference(D), *options.output, options.look);
        if (!note.empty()) write_note(streams, fmt::format("{}: {}", *options.output, note));
    }
    if (options.json)
        streams.out << write_table_json(difference_table(a, b, matched, d));
    else
        print(a, b, matched, d, streams);
}

void add_compare_options(Options& command, CompareTensors& compare) {
    command.argument("A", compare.study_a, "A *.headlight file");
    command.argument("B", compare.study_b, "Another study, or the same");
    command.path("--tensor", compare.tensor, "The matrix");
    command.flag("--heads", compare.heads,
                 "A table instead: how much each head differs, a row a head");
    command.optional_text("--sort", compare.sort,
                          "The column that orders that table, the largest magnitude first");
    add_json_flag(command, compare.json);
    command.optional_text("--with-text", compare.text_b,
                          "What B alone reads: two prompts of one model");
    command.optional_text("--with", compare.tensor_b,
                          "The matrix of B, if it is different: that of another head, for example");
    command.optional_number("--with-sentence", compare.sentence_b, Index{1},
                            static_cast<Index>(kMaxWords), "The sentence of B, if it is different");
    command.optional_text("--output,-o", compare.output,
                          "The file for the difference A − B: .png, .svg, .pdf, .csv, .npy …; "
                          "of --heads .csv or .json");
    add_sentence(command, compare.sentence);
    add_change_options(command, compare.changes);
    add_look_options(command, compare.look);
    command.example(
        "  headlight compare tired.headlight wide.headlight "
        "--tensor blocks.0.attn.heads.0.pattern -o difference.png\n"
        "  headlight compare gpt2.headlight gpt2.headlight --with-text 'another prompt' --heads "
        "--sort 'total variation'\n"
        "  headlight compare gpt2.headlight gpt2.headlight --ablate 3.1 --heads");
}

}  // namespace headlight
