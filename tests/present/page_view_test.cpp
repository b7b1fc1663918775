// What of a page's view is marked, and what is left out of it.
#include "present/page/page_view.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "io/pictures/figure_text.h"
#include "present/page/page_figure.h"
#include "views/saved_view.h"

namespace headlight::page_view_test {
namespace {

const std::string kWho = "study: who-is-it";

/// A lecture of one page, which is open.
struct ViewedPage {
    explicit ViewedPage(const std::string& block)
        : lecture(read_lecture("# T\n\n## P\n\n```headlight\n" + block + "\n```\n", "t")),
          documents(lecture, {}, "t"),
          space(no_study(), {}),
          page(open_page({lecture, documents, "t"}, 0, space)) {}

    Lecture lecture;
    PageDocuments documents;
    Workspace space;
    OpenPage page;
};

}  // namespace

TEST_CASE("a row without a column marks no column, whatever the rows are") {
    for (const char* matrix : {"k", "v", "q", "pattern"}) {
        CAPTURE(matrix);
        ViewedPage test(kWho + "\nrow: it\ntensor: blocks.1.attn.heads.0." + matrix);
        Workspace& space = test.space;
        const Tensor& tensor = space.trace->at(space.selection.chosen);
        const CellPick pick = cell_pick(tensor, space.selection.held().indices);
        CHECK(pick.rows == std::vector<Index>{7});
        CHECK_FALSE((matrix != std::string("pattern") && pick.column));
    }
}

TEST_CASE("a row on the picture of a graph is a node, and an edge by its name or its two nodes") {
    const auto held = [](const std::string& rows) {
        return ViewedPage("study: karate\nwhat: graph\n" + rows).space.selection.held();
    };
    const std::string pattern = "tensor: gat.0.heads.0.pattern\n";
    CHECK(held("row: 9") == pick_item(9));
    CHECK(held(pattern + "row: 9") == pick_item(9));
    const Pick edge = held(pattern + "row: 9<-33");
    CHECK(edge.indices.edge);
    CHECK(edge.indices.query == 9);
    CHECK(edge.indices.key == 33);
    CHECK(held(pattern + "row: 9\ncolumn: 33") == edge);
}

TEST_CASE("a held edge is written by its ends, and read again") {
    ViewedPage test("study: karate\nwhat: graph\ntensor: gat.0.heads.0.pattern\nrow: 9<-33");
    const ViewWords words = saved_view(make_scene(test.space, theme_named(ThemeName::Light)));
    REQUIRE(find_word(words, "row"));
    CHECK(*find_word(words, "row") == "9<-33");
}

TEST_CASE("an option that changes nothing of the page's view is noted, with the reason") {
    const auto notes = [](const std::string& options) {
        return ViewedPage(kWho + "\ntensor: blocks.1.attn.heads.0.pattern\n" + options).page.notes;
    };
    using Notes = std::vector<std::string>;
    CHECK(notes("what: words\nrows: it").size() == 1);
    CHECK(notes("what: words\nrows: it").front().starts_with("rows: without effect, it is of "));
    CHECK(notes("what: matrix\nrows: it") == Notes{});
    REQUIRE(notes("what: matrix\nstrongest: 50").size() == 1);
    CHECK(notes("what: matrix\nstrongest: 50").front().starts_with("strongest: without effect, "));
    const auto note = [&](const std::string& options) {
        const Notes said = notes(options);
        return said.size() == 1 ? said.front() : fmt::format("{} notes", said.size());
    };
    CHECK(note("what: words\nacross: 2").starts_with("across: without effect, it is of "));
    CHECK(note("what: matrix\nnames: a|b").starts_with("names: without effect, it is of "));
    CHECK(note("what: words\nsides: both") == "sides: without effect, it needs with");
    CHECK(note("what: words\nnames: a|b") == "names: without effect, it needs with");
    CHECK(note("against: W_E").starts_with("against: without effect, it is of the views plane"));
    CHECK(note("panel: *.pattern").starts_with("panel: without effect, it is of the views panels"));
    CHECK(note("what: step\nedges: strongest:3") ==
          "edges: without effect, the study has no graph");
    CHECK(note("what: step\npart: input") ==
          "part: without effect, blocks.1.attn.heads.0.pattern is of blocks.1.attn");
    CHECK(note("what: step\nheads: 0,1") == "heads: only the first one is shown by the view step");
    CHECK(note("what: row\nrange: 0:0.5").starts_with("range: without effect, it is of "));
    CHECK(note("what: heads\ncolors: difference:Red to blue") ==
          "colors: without effect, without with there is no A − B");
    CHECK(note("what: heads\nsort-heads: held-word") ==
          "sort-heads: without effect, it needs row or column");
    CHECK(notes("what: heads\nsort-heads: held-word\nrow: it") == Notes{});
    CHECK(notes("what: heads\nsort-heads: norm(z)") == Notes{});
    CHECK_THROWS_WITH(notes("what: heads\nsort-heads: norm(zz)"), doctest::Contains("line 9"));
    // The text may speak of a held row, whatever the view.
    CHECK(notes("what: heads\nrow: it") == Notes{});
}

TEST_CASE("the bars of a held edge are those of that edge") {
    ViewedPage test("study: karate\nwhat: row\ntensor: gat.0.heads.0.pattern\nrow: 9<-33");
    const Scene scene = make_scene(test.space, theme_named(ThemeName::Light));
    const Figure drawn =
        page_view_figure(scene, *test.page.view, {{800, 400}}, pango_measure()).figure;
    const auto* title = std::get_if<TextMark>(&drawn.marks.front());
    REQUIRE(title);
    CHECK(title->text == "α, row “9 ← 33”: the largest of 1");
}

TEST_CASE("rows and columns of a compared view are shown alone on every side") {
    const auto figure = [](const std::string& more) {
        ViewedPage test(kWho +
                        "\ntensor: blocks.1.attn.heads.0.pattern\nwith: text The cat didn't "
                        "cross the street because it was too wide" +
                        more);
        const Workspace& space = test.space;
        const Theme& theme = theme_named(ThemeName::Light);
        const Figure drawn = page_view_figure(make_scene(space, theme), *test.page.view,
                                              {{800, 400}}, pango_measure())
                                 .figure;
        int n_because = 0, n_said = 0;
        for (const Mark& mark : drawn.marks)
            if (const auto* text = std::get_if<TextMark>(&mark)) {
                n_because += text->text == "because";
                n_said += text->text.find("2 × 3 of 11 × 11") != std::string::npos;
            }
        return std::pair(n_because, n_said);
    };
    CHECK(figure("") == std::pair(6, 0));  // a row and a column of A, B and A − B
    CHECK(figure("\nrows: it, cat\ncolumns: 1..3") == std::pair(0, 3));
}

}  // namespace headlight::page_view_test
