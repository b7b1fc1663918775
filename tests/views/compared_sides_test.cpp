// A, B and A − B beside each other, where a view shows more than one matrix.
#include "views/compared_sides.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../temporary_folder.h"
#include "app_state/workspace.h"
#include "core/progress.h"
#include "figure/legend.h"
#include "io/files/file.h"
#include "io/studies/ready_studies.h"
#include "io/studies/study.h"
#include "model/changes.h"
#include "views/export/export_arguments.h"
#include "views/export/export_work.h"
#include "views/export/figure_caption.h"
#include "views/heads_order.h"
#include "views/listed_heads.h"
#include "views/readout_view.h"
#include "views/view_figure.h"
#include "views/word_lines_view.h"

namespace headlight::compared_sides_test {
namespace {

using Show = Comparison::Show;

float measure_seven(const std::string& text, float size, Font) {
    return 0.6f * size * static_cast<float>(text.size());
}

/// The network that goes on with what came before, beside itself before its last edit.
struct Compared : Workspace {
    explicit Compared(ViewId view) : Workspace(trained_study(task_named("induction")), [] {}) {
        selection.view = view;
        settle();
        session.apply({.label = "Pin", .change = [](Document& document) {
                           document.interventions["blocks.0.attn.heads.1.pattern"].set(3, 0,
                                                                                       Scalar(0.5));
                       }});
        comparison.start(OtherStudy{.from = OtherStudy::From::LastStep});
        settle();
    }
    void settle() {
        for (int k = 0; k < 6; ++k) {
            prepare(*this);
            session.wait();
            comparison.wait();
        }
    }
    Scene scene() { return make_scene(*this, theme_named(ThemeName::Light)); }
};

bool says(const Figure& figure, const std::string& part) {
    for (const Mark& mark : figure.marks)
        if (const auto* text = std::get_if<TextMark>(&mark))
            if (text->text.find(part) != std::string::npos) return true;
    return false;
}

std::vector<std::string> command_of(const Scene& scene, ViewId view) {
    ExportChoice choice;
    choice.view = view;
    choice.other = "other.headlight";
    return export_arguments(scene, choice);
}

}  // namespace

TEST_CASE("all heads of A and B stand beside each other, and their difference") {
    Compared space(ViewId::Heads);
    HeadsMemory memory;
    space.comparison.show(Show::All);
    const std::vector<HeadsOfSide> sides = list_sides(space.scene(), memory);
    REQUIRE(sides.size() == 3);
    CHECK(sides[1].side == ComparedSide::B);
    REQUIRE(sides[0].heads.size() == sides[1].heads.size());
    REQUIRE(sides[0].heads.size() == sides[2].heads.size());
    for (std::size_t h = 0; h < sides[0].heads.size(); ++h) {
        const Matrix &a = *sides[0].heads[h].pattern->value, &b = *sides[1].heads[h].pattern->value;
        CHECK(*sides[2].heads[h].pattern->value == Matrix(a - b));
        const double total = 0.5 * (a - b).cwiseAbs().sum() / static_cast<double>(a.rows());
        CHECK(*sides[0].heads[h].distance() == doctest::Approx(total).epsilon(1e-5));
        // One scale for all, so that a head that hardly changed looks like it.
        CHECK(sides[2].heads[h].picture(theme_named(ThemeName::Light)).scale.high ==
              sides[2].heads[0].picture(theme_named(ThemeName::Light)).scale.high);
    }
    CHECK(*sides[0].heads[0].distance() == 0);  // the edit is in head 1 of the same layer
    CHECK(*sides[0].heads[1].distance() > 0);
    CHECK(sides[2].heads[1].short_label().starts_with("differs "));
    CHECK(sides[2].heads[1].shortest_label().empty());  // a number alone says nothing
}

TEST_CASE(
    "all heads are drawn in the order that is chosen, on every side, and the figure says it") {
    Compared space(ViewId::Heads);
    using By = HeadsOrder::By;
    const auto drawn = [&](const HeadsOrder& order) {
        space.selection.looks.heads.order = order;
        const Figure figure = all_heads_picture(space.scene(), {}, measure_seven);
        std::vector<std::pair<std::string, Index>> heads;
        for (const Target& target : figure.targets)
            if (target.of == Target::Of::Head) heads.emplace_back(target.path, target.index);
        return std::pair(heads, says(figure, "sorted by "));
    };
    const auto [by_layer, says_layer] = drawn({});
    CHECK_FALSE(says_layer);
    for (const HeadsOrder& order : {HeadsOrder{.by = By::Metric, .metric = HeadMetric::Entropy},
                                    HeadsOrder{.by = By::Measure, .measure = "max(pattern)"},
                                    HeadsOrder{.by = By::Difference}}) {
        const auto [heads, says_order] = drawn(order);
        CAPTURE(write_heads_order(order));
        CHECK(says_order);
        REQUIRE(heads.size() == by_layer.size());
        const std::size_t n = heads.size() / 3;
        for (std::size_t k = n; k < heads.size(); ++k) CHECK(heads[k] == heads[k % n]);
        HeadsMemory memory;
        const std::vector<ListedHead> all = list_sides(space.scene(), memory)[0].heads;
        HeadNumbers numbers;
        numbers.follow(space.scene(), all);
        std::optional<Scalar> before;
        for (std::size_t k = 0; k < n; ++k)
            for (const ListedHead& head : all)
                if (std::pair(head.attention->path, Index(head.head)) == heads[k]) {
                    const auto number = numbers.of(head);
                    REQUIRE(number);
                    CHECK((!before || *number <= *before));
                    before = number;
                }
    }
    // No word is held, so that there is nothing to sort by.
    space.selection.release();
    CHECK(drawn({.by = By::HeldWord}).first == by_layer);
    CHECK(says(all_heads_picture(space.scene(), {}, measure_seven), "not sorted: no word is held"));
}

TEST_CASE("a head in the list knows what its queries give the held word") {
    Compared space(ViewId::Heads);
    space.comparison.stop();
    const Tensor& pattern = space.trace->at("blocks.1.attn.heads.0.pattern");
    space.selection.keep_held(pick_at(*space.trace, pattern, 5, 2));
    space.settle();
    HeadsMemory memory;
    const std::vector<HeadsOfSide> sides = list_sides(space.scene(), memory);
    double sum = 0;
    for (Index i = 0; i < pattern.rows().size; ++i) sum += (*pattern.value)(i, 2);
    REQUIRE(sides[0].heads[2].pattern->path() == pattern.path());
    CHECK(*sides[0].heads[2].on_held ==
          doctest::Approx(sum / static_cast<double>(pattern.rows().size)));
    space.selection.release();
    space.settle();
    CHECK_FALSE(list_sides(space.scene(), memory)[0].heads[2].on_held);
}

TEST_CASE("another head of the same study is no B for a view of all heads") {
    Compared space(ViewId::Heads);
    space.comparison.start(OtherHead{"blocks.0.attn", 1});
    space.settle();
    HeadsMemory memory;
    CHECK(list_sides(space.scene(), memory).size() == 1);
    CHECK(sides_of(space.scene(), HasHeads::One).size() == 3);
}

TEST_CASE("lines of A − B are what one of them reads more") {
    Compared space(ViewId::Words);
    space.selection.choose_head(*space.trace, space.components, 0);
    space.selection.choose_component(*space.trace, space.components, "blocks.0.attn");
    space.selection.choose_head(*space.trace, space.components, 1);
    space.selection.view = ViewId::Words;
    space.settle();
    WordLinesSidesMemory memory;
    const std::vector<WordLinesSide> sides =
        word_lines_sides(space.scene(), WordLinesInput::Detail::Full, memory);
    REQUIRE(sides.size() == 3);
    const Matrix D = *space.trace->at("blocks.0.attn.heads.1.pattern").value -
                     *space.comparison.now().find("blocks.0.attn.heads.1.pattern")->value;
    REQUIRE(sides[2].input.heads.size() == 2);
    CHECK(*sides[2].input.heads[0].pattern - *sides[2].input.heads[1].pattern == D);
    CHECK(sides[2].input.heads[0].pattern->minCoeff() >= 0);
    CHECK(sides[2].input.heads[1].pattern->minCoeff() >= 0);
    CHECK(sides[2].input.lines.n_all == (D.array() != 0).count());
    CHECK(word_lines_notes(space.scene(), sides[2].input).front() ==
          "blue: A reads more, brown: B reads more");
    WordLinesInput picked = sides[2].input;
    picked.picked = {{3}, {0}};
    const std::vector<Scalar> of_row = most_read_numbers(picked);
    REQUIRE(static_cast<Index>(of_row.size()) == D.cols());
    for (Index j = 0; j < D.cols(); ++j) CHECK(of_row[static_cast<std::size_t>(j)] == D(3, j));
    CHECK(most_reader_numbers(picked)[3] == D(3, 0));
    std::swap(picked.heads[0].pattern, picked.heads[1].pattern);  // B − A
    REQUIRE(D(3, 0) != 0);
    CHECK(most_read_numbers(picked)[0] == -D(3, 0));
}

TEST_CASE("texts of different lengths have lines of A and of B, and a reason in place of A − B") {
    Compared space(ViewId::Words);
    Document longer = space.session.document();
    set_text(longer, "a b c a b");
    longer.interventions.clear();
    space.comparison.start(OtherStudy{.name = "short", .document = longer});
    space.settle();
    WordLinesSidesMemory memory;
    const std::vector<WordLinesSide> sides =
        word_lines_sides(space.scene(), WordLinesInput::Detail::Full, memory);
    REQUIRE(sides.size() == 3);
    CHECK(sides[1].input.readers.size() == 5);
    CHECK(sides[2].problem.ends_with("5 × 5 cannot be subtracted"));
    HeadsMemory heads;
    const HeadsOfSide difference = list_sides(space.scene(), heads)[2];
    CHECK(difference.heads.empty());
    CHECK(difference.problem.find("cannot be subtracted") != std::string::npos);
}

TEST_CASE("pictures of heads, words and logits have both sides, and their command says so") {
    for (const auto& [middle, view] :
         {std::pair{ViewId::Heads, ViewId::Heads}, std::pair{ViewId::Words, ViewId::Words},
          std::pair{ViewId::Readout, ViewId::Readout}}) {
        CAPTURE(static_cast<int>(view));
        Compared space(middle);
        const ViewFigure drawn = view_figure(space.scene(), view, {}, measure_seven);
        CHECK(drawn.background == theme_named(ThemeName::Light).card);
        const Figure& both = drawn.figure;
        CHECK(says(both, "A  ·  now"));
        CHECK(says(both, "B  ·  before “Pin”"));
        CHECK(says(both, "A − B") == (view != ViewId::Readout));
        const std::vector<std::string> command = command_of(space.scene(), view);
        CHECK(std::ranges::count(command, "--with") == 1);
        space.comparison.show(Comparison::Show::Difference);
        if (view != ViewId::Readout)
            CHECK(says(view_figure(space.scene(), view, {}, measure_seven).figure,
                       "A − B  ·  now − before “Pin”"));
        space.comparison.stop();
        space.settle();
        CHECK_FALSE(says(view_figure(space.scene(), view, {}, measure_seven).figure, "A  ·"));
    }
}

TEST_CASE("numbers of A − B are called so, and their labels name the words of both") {
    Compared space(ViewId::Matrix);
    space.selection.chosen = "blocks.1.attn.heads.1.pattern";
    Document other = space.session.document();
    set_text(other, "m f q b z k a t m f q b z k a t");
    space.comparison.start(OtherStudy{.name = "other", .document = other});
    space.session.apply({.label = "Text", .change = [](Document& document) {
                             set_text(document, "k f q b z m a t k f q b z m a t");
                         }});
    space.settle();
    REQUIRE(space.comparison.now().chosen.difference);
    ExportChoice choice;
    choice.file = "a.npz";
    const ExportWork work = make_work(space.scene(), choice);
    REQUIRE(work.files.size() == 1);
    REQUIRE(work.files[0].tensors.size() == 1);
    CHECK(work.files[0].tensors[0].path() == "blocks.1.attn.heads.1.pattern.difference");
    CHECK(work.note == "the numbers are A − B: A is “now”, B is “other”");
    choice.file = "a.csv";
    const ExportWork labelled = make_work(space.scene(), choice);
    const std::string csv = bytes_of(labelled, labelled.files[0], {});
    CHECK(csv.find("k / m,f,q,b,z,m / k,") != std::string::npos);
    space.comparison.show(Show::Both);
    const ExportWork of_a = make_work(space.scene(), choice);
    CHECK(of_a.files[0].tensors[0].path() == "blocks.1.attn.heads.1.pattern");
    CHECK(of_a.note == "");
}

TEST_CASE("the study that a caption's command compares with is written beside it, which is said") {
    const TemporaryFolder folder;
    Compared space(ViewId::Words);
    ExportChoice choice;
    choice.view = ViewId::Words;
    choice.file = folder.file("a.svg");
    choice.has_caption = true;
    Progress progress;
    const std::string other = folder.file("a.svg.b.headlight");
    CHECK(at_once(do_work(make_work(space.scene(), choice), progress)).text ==
          "Exported to " + choice.file.string() +
              "; the command in its caption also needs a.svg.b.headlight");
    CHECK(read_study(read_file(other), other).sentence()->text ==
          space.comparison.now().document->sentence()->text);
    for (const char* name : {"a.svg", "a.svg.txt"}) std::filesystem::remove(folder.file(name));
    CHECK(overwritten_file(space.scene(), choice) == std::filesystem::path(other));
    choice.has_caption = false;
    CHECK(at_once(do_work(make_work(space.scene(), choice), progress)).text ==
          "Exported to " + choice.file.string());
}

TEST_CASE("a range that is set for A − B is that of its pictures, and captions say what it cuts") {
    for (const auto& [middle, view] :
         {std::pair{ViewId::Heads, ViewId::Heads}, std::pair{ViewId::Panels, ViewId::Panels},
          std::pair{ViewId::Matrix, ViewId::Compared}}) {
        CAPTURE(static_cast<int>(view));
        Compared space(middle);
        space.selection.chosen = "blocks.0.attn.heads.1.pattern";
        space.comparison.show(Show::Difference);
        space.settle();
        PictureSettings& settings = space.selection.scales.of_difference();
        settings.range = PictureSettings::Range::Fixed;
        settings.low = Scalar(-0.125), settings.high = Scalar(0.125);
        for (const Mark& mark : view_figure(space.scene(), view, {}, measure_seven).figure.marks)
            if (const auto* heatmap = std::get_if<HeatmapMark>(&mark);
                heatmap && !is_legend_bar(*heatmap)) {
                CHECK(heatmap->scale.low == Scalar(-0.125));
                CHECK(heatmap->scale.high == Scalar(0.125));
            }
        CHECK(view_caption(space.scene(), view).find("above 0.125 look like 0.125") !=
              std::string::npos);
        const std::vector<std::string> command = command_of(space.scene(), view);
        CHECK(std::ranges::count(command, "difference:-0.125:0.125") == 1);
        // It is not that of A, which has signs of its own.
        CHECK(space.selection.scales.of(Quantity::Signed).range ==
              PictureSettings::Range::Standard);
    }
}

TEST_CASE("lines of A − B have the width that their range says") {
    Compared space(ViewId::Words);
    space.selection.chosen = "blocks.0.attn.heads.1.pattern";
    space.selection.head = 1;
    space.comparison.show(Show::Difference);
    space.settle();
    const auto range = [&] {
        WordLinesSidesMemory memory;
        const auto side = word_lines_sides(space.scene(), WordLinesInput::Detail::Full, memory)[0];
        return std::pair(side.input.lines.high, line_range_note(side.input.lines));
    };
    CHECK(range() == std::pair(1.0f, std::string()));
    PictureSettings& settings = space.selection.scales.of_difference();
    settings.range = PictureSettings::Range::Fixed;
    settings.low = Scalar(-0.25), settings.high = Scalar(0.25);
    CHECK(range() == std::pair(0.25f, std::string("lines, faint to strong: 0 to 0.25")));
}

TEST_CASE("logits of A and B have bars of one scale, and B says which words are others") {
    Compared space(ViewId::Readout);
    LogitView a = make_readout(space.scene()), b = a;
    set_beside(a, b);
    CHECK(a.beside == &b);
    CHECK(b.beside == &a);
    const auto title = [&] {
        const SceneOfB of_b(space.scene());
        return readout_title(space.scene(), ComparedSide::B, of_b.scene());
    };
    CHECK(title().find("which reads") == std::string::npos);
    Document other = space.session.document();
    other.interventions.clear();
    set_text(other, "k f k f z");
    space.comparison.start(OtherStudy{.name = "other", .document = other});
    space.settle();
    CHECK(title().find(", which reads ") != std::string::npos);
}

TEST_CASE("a metric for which a text has no row is no 0 in the list of heads, and says why") {
    Compared space(ViewId::Heads);
    space.comparison.stop();
    const auto heads_of = [&](const char* text, HeadsMemory& memory) {
        space.session.apply({.label = "Text", .change = [text](Document& document) {
                                 document.interventions.clear();
                                 set_text(document, text);
                             }});
        space.settle();
        return list_sides(space.scene(), memory)[0].heads;
    };
    HeadsMemory memory;
    const std::string none = "not defined for texts that repeat no word";
    {
        const std::vector<ListedHead> heads = heads_of("k f q b", memory);
        REQUIRE(heads[0].metrics);
        CHECK(heads[0].metric_text(HeadMetric::Duplicate, MetricRows::All) == "—: " + none);
        CHECK(why_no_metric(heads, HeadMetric::Duplicate, MetricRows::All) ==
              "duplicate is " + none);
        CHECK(why_no_metric(heads, HeadMetric::Sparsity, MetricRows::All) == "");
    }
    {
        const std::vector<ListedHead> heads = heads_of("k", memory);
        CHECK(heads[0].metric_text(HeadMetric::Sparsity, MetricRows::All) ==
              "—: not defined for texts of one token");
    }
    const std::vector<ListedHead> heads = heads_of("k f k f", memory);
    CHECK(why_no_metric(heads, HeadMetric::Duplicate, MetricRows::All) == "");
    CHECK(heads[0].metric_text(HeadMetric::Duplicate, MetricRows::All).find("—") ==
          std::string::npos);
}

}  // namespace headlight::compared_sides_test
