// Own metrics of heads, and the functions that say which tokens a pattern reads.
#include "expression/head_measure.h"

#include <doctest/doctest.h>

#include "core/analyses/head_metrics.h"
#include "expression_study.h"

namespace headlight::head_measure_test {
namespace {

/// Two layers of two heads, with a special token, punctuation and a word that comes again.
struct Read {
    explicit Read(const std::string& text = "x a cat , a dog y") {
        StackSettings s;
        s.n_layers = 2;
        s.attention.n_heads = 2;
        document.study = SentenceStudy{.text = text, .layer = s};
        Plan planned = *plan(document);
        std::vector<std::string> names = planned.items();
        for (std::string& name : names)  // as a model's tokenizer has them
            name = name == "x" ? "[CLS]" : name == "y" ? "[SEP]" : name;
        planned.lists[0].names = std::make_shared<const std::vector<std::string>>(std::move(names));
        trace = compute(std::move(planned), {}, {.everything = true}, nullptr);
        components = make_components(trace);
    }

    MeasuredHead head(int layer, int h) const {
        return {trace, components, "blocks." + std::to_string(layer) + ".attn", h, &document};
    }
    double measured(const std::string& text, int layer = 1, int h = 0) const {
        return measure_head(read_head_measure(text, "t"), head(layer, h));
    }
    const Matrix& pattern(int layer, int h) const {
        return *trace
                    .at("blocks." + std::to_string(layer) + ".attn.heads." + std::to_string(h) +
                        ".pattern")
                    .value;
    }

    Document document;
    Trace trace;
    Components components;
};

}  // namespace

TEST_CASE("a measure reads the matrices of the head that it measures") {
    const Read read;
    for (int layer = 0; layer < 2; ++layer)
        for (int h = 0; h < 2; ++h)
            CHECK(read.measured("max(pattern)", layer, h) ==
                  doctest::Approx(static_cast<double>(read.pattern(layer, h).maxCoeff())));
    CHECK(read.measured("argmax(pattern[cat]) = argmax(pattern[cat])") == 1);
}

TEST_CASE("a measure has the name before its colon, or is its own name") {
    CHECK(read_head_measure(" sink : mean(on_first(pattern))", "t").name == "sink");
    CHECK(read_head_measure("max(pattern)", "t").name == "max(pattern)");
    CHECK(read_head_measure("pattern[\":\", 0]", "t").name == "pattern[\":\", 0]");
    for (const std::string name : {"special", "punctuation", "same word"}) {
        const HeadMeasure measure = read_head_measure(name, "t");
        CHECK(measure.name == name);
        CHECK(measure.expression.text.starts_with("mean(on_"));
    }
}

TEST_CASE("attention to a kind of token is the mean over queries of what its columns get") {
    const Read read;
    REQUIRE(read.trace.items() ==
            std::vector<std::string>{"[CLS]", "a", "cat", ",", "a", "dog", "[SEP]"});
    const Matrix& A = read.pattern(1, 0);
    CHECK(read.measured("special") == doctest::Approx((A.col(0) + A.col(6)).mean()));
    CHECK(read.measured("punctuation") == doctest::Approx(A.col(3).mean()));
    CHECK(read.measured("same word") == doctest::Approx((A(1, 4) + A(4, 1)) / 2));
    CHECK(read.measured("mean(on_token(pattern, a))") ==
          doctest::Approx((A.col(1) + A.col(4)).mean()));
    CHECK(read.measured("mean(on_token(pattern, \"[SEP]\"))") == doctest::Approx(A.col(6).mean()));
    CHECK(read.measured("on_special(pattern)[cat]") == doctest::Approx(A(2, 0) + A(2, 6)));
}

TEST_CASE("the functions of first and previous tokens are the metrics of that name") {
    const Read read;
    const Matrix& metrics = *read.trace.at("blocks.1.attn.heads.1.metrics").value;
    CHECK(read.measured("mean(on_first(pattern))", 1, 1) ==
          doctest::Approx(metrics(0, Index(HeadMetric::First))));
    CHECK(read.measured("mean(on_previous(pattern))", 1, 1) ==
          doctest::Approx(metrics(0, Index(HeadMetric::Previous))));
}

TEST_CASE("a measure that is no number says what it is instead") {
    const Read read;
    const auto error = [&](const std::string& text) {
        try {
            read.measured(text);
        } catch (const Error& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    CHECK(error("pattern[cat]") ==
          "[t] a metric is one number for each head; 'pattern[cat]' is a row of 7 numbers; say "
          "mean(…) of it");
    CHECK(error("argmax(pattern[cat])").find("is a text") != std::string::npos);
    CHECK(error("on_token(pattern, zebra)").find("there is no token 'zebra'") != std::string::npos);
    CHECK(error("mean(on_special(pattern[cat]))").find("this needs a matrix, such as pattern") !=
          std::string::npos);
    CHECK(error("mean(on_first(pattern @ pattern + [1]))") != "");
    const Read plain("a cat saw dogs");
    CHECK_THROWS_WITH(plain.measured("special"), doctest::Contains("there is no special token"));
    CHECK_THROWS_WITH(plain.measured("punctuation"), doctest::Contains("there is no punctuation"));
    CHECK_THROWS_WITH(plain.measured("same word"),
                      doctest::Contains("there is no word that occurs twice"));
    CHECK_THROWS_WITH(plain.measured("on_token(pattern, 3)"),
                      doctest::Contains("a token is named by a text"));
}

TEST_CASE("what a measure reads of all heads can be watched") {
    const Read read;
    const HeadMeasure measure = read_head_measure("mean(pattern) + max(z)", "t");
    const std::vector<std::string> paths = measured_paths(measure, read.trace, read.components);
    CHECK(paths.size() == 8);
    CHECK(std::ranges::count(paths, "blocks.1.attn.heads.1.pattern") == 1);
    CHECK(std::ranges::count(paths, "blocks.0.attn.heads.0.z") == 1);
}

}  // namespace headlight::head_measure_test
