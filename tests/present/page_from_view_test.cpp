// Pages made from what is seen show the same again.
#include "present/page_from_view.h"

#include <doctest/doctest.h>

#include "core/error.h"
#include "figure/theme.h"
#include "io/studies/ready_studies.h"
#include "present/page/page_figure.h"

namespace headlight::page_from_view_test {
namespace {

const std::string kWho =
    "# Test\n\n## Page\n\n```headlight\nstudy: who-is-it\n"
    "text: The dog did not cross the road because it was too tired\n"
    "tensor: blocks.1.attn.heads.0.pattern\nrow: it\n```\n";

/// The page of who-is-it, compared with a study; and the same page from its directives.
class ComparedPage {
  public:
    explicit ComparedPage(OtherStudy other) : lecture(read_lecture(kWho, "t")) {
        PageDocuments documents(lecture, {}, "t");
        open_page({lecture, documents, "t"}, 0, seen);
        seen.comparison.start(std::move(other));
        settle(seen);
        const Scene scene = make_scene(seen, theme_named(ThemeName::Light));
        LecturePage page{.title = "B", .text = {}, .notes = {}};
        page.directives = directives_from_view(scene, ViewId::Compared, {}, lecture);
        with = *find_value(page.directives, "with");
        lecture.pages.push_back(std::move(page));
        lecture = read_lecture(write_lecture(lecture), "t");  // as from its file
        PageDocuments of_kept(lecture, {}, "t");
        open_page({lecture, of_kept, "t"}, 1, again);
    }

    bool has_same_b() const {
        return again.comparison.now().document &&
               *again.comparison.now().document == *seen.comparison.now().document;
    }

    Lecture lecture;
    std::string with;
    Workspace seen{no_study(), {}}, again{no_study(), {}};
};

Document ready(const char* name) {
    return find_ready_study(name)->make();
}

}  // namespace

TEST_CASE("a kept page: panels of heads with names are called by them") {
    Workspace seen{ready("three-questions"), {}};
    settle(seen);
    const Scene scene = make_scene(seen, theme_named(ThemeName::Light));
    CHECK(title_from_view(scene, ViewId::Panels) == "who · state · action");
    Workspace other{ready("who-is-it"), {}};
    settle(other);
    CHECK(title_from_view(make_scene(other, theme_named(ThemeName::Light)), ViewId::Panels) ==
          "Panels");
}

TEST_CASE("a kept comparison: the same text, read by another trained network") {
    const ComparedPage page({.from = OtherStudy::From::Settings,
                             .name = "never-looks",
                             .document = ready("never-looks")});
    CHECK(page.with == "network never-looks");
    CHECK(page.has_same_b());
}

TEST_CASE("a kept comparison: another ready study, and one that only the lecture holds") {
    const ComparedPage same({.name = "stories", .document = ready("language-model")});
    CHECK(same.with == "language-model");
    CHECK(same.has_same_b());

    Document own = ready("attention");
    own.seed = 77;
    const ComparedPage inside({.name = "own", .document = own});
    CHECK(inside.lecture.studies.contains(inside.with));
    CHECK(inside.has_same_b());
}

TEST_CASE("a kept explanation: the page tells the arithmetic of the cell, and lists that step") {
    Lecture lecture = read_lecture(kWho, "t");
    PageDocuments documents(lecture, {}, "t");
    Workspace seen(no_study(), {}), again(no_study(), {});
    open_page({lecture, documents, "t"}, 0, seen);
    Selection& selection = seen.selection;
    const Tensor& pattern = seen.trace->at(selection.chosen);
    selection.keep_held(pick_at(*seen.trace, pattern, 8, 1));
    selection.explains = true;
    selection.looks.explanation = {"scores", TermOrder::AsComputed};
    const Scene scene = make_scene(seen, theme_named(ThemeName::Light));
    REQUIRE(shown_view(scene) == ViewId::Explanation);
    LecturePage page{.title = title_from_view(scene, ViewId::Explanation), .text = {}, .notes = {}};
    CHECK(page.title == "A(it, dog) of head 0");
    page.directives = directives_from_view(scene, ViewId::Explanation, {}, lecture);
    lecture.pages.push_back(std::move(page));
    lecture = read_lecture(write_lecture(lecture), "t");  // as from its file
    PageDocuments of_kept(lecture, {}, "t");
    const OpenPage kept = open_page({lecture, of_kept, "t"}, 1, again);
    CHECK(kept.view == ViewId::Explanation);
    CHECK(again.selection.held() == selection.held());
    CHECK(again.selection.looks.explanation.terms_of == "scores");
    CHECK(again.selection.looks.explanation.order == TermOrder::AsComputed);
}

TEST_CASE("a kept training: its curves are tables inside the lecture") {
    TrainingSnapshot training;
    Lecture lecture = read_lecture("# Test\n", "t");
    CHECK_THROWS_AS(directives_from_training(training, lecture), Error);
    training.curve = {{10, 2.5, 0.25}, {20, 1.25, 0.5}};
    training.tests = {{20, 1.5, 0.375}};
    const auto add = [&] {
        LecturePage page{.title = "Training", .text = {}, .notes = {}};
        page.directives = directives_from_training(training, lecture);
        lecture.pages.push_back(std::move(page));
    };
    add();
    training.curve.push_back({30, 0.5, 1});
    add();  // of a later moment: another table of the batches, the same of the tests
    lecture = read_lecture(write_lecture(lecture), "t");
    CHECK(values_for(lecture.pages[0].directives, "curve") ==
          std::vector<std::string>{"batches", "held-out"});
    CHECK(values_for(lecture.pages[1].directives, "curve") ==
          std::vector<std::string>{"batches-2", "held-out"});
    PageDocuments documents(lecture, {}, "t");
    Workspace space(no_study(), {});
    const OpenPage page = open_page({lecture, documents, "t"}, 1, space);
    REQUIRE(page.curves);
    REQUIRE(page.curves->logs.size() == 2);
    CHECK(page.curves->logs[0].csv.values(2, 2) == 1);
    CHECK(page.curves->logs[1].csv.values(0, 1) == 1.5f);
    CHECK(page.curves->logs[0].name == "batches");  // in the legend, not batches-2
    CHECK(page.curves->logs[1].name == "held-out");
}

TEST_CASE("a kept training: the legend has no number, unless two moments are on one page") {
    CHECK(curve_legend("held-out-2") == "held-out");
    CHECK(curve_legend("batches-13") == "batches");
    CHECK(curve_legend("held-out") == "held-out");
    CHECK(curve_legend("run-2") == "run-2");
    CHECK(curve_legend("held-out-2.csv") == "held-out-2.csv");
    const Lecture lecture = read_lecture(
        "# L\n\n## P\n\n```headlight\ncurve: held-out\ncurve: held-out-2\n```\n\n"
        "```curve held-out\nstep,loss\n1,2\n```\n\n```curve held-out-2\nstep,loss\n1,3\n```\n",
        "t");
    PageDocuments documents(lecture, {}, "t");
    Workspace space(no_study(), {});
    const OpenPage page = open_page({lecture, documents, "t"}, 0, space);
    REQUIRE(page.curves);
    CHECK(page.curves->logs[0].name == "held-out");
    CHECK(page.curves->logs[1].name == "held-out-2");
}

}  // namespace headlight::page_from_view_test
