// A study that expressions are tested on: the sentence with trained weights, its trace, a head.
#pragma once

#include <string>

#include "core/error.h"
#include "expression/expression.h"
#include "io/studies/ready_studies.h"
#include "model/evaluate.h"

namespace headlight {

struct ExpressionStudy {
    Document document;
    Trace trace;
    Components components;
    std::string shown;

    explicit ExpressionStudy(const char* preset, std::string path = "blocks.0.attn.heads.2.pattern")
        : document(find_ready_study(preset)->make()),
          trace(evaluate(document, nullptr, {})),
          components(make_components(trace)),
          shown(std::move(path)) {}

    ExpressionSide side() const { return {trace, components, shown, 2, &document}; }
    ExpressionScope scope() const { return {side()}; }

    Value value(const std::string& text) const { return evaluate_expression(text, scope(), "t"); }
    double number(const std::string& text) const { return value(text).number(); }
    bool is_true(const std::string& text) const {
        return holds(read_expression(text, "t"), scope());
    }
    std::string shown_value(const std::string& text, const char* format = "") const {
        return value_text(value(text), format, "t");
    }
    std::string error(const std::string& text) const {
        try {
            value(text);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    }

    const Matrix& matrix(const std::string& path) const { return *trace.at(path).value; }
};

/// Made once: "who-is-it", head 2 of layer 0.
inline const ExpressionStudy& who_is_it() {
    static const ExpressionStudy study("who-is-it");
    return study;
}
inline const ExpressionStudy& a_graph() {
    static const ExpressionStudy study("gatv2", "gat.0.heads.2.pattern");
    return study;
}

}  // namespace headlight
