// A claim: a statement of the program, and the assertions on numbers that prove it.
#pragma once

#include <doctest/doctest.h>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/evaluate.h"
#include "model/presets.h"

namespace headlight::claims_test {

struct Claim {
    const char* what;
    std::function<void()> check;
};

using Claims = std::map<std::string_view, Claim>;  // by the name of the study

Claims score_claims();  // how scores are made, and what may be read
Claims layer_claims();  // positions and layers of sentences
Claims other_claims();  // alignments, images, graphs

inline const Watched kAll{.everything = true, .globs = {}};

inline Document ready(const char* name) {
    const Preset* preset = find_preset(name);
    REQUIRE(preset);
    return preset->make();
}
inline Trace computed(const Document& document) {
    return evaluate(document, nullptr, kAll);
}
/// The study with a change of its attention settings.
template <typename Change>
inline Trace changed(const char* name, Change change) {
    Document document = ready(name);
    change(document);
    return computed(document);
}

inline const Matrix& at(const Trace& trace, std::string_view path) {
    REQUIRE_MESSAGE(trace.at(path).value, path);
    return *trace.at(path).value;
}
inline bool has(const Trace& trace, const char* path) {
    return trace.find(path) != nullptr;
}

inline std::string head(int h, const char* last) {
    return "blocks.0.attn.heads." + std::to_string(h) + "." + last;
}
/// One matrix for each head of layer 0.
inline std::vector<Matrix> all_heads(const Trace& trace, const char* last) {
    std::vector<Matrix> all;
    for (int h = 0; trace.find(head(h, last)); ++h) all.push_back(at(trace, head(h, last)));
    REQUIRE(!all.empty());
    return all;
}
inline std::vector<Matrix> patterns(const Trace& trace) {
    return all_heads(trace, "pattern");
}

inline Scalar far(const Matrix& a, const Matrix& b) {
    REQUIRE(a.rows() == b.rows());
    REQUIRE(a.cols() == b.cols());
    return (a - b).cwiseAbs().maxCoeff();
}
inline Index count_read(const Matrix& pattern, Index row) {
    return (pattern.row(row).array() > 0).count();
}
/// The share of cells that are exactly 0, over all heads.
inline double share_of_zeros(const Trace& trace) {
    double zeros = 0, cells = 0;
    for (const Matrix& A : patterns(trace)) {
        zeros += static_cast<double>((A.array() == 0).count());
        cells += static_cast<double>(A.size());
    }
    return zeros / cells;
}
inline double mean_entropy(const Trace& trace) {
    double sum = 0;
    const std::vector<Matrix> metrics = all_heads(trace, "metrics");
    for (const Matrix& m : metrics) sum += static_cast<double>(m(0, 0));
    return sum / static_cast<double>(metrics.size());
}
/// Checks that exactly the cells allowed by `may_read` have weight.
inline void check_read(const Trace& trace, const std::function<bool(Index, Index)>& may_read) {
    for (const Matrix& A : patterns(trace))
        for (Index i = 0; i < A.rows(); ++i)
            for (Index j = 0; j < A.cols(); ++j) CHECK((A(i, j) > 0) == may_read(i, j));
}
inline bool has_equal_rows(const Matrix& A) {
    for (Index i = 1; i < A.rows(); ++i)
        if (A.row(i) != A.row(0)) return false;
    return true;
}

inline void check_has(const char* name, std::vector<const char*> paths) {
    const Trace trace(plan(ready(name)));
    for (const char* path : paths) CHECK_MESSAGE(has(trace, path), path);
}

}  // namespace headlight::claims_test
