// The numbers of views as tables: those of the trace and of the sweep, in files as well.
#include "views/view_table.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include "../temporary_folder.h"
#include "app_state/workspace.h"
#include "core/analyses/composition.h"
#include "core/analyses/head_metrics.h"
#include "core/error.h"
#include "io/arrays/npy.h"
#include "io/files/file.h"
#include "io/studies/ready_studies.h"
#include "io/text/csv.h"
#include "model/changes.h"
#include "views/export/export_work.h"
#include "views/readout_view.h"

namespace headlight::view_table_test {
namespace {

float measure_six(const std::string& text, float size, Font) {
    return 0.6f * size * static_cast<float>(text.size());
}

/// A trained study of two layers of heads, seen in a window.
struct Induction : Workspace {
    Induction() : Workspace(trained_study(task_named("induction")), [] {}) { compute(); }

    void compute(const std::vector<std::string>& globs = {}) {
        exported = globs;
        for (int k = 0; k < 8; ++k) {
            prepare(*this);
            session.wait();
            sweep.wait();
            comparison.wait();
        }
        prepare(*this);
    }
    Scene scene() { return make_scene(*this, theme_named(ThemeName::Light)); }
    Table table(ViewId view) { return view_table(scene(), view).table; }

    void done(const SweepSettings& settings) {
        start_sweep(*this, settings);
        compute();
        REQUIRE(sweep.done() != nullptr);
    }
    void compare_with_text(const std::string& text) {
        Document other = session.document();
        set_text(other, text);
        comparison.start(OtherStudy{.name = "other", .document = other});
        compute({"*.pattern", "*.metrics"});
    }
};

std::string exported(const Scene& scene, ViewId view, const std::string& file) {
    ExportChoice choice;
    choice.view = view;
    choice.file = file;
    Progress progress;
    CHECK(at_once(do_work(make_work(scene, choice), progress)).text == "Exported to " + file);
    return read_file(file);
}

std::size_t column_named(const Table& table, const std::string& name) {
    const auto at = std::ranges::find(table.columns, name, &TableColumn::name);
    REQUIRE(at != table.columns.end());
    return static_cast<std::size_t>(at - table.columns.begin());
}

bool has_text(const Figure& figure, const std::string& part) {
    return std::ranges::any_of(figure.marks, [&](const Mark& mark) {
        const auto* text = std::get_if<TextMark>(&mark);
        return text && text->text.find(part) != std::string::npos;
    });
}

}  // namespace

TEST_CASE("what is exported of a sweep are its numbers, of every kind of sweep") {
    Induction space;
    const TemporaryFolder folder;
    const SweepSettings kinds[] = {
        {.kind = SweepKind::Zero},
        {.kind = SweepKind::Mean, .path = SweepPath{1, 0, HeadInput::Key}},
        {.over = SweepSites::Layers, .quantity = SweepQuantity::Loss},
        {.kind = SweepKind::Zero,
         .over = SweepSites::Tokens,
         .quantity = SweepQuantity::Probability},
        {.kind = SweepKind::Resample, .quantity = SweepQuantity::Divergence}};
    for (const SweepSettings& settings : kinds) {
        space.done(settings);
        const SweepResult& result = space.sweep.done()->result;
        const CsvMatrix read =
            read_csv(exported(space.scene(), ViewId::Sweep, folder.file("a.csv")), "a.csv");
        CHECK(read.values.rightCols(result.change.cols()) == result.change);
        CHECK(exported(space.scene(), ViewId::Sweep, folder.file("a.npy")) ==
              write_npy(result.change));
        const Figure drawn = view_figure(space.scene(), ViewId::Sweep, {}, measure_six).figure;
        const bool has_numbers = std::ranges::any_of(drawn.marks, [&](const Mark& mark) {
            const auto* heatmap = std::get_if<HeatmapMark>(&mark);
            return heatmap && *heatmap->values == result.change;
        });
        CHECK(has_numbers);
        CHECK(has_text(drawn, sweep_input(space.scene())->title));
    }
}

TEST_CASE("a sweep below the logits is what is exported, and is part of their picture") {
    Induction space;
    space.selection.view = ViewId::Readout;
    CHECK(exported_view(space.scene()) == ViewId::Readout);
    CHECK(numbers_view(space.scene(), ViewId::Readout) == ViewId::NextWords);
    CHECK_THROWS_WITH(view_table(space.scene(), ViewId::Sweep),
                      doctest::Contains("no sweep has been done"));
    CHECK_THROWS_WITH(view_figure(space.scene(), ViewId::Sweep, {}, measure_six),
                      doctest::Contains("no sweep has been done"));
    space.done({.kind = SweepKind::Zero});
    CHECK(exported_view(space.scene()) == ViewId::Sweep);
    CHECK(shown_view(space.scene()) == ViewId::Readout);
    CHECK(numbers_view(space.scene(), ViewId::Readout) == ViewId::Sweep);
    const Figure all = view_figure(space.scene(), ViewId::Readout, {}, measure_six).figure;
    CHECK(has_text(all, "Change of the logit"));
    CHECK(has_text(all, "Logit lens"));
    space.selection.view = ViewId::Matrix;
    CHECK(exported_view(space.scene()) == ViewId::Matrix);
}

TEST_CASE("tables of logits have the numbers that the cards show") {
    Induction space;
    space.selection.view = ViewId::Readout;
    const LogitView view = make_readout(space.scene());
    const Table next = space.table(ViewId::NextWords), lens = space.table(ViewId::Lens),
                parts = space.table(ViewId::Attribution);
    REQUIRE(next.n_rows() == view.next.size());
    for (std::size_t k = 0; k < view.next.size(); ++k) {
        CHECK(text_in(next, k, 1) == view.next[k].name);
        CHECK(*number_in(next, k, 3) == static_cast<Scalar>(view.next[k].probability));
    }
    REQUIRE(lens.n_rows() == view.lens.size());
    for (std::size_t l = 0; l < view.lens.size(); ++l) {
        CHECK(*number_in(lens, l, 2) == static_cast<Scalar>(view.lens[l].asked));
        CHECK(text_in(lens, l, 3) == view.lens[l].likeliest.front().name);
    }
    REQUIRE(parts.n_rows() == view.parts->parts.size() + 1);
    double sum = 0;
    for (std::size_t k = 0; k + 1 < parts.n_rows(); ++k)
        sum += static_cast<double>(*number_in(parts, k, 1));
    CHECK(sum == doctest::Approx(view.logit).epsilon(1e-4));
    CHECK(text_in(parts, parts.n_rows() - 1, 0) == "sum");
    for (const ViewId card : {ViewId::NextWords, ViewId::Lens, ViewId::Attribution}) {
        const Figure drawn = view_figure(space.scene(), card, {}, measure_six).figure;
        CHECK(has_text(drawn, "Logit lens") == (card == ViewId::Lens));
        CHECK(has_text(drawn, "Where the logit comes from") == (card == ViewId::Attribution));
    }
}

TEST_CASE("the word that is asked of stays if marks are hidden") {
    Induction space;
    AxisIndices third;
    third.query = 2;
    space.selection.keep_held({.indices = third, .cell = {}});
    FigureLook unmarked;
    unmarked.selected = FigureLook::Selected::Hidden;
    CHECK(has_text(view_figure(space.scene(), ViewId::NextWords, unmarked, measure_six).figure,
                   "token 2"));
}

TEST_CASE("tables of logits of A and B stand below each other, each with its side") {
    Induction space;
    const auto text = space.session.document().sentence()->text;
    space.compare_with_text(text.substr(text.find(' ') + 1));
    const Table parts = space.table(ViewId::Attribution);
    CHECK(parts.columns[0].name == "side");
    CHECK(parts.columns[2].name == "logit");
    CHECK(parts.n_labels == 2);
    CHECK(text_in(parts, 0, 0) == "A");
    CHECK(text_in(parts, parts.n_rows() - 1, 0) == "B");
}

TEST_CASE("the table of heads has what the view lists, and of a comparison the differences") {
    Induction space;
    space.compute({"*.pattern", "*.metrics"});
    const Table all = space.table(ViewId::Heads);
    CHECK(all.n_rows() ==
          all_attentions(space.components).size() *
              static_cast<std::size_t>(all_attentions(space.components)[0]->n_heads));
    const std::size_t entropy = column_named(all, "entropy");
    const Tensor& metrics = space.trace->at("blocks.0.attn.heads.1.metrics");
    CHECK(*number_in(all, 1, entropy) == (*metrics.value)(0, 0));

    space.selection.view = ViewId::Heads;
    space.selection.listed_heads = {{{{"blocks.1.attn", 1, Scalar(0.5)}}}, "mine", true};
    const Table one = space.table(ViewId::Heads);
    REQUIRE(one.n_rows() == 1);
    CHECK(text_in(one, 0, 0) == "blocks.1.attn");
    CHECK(*number_in(one, 0, column_named(one, "mine")) == Scalar(0.5));
    const Matrix& of_one = *space.trace->at("blocks.1.attn.heads.1.metrics").value;
    CHECK(*number_in(one, 0, entropy) == of_one(1, 0));
    space.selection.listed_heads.heads->clear();
    CHECK_THROWS_WITH(view_table(space.scene(), ViewId::Heads),
                      doctest::Contains("lists no heads"));

    space.selection.listed_heads = {};
    std::string other = space.session.document().sentence()->text;
    std::ranges::reverse(other);
    space.compare_with_text(other);
    const Table apart = space.table(ViewId::Heads);
    const std::string path = "blocks.1.attn.heads.0.pattern";
    const RowDistances rows =
        row_distances(*space.trace->at(path).value, *space.comparison.now().find(path)->value);
    const std::size_t variation = column_named(apart, "total variation");
    for (std::size_t k = 0; k < apart.n_rows(); ++k)
        if (text_in(apart, k, 0) == "blocks.1.attn" && *number_in(apart, k, 1) == 0)
            CHECK(*number_in(apart, k, variation) == rows.total_variation);
}

TEST_CASE("where one text repeats itself, the window compares induction on the probe") {
    Induction space;
    space.selection.view = ViewId::Heads;
    Document other = space.session.document();
    set_text(other, "k f q b z m a t c d e g h i j l");
    space.comparison.start(OtherStudy{.name = "other", .document = other});
    space.compute();
    const ViewTable made = view_table(space.scene(), ViewId::Heads);
    const std::size_t in_text = column_named(made.table, "induction"),
                      on_probe = column_named(made.table, "induction on probe");
    REQUIRE(made.table.n_rows() == 4);
    for (std::size_t k = 0; k < 4; ++k) {
        CHECK(!number_in(made.table, k, in_text));
        CHECK(*number_in(made.table, k, on_probe) == 0);  // one network, one probe
    }
    CHECK(made.note.find("induction has no difference: only the text of A has it") !=
          std::string::npos);
}

TEST_CASE("the table of compositions has the scores of all pairs, its picture the matrices") {
    Induction space;
    CHECK_THROWS_WITH(view_table(space.scene(), ViewId::Composition),
                      doctest::Contains("are being computed"));
    space.compute(composition_paths(*space.trace));
    const Table pairs = space.table(ViewId::Composition);
    const Tensor& by_key = space.trace->at("composition.K");
    REQUIRE(pairs.n_rows() == static_cast<std::size_t>(by_key.value->size()));
    CHECK(pairs.columns[3].name == "K");
    CHECK(text_in(pairs, 1, 0) == axis_label(*space.trace, by_key.columns(), 1));
    CHECK(*number_in(pairs, 1, 3) == (*by_key.value)(0, 1));
    const Figure drawn = view_figure(space.scene(), ViewId::Composition, {}, measure_six).figure;
    for (const char* path : {"composition.Q", "composition.K", "composition.V"})
        CHECK(has_text(drawn, path));
}

}  // namespace headlight::view_table_test
