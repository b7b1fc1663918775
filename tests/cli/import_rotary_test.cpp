#include <array>
#include <cmath>
#include <complex>
#include <doctest/doctest.h>
#include <set>

#include "cli/command_line.h"
#include "headlight_run.h"
#include "io/arrays/npz.h"

namespace headlight::import_rotary_test {
namespace {

using Wide = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr int kWords = 5, kModel = 12, kHeads = 4, kGroups = 2, kWidth = 6;

/// The weights of one layer in a checkpoint (y = x Wᵀ), and the embeddings of the words.
struct Checkpoint {
    Matrix X = numbers(kWords, kModel, 1), W_q = numbers(kHeads * kWidth, kModel, 2),
           W_k = numbers(kGroups * kWidth, kModel, 3), W_v = numbers(kGroups * kWidth, kModel, 4),
           W_o = numbers(kModel, kHeads*kWidth, 5);

    static Matrix numbers(Index rows, Index columns, int seed) {
        Matrix m(rows, columns);
        for (Index k = 0; k < m.size(); ++k)
            m.data()[k] = static_cast<Scalar>(std::sin(double(seed) + 1.7 * double(k)));
        return m;
    }
};

Wide rotate_half(const Wide& x) {
    const Index half = x.cols() / 2;
    Wide y(x.rows(), x.cols());
    y << -x.rightCols(half), x.leftCols(half);
    return y;
}

/// LlamaRotaryEmbedding and apply_rotary_pos_emb of transformers: inv_freq for every second number
/// below the width, twice side by side.
Wide rotated_in_halves(const Wide& x) {
    Wide angles(x.rows(), x.cols());
    for (Index i = 0; i < x.rows(); ++i)
        for (Index c = 0; c < x.cols(); ++c)
            angles(i, c) = double(i) / std::pow(10000.0, double(c % (x.cols() / 2) * 2) / kWidth);
    return x.cwiseProduct(angles.array().cos().matrix()) +
           rotate_half(x).cwiseProduct(angles.array().sin().matrix());
}

/// Meta's apply_rotary_emb: neighbours are one complex number.
Wide rotated_as_complex(const Wide& x) {
    Wide y(x.rows(), x.cols());
    for (Index i = 0; i < x.rows(); ++i)
        for (Index f = 0; f < x.cols() / 2; ++f) {
            const double angle = double(i) / std::pow(10000.0, 2.0 * double(f) / kWidth);
            const auto turned =
                std::complex<double>(x(i, 2 * f), x(i, 2 * f + 1)) * std::polar(1.0, angle);
            y(i, 2 * f) = turned.real(), y(i, 2 * f + 1) = turned.imag();
        }
    return y;
}

/// Causal grouped-query attention, one head after another, in double.
Wide attention_out(const Checkpoint& c, Wide (*rotated)(const Wide&)) {
    const auto wide = [](const Matrix& m) { return Wide(m.cast<double>()); };
    const Wide q = wide(c.X) * wide(c.W_q).transpose(), k = wide(c.X) * wide(c.W_k).transpose(),
               v = wide(c.X) * wide(c.W_v).transpose();
    Wide concat(kWords, kHeads * kWidth);
    for (int h = 0; h < kHeads; ++h) {
        const int g = h / (kHeads / kGroups);
        const Wide q_h = rotated(q.middleCols(h * kWidth, kWidth)),
                   k_h = rotated(k.middleCols(g * kWidth, kWidth));
        Wide A = Wide::Zero(kWords, kWords);
        for (int i = 0; i < kWords; ++i) {
            for (int j = 0; j <= i; ++j)
                A(i, j) = std::exp(q_h.row(i).dot(k_h.row(j)) / std::sqrt(double(kWidth)));
            A.row(i) /= A.row(i).sum();
        }
        concat.middleCols(h * kWidth, kWidth) = A * v.middleCols(g * kWidth, kWidth);
    }
    return concat * wide(c.W_o).transpose();
}

std::string study_file(const TemporaryFolder& folder, std::vector<std::string> more = {}) {
    const std::string study = folder.file("study.headlight");
    std::vector<std::string> args{"new",        "sentence", "a b c d e", "--d-model",   "12",
                                  "--heads",    "4",        "--d-k",     "6",           "--d-v",
                                  "6",          "--causal", "on",        "--positions", "none",
                                  "--relative", "rotary",   "-o",        study};
    args.insert(args.end(), more.begin(), more.end());
    const Ran ran = headlight_run(args);
    INFO(ran.err);
    REQUIRE(ran.code == kExitDone);
    return study;
}

std::string weights_file(const TemporaryFolder& folder, const Checkpoint& c,
                         const std::array<std::string, 4>& names) {
    return folder.with("model.npz", write_npz({{"embed", c.X},
                                               {names[0], c.W_q},
                                               {names[1], c.W_k},
                                               {names[2], c.W_v},
                                               {names[3], c.W_o}}));
}

const std::array<std::string, 4> kHuggingFace{
    "model.layers.0.self_attn.q_proj.weight", "model.layers.0.self_attn.k_proj.weight",
    "model.layers.0.self_attn.v_proj.weight", "model.layers.0.self_attn.o_proj.weight"};
const std::array<std::string, 4> kMeta{
    "layers.0.attention.wq.weight", "layers.0.attention.wk.weight", "layers.0.attention.wv.weight",
    "layers.0.attention.wo.weight"};

/// The largest error relative to the largest expected number.
double error_of_import(const std::string& study, const Wide& expected) {
    const Wide out = trace_of(study).at("blocks.0.attn.out").value->cast<double>();
    return (out - expected).cwiseAbs().maxCoeff() / expected.cwiseAbs().maxCoeff();
}

}  // namespace

TEST_CASE("import: LLaMA's weights with grouped keys give Hugging Face's attention") {
    const TemporaryFolder folder;
    const Checkpoint c;
    const std::string study = study_file(folder, {"--kv-heads", "2"}),
                      result = folder.file("result.headlight");
    const Ran ran =
        headlight_run({"import", study, weights_file(folder, c, kHuggingFace), "-o", result});
    INFO(ran.err);
    REQUIRE(ran.code == kExitDone);
    CHECK(error_of_import(result, attention_out(c, rotated_in_halves)) < 2e-6);
    CHECK(error_of_import(result, attention_out(c, rotated_as_complex)) > 0.1);
    CHECK(contains(ran.out, "rotary pairs: halves, as Hugging Face's LLaMA has them"));
}

TEST_CASE("import: Meta's names imply that adjacent columns rotate together") {
    const TemporaryFolder folder;
    const Checkpoint c;
    const std::string study = study_file(folder, {"--kv-heads", "2", "--rotary-pairs", "halves"}),
                      result = folder.file("result.headlight");
    const Ran ran = headlight_run({"import", study, weights_file(folder, c, kMeta), "-o", result});
    INFO(ran.err);
    REQUIRE(ran.code == kExitDone);
    CHECK(error_of_import(result, attention_out(c, rotated_as_complex)) < 2e-6);
    CHECK(contains(ran.out, "rotary pairs: interleaved, as Meta's LLaMA has them"));
}

TEST_CASE("import: an option overrides what the names imply, and both are reported") {
    const TemporaryFolder folder;
    const Checkpoint c;
    const std::string study = study_file(folder, {"--kv-heads", "2"}),
                      result = folder.file("result.headlight");
    const Ran ran = headlight_run({"import", study, weights_file(folder, c, kHuggingFace),
                                   "--rotary-pairs", "interleaved", "-o", result});
    REQUIRE(ran.code == kExitDone);
    CHECK(error_of_import(result, attention_out(c, rotated_as_complex)) < 2e-6);
    CHECK(contains(ran.out, "rotary pairs: interleaved, other than Hugging Face's LLaMA"));
    const Ran unknown = headlight_run(
        {"import", study,
         folder.with("a.npz", write_npz({{"blocks.0.attn.W_O", Matrix::Ones(24, 12)}})), "-o",
         result});
    CHECK(contains(unknown.out, "rotary pairs: interleaved; the names in the file do not say"));
}

TEST_CASE("import: for keys with fewer heads than the study, the fitting grouping is named") {
    const TemporaryFolder folder;
    const Checkpoint c;
    const Ran ran =
        headlight_run({"import", study_file(folder), weights_file(folder, c, kHuggingFace), "-o",
                       folder.file("result.headlight")});
    CHECK(
        contains(ran.err, "k_proj.weight (12 × 12): the study has 4 of blocks.0.attn.heads.*.W_K"));
    CHECK(contains(ran.err, "it fits 2 K, V heads that the 4 heads share (n_kv_heads)"));
}

}  // namespace headlight::import_rotary_test
