// A study that is saved with its view opens with it.
#include <doctest/doctest.h>

#include "../temporary_folder.h"
#include "app/driver.h"
#include "io/files/file.h"
#include "io/studies/ready_studies.h"
#include "io/studies/study.h"
#include "views/view_state.h"

namespace headlight::program_view_test {

TEST_CASE("view: a saved study opens as it was seen, and looking is no change") {
    const TemporaryFolder folder;
    const std::string file = folder.file("a.headlight");
    const CellPlace cell{"blocks.0.attn.heads.2.pattern", 3, 1};
    Pick held;
    {
        Driver d;
        show(d.program().workbench().workspace(), cell.path);
        d.program().loop().wake();
        d.settle();
        d.click(cell);
        held = d.selection().held();
        d.press(Key::S, Modifier::Ctrl);
        d.answer_dialog(file);
        d.click("head 0");
        CHECK(d.texts().find("edited") == std::string::npos);
        d.push(make_event(InputEvent::Kind::Quit));
        d.settle();
        CHECK(d.program().loop().has_quit());
    }
    Driver d;
    d.drop(file);
    CHECK(d.message() == "");
    CHECK(d.selection().head == 2);
    CHECK(d.selection().chosen == cell.path);
    CHECK(d.selection().held() == held);
    CHECK(!d.session().history().can_undo());
}

TEST_CASE("view: what cannot be shown is named, and the study is there") {
    const TemporaryFolder folder;
    const std::string file = folder.with(
        "a.headlight", write_study(built_in_sentence(), {},
                                   {{"tensor", "blocks.0.attn.heads.2.pattern"}, {"row", "77"}}));
    Driver d;
    d.drop(file);
    CHECK(d.message().find("The view that was saved with the study cannot be shown: ") == 0);
    CHECK(d.message().find("77") != std::string::npos);
    CHECK(d.document() == built_in_sentence());
    CHECK(d.selection().head == 0);
    CHECK(d.selection().held().cell);  // as in any new study
}

TEST_CASE("view: the form with all options has each of the view, and makes it so") {
    Driver d({1280, 900, 1});
    d.press(Key::Escape);
    d.press(Key::V);
    for (const ViewOption& option : view_options()) {
        CAPTURE(option.word);
        const bool is_there =
            d.has("field option " + option.word) || d.has("text option " + option.word);
        const bool is_of_it =
            why_not_of(option.views, ViewId::Matrix).empty() && !option.is_of_graph;
        CHECK(is_there == is_of_it);
    }
    d.choose("option sort", "similarity");
    CHECK(d.selection().looks.matrix.sort == MatrixLook::Sort::Similarity);
    CHECK(d.texts().find("sorted by similarity") != std::string::npos);
    d.click("text option row");
    d.type("dog");
    d.press(Key::Enter);
    CHECK(d.texts().find("dog") != std::string::npos);  // why there is no such row
    CHECK(d.selection().looks.matrix.sort == MatrixLook::Sort::Similarity);
    d.click("text option row");
    d.press(Key::A, Modifier::Ctrl);
    d.type("it");
    d.press(Key::Enter);
    CHECK(!d.selection().held().is_empty());
    CHECK(d.selection().looks.matrix.sort == MatrixLook::Sort::Similarity);
    // Options that are chosen one after the other stay together.
    const auto enter = [&](const std::string& option, const char* text) {
        d.click("text option " + option);
        d.press(Key::A, Modifier::Ctrl);
        d.type(text);
        d.press(Key::Enter);
    };
    enter("rows", "it,cat,3..5");
    enter("columns", "2..6");
    CHECK(d.selection().looks.matrix.rows.size() == 5);
    CHECK(d.selection().looks.matrix.columns.size() == 5);
    CHECK(d.selection().looks.matrix.sort == MatrixLook::Sort::Similarity);
    d.click("text option columns");
    d.press(Key::A, Modifier::Ctrl);
    d.press(Key::Delete);
    d.press(Key::Enter);
    CHECK(d.selection().looks.matrix.columns.empty());
    CHECK(d.selection().looks.matrix.rows.size() == 5);
    // A click on a field above takes the text over, too.
    d.click("text option columns");
    d.type("1,2,3");
    d.click("text option rows");
    CHECK(d.selection().looks.matrix.columns.size() == 3);
    // A text that is refused leaves no empty fields behind.
    enter("rows", "it,zebra");
    enter("rows", "it,giraffe");
    CHECK(!d.has("text option rows 3"));
    d.press(Key::Escape);
    CHECK(!d.has("field option sort"));
}

TEST_CASE("view: the form of colours has each option of its group, for matrices of one kind") {
    Driver d({1280, 900, 1});
    d.press(Key::Escape);
    d.click("button Colours");
    for (const ViewOption& option : view_options()) {
        CAPTURE(option.word);
        const bool is_there =
            d.has("field option " + option.word) || d.has("text option " + option.word);
        const bool is_of_it = option.group == ViewOption::Group::Colors &&
                              why_not_of(option.views, ViewId::Matrix).empty();
        CHECK(is_there == is_of_it);
    }
    const auto settings = [&](Quantity quantity) { return d.selection().scales.of(quantity); };
    d.choose("Matrices", "signed");
    d.choose("option steps", "log");
    CHECK(settings(Quantity::Signed).scale == PictureSettings::Scale::Log);
    CHECK(settings(Quantity::Probability) == PictureSettings{});
    const auto enter = [&](const char* text) {
        d.click("text option range");
        d.press(Key::A, Modifier::Ctrl);
        d.type(text);
        d.press(Key::Enter);
    };
    enter("0:0.5");  // values with signs have a range about 0
    CHECK(d.has("warning range"));
    CHECK(settings(Quantity::Signed).range == PictureSettings::Range::Standard);
    enter("-0.5:0.5");
    CHECK(!d.has("warning range"));
    CHECK(settings(Quantity::Signed).high == Scalar(0.5));
    d.choose("option sort", "similarity");
    CHECK(settings(Quantity::Signed).high == Scalar(0.5));
    d.click("button As at first");
    CHECK(settings(Quantity::Signed) == PictureSettings{});
    CHECK(d.selection().looks.matrix.sort == MatrixLook::Sort::None);
    CHECK(d.undo_label() == "");
}

TEST_CASE("view: what is typed in the form is taken over before the study is saved") {
    const TemporaryFolder folder;
    const std::string file = folder.with("a.headlight", write_study(built_in_sentence()));
    {
        Driver d({1280, 900, 1});
        d.drop(file);
        d.press(Key::Escape);
        d.press(Key::V);
        d.click("text option rows");
        d.type("it,cat");
        d.press(Key::S, Modifier::Ctrl);
        CHECK(d.selection().looks.matrix.rows.size() == 2);
        CHECK(d.has("text option rows"));
    }
    Driver other;
    other.drop(file);
    CHECK(other.selection().looks.matrix.rows.size() == 2);
}

TEST_CASE("view: in the form another head has the same matrix, and another part its own") {
    Driver d({1280, 900, 1});
    d.program().workbench().open(find_ready_study("three-questions")->make(), {});
    d.program().loop().wake();
    d.settle();
    d.press(Key::Escape);
    show(d.program().workbench().workspace(), "blocks.1.attn.heads.0.q");
    d.selection().view = ViewId::Words;
    d.program().loop().wake();
    d.settle();
    const auto enter = [&](const std::string& option, const char* text) {
        d.click("text option " + option);
        d.press(Key::A, Modifier::Ctrl);
        d.type(text);
        d.press(Key::Enter);
    };
    d.press(Key::V);
    enter("heads", "2");
    CHECK(d.selection().chosen == "blocks.1.attn.heads.2.q");
    CHECK(d.selection().also_heads.empty());
    enter("heads", "1,0");
    CHECK(d.selection().chosen == "blocks.1.attn.heads.1.q");
    CHECK(d.selection().also_heads == std::vector<int>{0});
    enter("part", "blocks.0.attn");
    CHECK(d.selection().component == "blocks.0.attn");
    CHECK(d.selection().chosen.starts_with("blocks.0.attn"));
    // A key closes it, as it opened it.
    d.press(Key::V);
    CHECK(!d.has("field option sort"));
}

TEST_CASE("view: the sides of a comparison that has no file are chosen and named in the form") {
    Driver d({1280, 1800, 1});
    d.press(Key::Escape);
    d.program().workbench().comparison().start(
        OtherStudy{.name = "before", .document = built_in_sentence()});
    d.program().loop().wake();
    d.settle();
    d.press(Key::V);
    d.choose("option sides", "difference");
    CHECK(d.program().workbench().comparison().now().show == Comparison::Show::Difference);
    d.click("text option names");
    d.press(Key::A, Modifier::Ctrl);
    d.type("mine|yours");
    d.press(Key::Enter);
    CHECK(d.program().workbench().comparison().now().name_a == "mine");
    CHECK(d.program().workbench().comparison().now().name_b == "yours");
    CHECK(d.program().workbench().comparison().now().is_on());
}

}  // namespace headlight::program_view_test
