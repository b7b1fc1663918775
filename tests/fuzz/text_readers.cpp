// Readers of numbers and expressions as text.
#include "expression/expression.h"
#include "fuzz/expectations.h"
#include "fuzz/readers.h"
#include "io/text/csv.h"
#include "io/text/numbers_text.h"
#include "io/text/values_json.h"
#include "model/evaluate.h"
#include "views/log_curves.h"

namespace headlight::fuzz {
namespace {

bool is_same_number(Scalar a, Scalar b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

Document small_study() {
    Document document;
    SentenceStudy study;
    study.text = "the cat saw the moon";
    study.layer.attention.n_heads = 2;
    study.layer.d_model = 6;
    document.study = study;
    return document;
}

}  // namespace

void try_csv(std::string_view bytes) {
    expect_only_errors([&] {
        const Matrix values = read_csv(bytes, "input").values;
        const Matrix again = read_csv(write_numbers(values, NumbersFormat::Tsv), "input").values;
        expect(again.rows() == values.rows() && again.cols() == values.cols());
        expect(
            std::equal(values.data(), values.data() + values.size(), again.data(), is_same_number));
    });
}

void try_numbers(std::string_view bytes) {
    expect_only_errors([&] {
        const Matrix values = read_numbers(bytes);
        expect(read_numbers(write_numbers(values, NumbersFormat::Tsv)) == values);
    });
}

void try_values_json(std::string_view bytes) {
    expect_only_errors([&] { read_values_json(bytes, "input"); });
}

void try_curve_log(std::string_view bytes) {
    expect_only_errors([&] {
        const CurveLog log = read_curve_log(bytes, "input");
        const Matrix& values = log.csv.values;
        expect(values.cols() >= 2 && !(values.array() < 0).any());
        for (Index i = 1; i < values.rows(); ++i) expect(values(i - 1, 0) <= values(i, 0));
    });
}

void try_expression(std::string_view bytes) {
    static const Document document = small_study();
    static const Trace trace = evaluate(document, nullptr, {.everything = true, .globs = {}});
    static const Components components = make_components(trace);
    const ExpressionSide side{trace, components, "blocks.0.attn.heads.0.pattern", 0, &document};
    expect_only_errors([&] {
        const Expression expression = read_expression(bytes, "input");
        expect_only_errors([&] { check_names(expression, side.names()); });
        for (const std::string& path : needed_paths(expression, side.names()))
            expect(trace.find(path) != nullptr);
        evaluate(expression, {.a = side});
    });
}

}  // namespace headlight::fuzz
