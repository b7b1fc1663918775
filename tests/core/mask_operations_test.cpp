#include "core/operations/mask_operations.h"

#include <doctest/doctest.h>

#include "core/studies.h"

namespace headlight::mask_operations_test {
namespace {

/// The mask, one line per query: o for open, . for closed.
std::string picture(const MaskRule& rule, Index n_query, Index n_key) {
    const OperationSettings settings = mask_settings(rule, n_query, n_key);
    Matrix M(rule.n_sentences * n_query, n_key);
    operations::attention_mask.forward({{}, settings, M.rows(), M.cols()},
                                       View(M.data(), M.rows(), M.cols()));
    std::string text;
    for (Index i = 0; i < M.rows(); ++i) {
        if (i > 0) text += " ";
        for (Index j = 0; j < n_key; ++j)
            text += M(i, j) == 0 ? 'o' : M(i, j) == kMasked ? '.' : '?';
    }
    return text;
}

/// The mask of self-attention over n words.
std::string picture_of(const MaskSettings& settings, Index n) {
    const std::vector<std::string> words(static_cast<std::size_t>(n), "a");
    return picture(sentence_mask(settings, words), n, n);
}

/// A mask that is open where both are.
std::string intersection(std::string a, const std::string& b) {
    for (std::size_t at = 0; at < a.size(); ++at)
        if (a[at] == 'o') a[at] = b[at];
    return a;
}

std::string explained(const MaskRule& rule, Index n, Index row, Index column) {
    const OperationSettings settings = mask_settings(rule, n, n);
    const Matrix M = Matrix::Zero(rule.n_sentences * n, n);
    return operations::attention_mask
        .explain({{}, settings, M.rows(), n}, ConstView(M.data(), M.rows(), n), row, column)
        .finish.front()
        .what;
}

MaskRule packed(const MaskSettings& settings = {.documents = Switch::On}) {
    return sentence_mask(settings, words_of("a b | c d"));
}

}  // namespace

TEST_CASE("attention_mask: every rule gives the mask drawn by hand") {
    CHECK(picture_of({}, 3) == "ooo ooo ooo");
    CHECK(picture_of({.causal = Switch::On}, 4) == "o... oo.. ooo. oooo");
    CHECK(picture_of({.window = {{1}}}, 4) == "oo.. ooo. .ooo ..oo");
    CHECK(picture_of({.window = {{3}}}, 4) == "oooo oooo oooo oooo");
    CHECK(picture_of({.dilation = 2}, 4) == "o.o. .o.o o.o. .o.o");
    CHECK(picture_of({.dilation = 3}, 5) == "o..o. .o..o ..o.. o..o. .o..o");
    CHECK(picture(packed(), 5, 5) == "ooo.. ooo.. ooo.. ...oo ...oo");
    CHECK(picture(packed({}), 5, 5) == "ooooo ooooo ooooo ooooo ooooo");
    CHECK(picture_of({.causal = Switch::On, .window = {{1}}, .dilation = 2}, 1) == "o");
}

TEST_CASE("attention_mask: a wrong mask is rejected") {
    CHECK(picture_of({.causal = Switch::On}, 3) != "o.. oo. .oo");
    CHECK(picture_of({.window = {{1}}}, 3) != "o.. .o. ..o");
}

TEST_CASE("attention_mask: combined rules leave open what every rule leaves open") {
    const Index n = 7;
    const std::vector<std::string> words = words_of("a b c | d e f");
    const MaskSettings causal{.causal = Switch::On}, window{.window = {{4}}},
        dilation{.dilation = 2}, documents{.documents = Switch::On},
        all{.causal = Switch::On, .window = {{4}}, .dilation = 2, .documents = Switch::On};
    std::string together = picture(sentence_mask(causal, words), n, n);
    for (const MaskSettings& rule : {window, dilation, documents})
        together = intersection(together, picture(sentence_mask(rule, words), n, n));
    CHECK(picture(sentence_mask(all, words), n, n) == together);
    CHECK(together == "o...... .o..... o.o.... .o.o... ....o.. .....o. ....o.o");
}

TEST_CASE("attention_mask: padding is not read, and each stacked sentence has its own padding") {
    const MaskRule rule = sentence_mask({.causal = Switch::On}, words_of("a b c d <pad> <pad>"), 2);
    CHECK(picture(rule, 3, 3) == "o.. oo. ooo o.. o.. o..");
}

TEST_CASE("attention_mask: padding itself may read every document") {
    const MaskRule rule = sentence_mask({.documents = Switch::On}, words_of("a | b <pad>"));
    CHECK(picture(rule, 4, 4) == "oo.. oo.. ..o. ooo.");
}

TEST_CASE("attention_mask: in cross-attention queries read all keys except padding") {
    CHECK(picture(cross_mask(words_of("a b <pad>"), 2), 2, 3) == "oo. oo.");
    CHECK(picture(cross_mask(words_of("a b <pad> c <pad> <pad>"), 1, 2), 1, 3) == "oo. o..");
    CHECK(picture(cross_mask(words_of("a"), 3), 3, 1) == "o o o");
}

TEST_CASE("attention_mask: a closed cell gives every reason") {
    const auto causal = MaskRule{.causal = Switch::On};
    CHECK(explained(causal, 8, 3, 7) == "closed: key 7 comes after query 3 (causal)");
    CHECK(explained(causal, 8, 3, 3) == "open");
    CHECK(explained({.window = 2}, 8, 5, 1) == "closed: key 1 is 4 away from query 5 (window 2)");
    CHECK(explained({.dilation = 2}, 4, 0, 3) ==
          "closed: key 3 is 3 away from query 0 (dilation 2)");
    CHECK(explained(packed(), 5, 1, 3) == "closed: key 3 is in document 1, query 1 in document 0");
    CHECK(explained(packed({.causal = Switch::On, .documents = Switch::On}), 5, 1, 3) ==
          "closed: key 3 comes after query 1 (causal); key 3 is in document 1, query 1 in "
          "document 0");
    const MaskRule stacked = sentence_mask({}, words_of("a b c <pad>"), 2);
    CHECK(explained(stacked, 2, 2, 1) == "closed: key 1 is padding");
    CHECK(explained(stacked, 2, 1, 1) == "open");
}

TEST_CASE("mask_equation: it names the rules that close any cell") {
    const auto equation = [](const MaskRule& rule, Index n) {
        return mask_equation(mask_settings(rule, n, n));
    };
    CHECK(equation({}, 3) == "M = 0");
    CHECK(equation(packed({}), 5) == "M = 0");
    CHECK(equation({.causal = Switch::On}, 3) == "M(i,j) = 0 if j ≤ i, else −∞");
    CHECK(equation({.window = 2, .dilation = 3}, 3) ==
          "M(i,j) = 0 if |i − j| ≤ 2, (j − i) mod 3 = 0, else −∞");
    CHECK(equation(packed(), 5) == "M(i,j) = 0 if same document, else −∞");
    CHECK(equation(sentence_mask({}, words_of("a <pad>")), 2) ==
          "M(i,j) = 0 if key j is not padding, else −∞");
}

TEST_CASE("mask_settings: rules that close nothing are left out") {
    const std::vector<std::string> words = words_of("a b");
    const MaskRule rule = sentence_mask({.documents = Switch::On}, words);
    CHECK(mask_settings(rule, 2, 2) == OperationSettings{});
}

TEST_CASE("mask_settings: sizes out of range are refused") {
    CHECK(error_of([] { mask_settings({.window = -1}, 2, 2); }) ==
          "[mask] the window is -1; it must be at least 1, or 0 for none");
    CHECK(error_of([] { mask_settings({.dilation = 0}, 2, 2); }) ==
          "[mask] the dilation is 0; it must be at least 1");
    CHECK(error_of([] { mask_settings(packed(), 5, 4); }) ==
          "[mask] there are documents of 5 keys and 5 queries, for 1 × a mask of 5 × 4");
}

TEST_CASE("document_ids: a separator ends its document; padding is in none") {
    using Ids = std::vector<Index>;
    const auto ids = [](std::string_view text, Switch documents = Switch::On) {
        return document_ids(words_of(text), documents);
    };
    CHECK(ids("a b | c | d") == Ids{0, 0, 0, 1, 1, 2});
    CHECK(ids("a | <pad>") == Ids{0, 0, kNoDocument});
    CHECK(ids("| a | |") == Ids{0, 1, 1, 2});
    CHECK(ids("a b | c <pad>", Switch::Off) == Ids{0, 0, 0, 0, kNoDocument});
    CHECK(ids("").empty());
}

}  // namespace headlight::mask_operations_test
