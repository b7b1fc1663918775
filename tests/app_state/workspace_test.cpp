// All heads of a large recording: what is in memory, and what is computed first.
#include "app_state/workspace.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "core/analyses/head_metrics.h"

namespace headlight::workspace_test {
namespace {

/// Twenty-four heads over n tokens, each reading the previous token.
Document recording(Index n) {
    RecordedStudy study{.file = "/recording",
                        .text = {std::vector<std::string>(static_cast<std::size_t>(n), "a"), {}},
                        .attentions = {{.n_layers = 6, .n_heads = 4}}};
    study.source =
        std::make_shared<const MatrixSource>(MatrixSource{[](Index, Index first, View rows) {
            rows.setZero();
            for (Index i = 0; i < rows.rows(); ++i) rows(i, std::max<Index>(0, first + i - 1)) = 1;
        }});
    Document document;
    document.study = study;
    return document;
}

/// The address sanitizer keeps memory that was freed.
#ifdef __SANITIZE_ADDRESS__
constexpr bool kKeepsFreed = true;
#else
constexpr bool kKeepsFreed = false;
#endif

/// The peak memory since reset_peak, in bytes.
double peak_bytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:")) return 1024 * std::stod(line.substr(6));
    return 0;
}

void reset_peak() {
    std::ofstream("/proc/self/clear_refs") << "5";
}

void settle(Workspace& space) {
    for (int k = 0; k < 8; ++k) {
        prepare(space);
        space.session.wait();
    }
    prepare(space);
}

/// Six layers of four heads, computed, over so many words.
Document computed_heads(Index n) {
    SentenceStudy study;
    for (Index i = 0; i < n; ++i) study.text += "w" + std::to_string(i) + " ";
    study.layer = {.n_layers = 6, .d_model = 16};
    study.layer.attention.n_heads = 4;
    Document document;
    document.study = study;
    return document;
}

/// Checks that opening all heads takes less than that much memory. Some patterns are in memory for
/// the overviews and malloc keeps some, but never a third of all.
void check_peak_of_all_heads(Workspace& space, double most_bytes) {
    settle(space);
    reset_peak();
    const double before = peak_bytes();
    space.selection.view = ViewId::Heads;
    settle(space);
    if (!kKeepsFreed) CHECK(peak_bytes() - before < most_bytes);
}

}  // namespace

TEST_CASE("Workspace: of patterns that come later only those that are looked at are asked for") {
    Document document = recording(300);
    std::vector<Index> asked;
    RecordedStudy& study = *document.recorded();
    const auto same = std::make_shared<const MatrixSource>(
        MatrixSource{[](Index, Index, View rows) { rows.setConstant(0.5f); }});
    MatrixSource source = *study.source;
    source.later = std::make_shared<const LaterMatrices>(
        LaterMatrices{.is_there = [](Index) { return false; },
                      .ask = [&](Index number) { asked.push_back(number); },
                      .words = [] { return std::string("later"); },
                      .overview_side = 8,
                      .overviews = same,
                      .metrics = same});
    study.source = std::make_shared<const MatrixSource>(source);
    Workspace space(computed_heads(3), {});  // its heads have the paths of the recording's
    settle(space);
    open_study(space, document, {});
    settle(space);
    CHECK(std::ranges::count(asked, 0) == std::ssize(asked));  // the first head's, which is chosen
    CHECK_FALSE(asked.empty());
    CHECK(space.trace->at("blocks.0.attn.heads.3.overview").value);
}

TEST_CASE("all heads of a large study: one pattern at a time is in memory") {
    constexpr Index n = 1600;
    constexpr double kPattern = n * n * sizeof(Scalar);
    Workspace space(computed_heads(n), [] {});
    check_peak_of_all_heads(space, 8 * kPattern);
    for (int l = 0; l < 6; ++l)
        for (int h = 0; h < 4; ++h) {
            const std::string head =
                "blocks." + std::to_string(l) + ".attn.heads." + std::to_string(h);
            const Tensor& overview = space.trace->at(head + ".overview");
            REQUIRE(overview.value);
            CHECK(overview.value->rows() == kOverviewSide);
            CHECK(overview.value->minCoeff() > 0);
            REQUIRE(space.trace->at(head + ".metrics").value);
        }
    const Trace& trace = *space.trace;
    const MatrixPtr pattern = compute_value(trace, trace.id_at("blocks.5.attn.heads.3.pattern"));
    CHECK(!trace.at("blocks.5.attn.heads.3.pattern").value);
    CHECK(trace.at("blocks.5.attn.heads.3.overview").value->maxCoeff() == pattern->maxCoeff());
}

TEST_CASE("all heads of a large recording: one pattern at a time is in memory") {
    constexpr Index n = 1600;
    constexpr double kPattern = n * n * sizeof(Scalar);
    Workspace space(recording(n), [] {});
    check_peak_of_all_heads(space, 8 * kPattern);
    for (const char* head : {"blocks.0.attn.heads.0", "blocks.2.attn.heads.3"}) {
        const Tensor& overview = space.trace->at(head + std::string(".overview"));
        REQUIRE(overview.value);
        CHECK(overview.value->rows() == kOverviewSide);
        CHECK(overview.value->maxCoeff() == 1);
        REQUIRE(space.trace->at(head + std::string(".metrics")).value);
        CHECK(space.trace->at(head + std::string(".metrics"))
                  .value->coeff(0, Index(HeadMetric::Previous)) == doctest::Approx(1));
    }
    CHECK(!space.trace->at("blocks.2.attn.heads.3.pattern").value);
}

TEST_CASE("a large recording: the chosen matrix does not wait for the overview of heads") {
    Workspace space(recording(1600), [] {});
    const auto computed = [&](const char* path) {
        return space.trace && space.trace->at(path).value != nullptr;
    };
    for (int k = 0; k < 8 && !computed("blocks.0.attn.heads.0.pattern"); ++k) {
        prepare(space);
        CHECK(!computed("blocks.0.attn.heads.0.metrics"));
        space.session.wait();
    }
    settle(space);
    CHECK(computed("blocks.0.attn.heads.0.pattern"));
    CHECK(computed("blocks.0.attn.heads.0.metrics"));
}

}  // namespace headlight::workspace_test
