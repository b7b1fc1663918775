// Fuzz target: expressions, read and evaluated on a small network.
#include "expression/expression.h"
#include "fuzz/fuzz_target.h"
#include "model/evaluate.h"

using namespace headlight;

namespace {

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

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Document document = small_study();
    static const Trace trace = evaluate(document, nullptr, {.everything = true, .globs = {}});
    static const Components components = make_components(trace);
    const ExpressionSide side{trace, components, "blocks.0.attn.heads.0.pattern", 0, &document};
    fuzz::expect_only_errors([&] {
        const Expression expression = read_expression(fuzz::bytes_of(data, size), "input");
        fuzz::expect_only_errors([&] { check_names(expression, side.names()); });
        for (const std::string& path : needed_paths(expression, side.names()))
            fuzz::expect(trace.find(path) != nullptr);
        evaluate(expression, {.a = side});
    });
    return 0;
}
