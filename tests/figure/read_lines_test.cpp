#include "figure/read_lines.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <random>
#include <utility>

namespace headlight::read_lines_test {
namespace {

MatrixPtr shared(Matrix matrix) {
    return std::make_shared<const Matrix>(std::move(matrix));
}

std::vector<LinesOfHead> random_heads(int n_heads, Index n, std::mt19937& random) {
    std::vector<LinesOfHead> heads;
    std::uniform_real_distribution<float> weight(0, 1);
    for (int h = 0; h < n_heads; ++h) {
        Matrix A(n, n);
        for (Index k = 0; k < A.size(); ++k) A.data()[k] = static_cast<Scalar>(weight(random));
        heads.push_back({shared(A), {0, 0, 200}, "head " + std::to_string(h)});
    }
    return heads;
}

/// The weight of a rank, found by sorting all weights.
float weight_of_rank(const std::vector<LinesOfHead>& heads, Index rank) {
    std::vector<float> weights;
    for (const LinesOfHead& head : heads)
        for (Index k = 0; k < head.pattern->size(); ++k)
            weights.push_back(static_cast<float>(head.pattern->data()[k]));
    std::sort(weights.begin(), weights.end(), std::greater<>());
    return weights[static_cast<std::size_t>(rank - 1)];
}

}  // namespace

TEST_CASE(
    "lines: x percent are the strongest lines of all heads, rounded up, as sorting finds them") {
    std::mt19937 random(4);
    for (int round = 0; round < 60; ++round) {
        const auto heads =
            random_heads(static_cast<int>(random() % 4) + 1, random() % 20 + 1, random);
        const float percent = static_cast<float>(random() % 1000 + 1) / 10;
        const ReadLines lines = choose_lines(heads, {.strongest_percent = percent, .picked = {}});
        const auto n = static_cast<Index>(
            std::ceil(static_cast<double>(percent) / 100 * static_cast<double>(lines.n_all)));
        CAPTURE(percent);
        REQUIRE(static_cast<Index>(lines.lines.size()) == n);
        CHECK(lines.lines.front().weight == weight_of_rank(heads, n));
        CHECK(lines.lines.back().weight == weight_of_rank(heads, 1));
        for (const ReadLine& line : lines.lines)
            CHECK(static_cast<float>((*heads[line.head].pattern)(line.reader, line.read)) ==
                  line.weight);
    }
}

TEST_CASE("lines: among equal weights exactly the requested number is drawn") {
    const std::vector<LinesOfHead> heads{
        {shared(Matrix::Constant(10, 10, Scalar(0.1))), {}, "head 0"}};
    CHECK(choose_lines(heads, {.strongest_percent = 25, .picked = {}}).lines.size() == 25);
    CHECK(choose_lines(heads, {.strongest_percent = 0, .picked = {}}).lines.empty());
    CHECK(choose_lines(heads, {.strongest_percent = 100, .most = 7, .picked = {}}).lines.size() ==
          7);
}

TEST_CASE("lines: selected words keep all their lines, which are drawn last") {
    std::mt19937 random(9);
    const auto heads = random_heads(2, 12, random);
    const ReadLines lines = choose_lines(heads, {.most = 5, .picked = {{3}, {4}}});
    const auto count = [&](LineRole role) {
        return std::count_if(lines.lines.begin(), lines.lines.end(),
                             [&](const ReadLine& line) { return line.role == role; });
    };
    CHECK(count(LineRole::Outgoing) == 24);
    CHECK(count(LineRole::Incoming) == 22);  // 3 → 4 is what 3 reads
    CHECK(count(LineRole::Background) <= 5);
    CHECK(lines.lines.back().role == LineRole::Outgoing);
    CHECK(lines.n_all == 288);
}

TEST_CASE("lines: of very many lines of selected words the strongest are kept") {
    std::mt19937 random(9);
    const auto heads = random_heads(2, 12, random);
    const LineChoice all{.most = 0, .picked = {{3}, {4}}};
    LineChoice few = all;
    few.most_picked = 4;
    const ReadLines kept = choose_lines(heads, few), lines = choose_lines(heads, all);
    for (const LineRole role : {LineRole::Outgoing, LineRole::Incoming}) {
        const auto weights_of = [&](const ReadLines& of) {
            std::vector<float> weights;
            for (const ReadLine& line : of.lines)
                if (line.role == role) weights.push_back(line.weight);
            return weights;
        };
        const auto strongest = weights_of(lines);
        CHECK(weights_of(kept) == std::vector<float>(strongest.end() - 4, strongest.end()));
    }
}

TEST_CASE("lines: zero, masked and NaN weights give no line; no heads or pattern draw nothing") {
    Matrix A(1, 4);
    A << 0, kMasked, std::numeric_limits<Scalar>::quiet_NaN(), Scalar(0.5);
    const std::vector<LinesOfHead> heads{{shared(A), {}, "head 0"}, {nullptr, {}, "head 1"}};
    const ReadLines lines = choose_lines(heads, {});
    CHECK(lines.n_all == 1);
    REQUIRE(lines.lines.size() == 1);
    CHECK(lines.lines[0].read == 3);
    CHECK(choose_lines({}, {}).lines.empty());
}

TEST_CASE("lines: width and opacity depend on the weight alone") {
    const ReadLine weak{0, 1, 0.2f, 0, LineRole::Outgoing},
        strong{0, 2, 0.8f, 0, LineRole::Outgoing};
    const ReadLines alone{{weak}, 1, true}, both{{weak, strong}, 2, true};
    const Color blue{0, 0, 200};
    CHECK(line_style(weak, blue, alone).width == line_style(weak, blue, both).width);
    CHECK(line_style(weak, blue, both).width < line_style(strong, blue, both).width);
    CHECK(line_style(weak, blue, both).color.a < line_style(strong, blue, both).color.a);
    ReadLine incoming = strong;
    incoming.role = LineRole::Incoming;
    CHECK(line_style(incoming, blue, both).width < line_style(strong, blue, both).width);
}

}  // namespace headlight::read_lines_test
