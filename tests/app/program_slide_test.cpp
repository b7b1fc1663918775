// What a slide shows beside its matrix, and which cell is held there.
#include <doctest/doctest.h>

#include "app/driver.h"
#include "core/error.h"
#include "source_folder.h"

namespace headlight::program_slide_test {
namespace {

const std::string kHead = "blocks.0.attn.heads.0.";
const std::string kPattern = kHead + "pattern";

}  // namespace

TEST_CASE("show: the held cell is carried to the matrix that is shown, or released") {
    Driver d;
    const auto show = [&](const std::string& path) {
        headlight::show(d.program().workbench().workspace(), path);
        d.settle();
    };
    show(kPattern);
    REQUIRE(d.selection().held().cell);
    const CellPlace held = *d.selection().held().cell;
    const std::string other = "blocks.0.attn.heads.1.pattern";
    show(other);
    CHECK(d.selection().held().cell == CellPlace{other, held.row, held.column});
    show(kHead + "z");
    CHECK(d.selection().held().is_empty());
}

TEST_CASE("predict: the scores beside a covered pattern give nothing away") {
    Driver d;
    d.press(Key::F5);
    REQUIRE(d.has("card " + kHead + "scores"));
    REQUIRE(d.has("card " + kHead + "masked_scores"));
    d.press(Key::P);
    CHECK(!d.has("card " + kHead + "scores"));
    CHECK(!d.has("card " + kHead + "masked_scores"));
    CHECK(d.has("card " + kHead + "q"));
    // On the slides before the pattern the scores are the topic.
    d.press(Key::Left);
    CHECK(d.has("slide " + kHead + "masked_scores"));
    CHECK(d.has("card " + kHead + "scores"));
    d.press(Key::Right);
    CHECK(!d.has("card " + kHead + "masked_scores"));
    d.press(Key::R);
    CHECK(d.has("card " + kHead + "scores"));
    CHECK(d.has("card " + kHead + "masked_scores"));
}

TEST_CASE("mask: a click holds a cell, in the window and on a slide, and changes nothing") {
    Driver d;
    show(d.program().workbench().workspace(), "mask");
    d.settle();
    for (const bool presents : {false, true}) {
        CAPTURE(presents);
        if (presents) d.press(Key::F5);
        show(d.program().workbench().workspace(), "mask");
        d.program().workbench().selection().release();
        d.settle();
        d.click(CellPlace{"mask", 2, 1});
        CHECK(d.document().interventions.empty());
        CHECK(d.selection().held().cell == CellPlace{"mask", 2, 1});
    }
}

TEST_CASE("mask: with the brush on, a click opens or closes a pair, but not on a slide") {
    Driver d;
    show(d.program().workbench().workspace(), "mask");
    d.settle();
    d.click(CellPlace{"mask", 2, 1});
    d.click("switch Paint mask");
    d.click(CellPlace{"mask", 2, 1});
    CHECK(d.value({"mask", 2, 1}) == kMasked);
    d.press(Key::F5);
    d.click(CellPlace{"mask", 3, 1});
    CHECK(d.value({"mask", 3, 1}) == 0);
}

TEST_CASE("present: the heading of a slide says how many of its cells are set by hand") {
    Driver d;
    d.press(Key::F5);
    CHECK(d.texts().find("pinned") == std::string::npos);
    d.drag(CellPlace{kPattern, 2, 1}, 0, -30);
    CHECK(d.texts().find("1 cell pinned") != std::string::npos);
    d.drag(CellPlace{kPattern, 3, 1}, 0, -30);
    CHECK(d.texts().find("2 cells pinned") != std::string::npos);
    CHECK(d.texts().find("cells set by hand") == std::string::npos);
    d.press(Key::F5);
    d.drag(CellPlace{kHead + "W_Q", 0, 0}, 0, -30);
    show(d.program().workbench().workspace(), kHead + "W_Q");
    d.press(Key::F5);
    CHECK(d.texts().find("1 cell set by hand") != std::string::npos);
}

TEST_CASE("present: the text field appears below the matrix") {
    Driver d;
    d.press(Key::F5);
    d.press(Key::T);
    REQUIRE(d.has("text Sentence"));
    const Box field = *d.regions().find("text Sentence");
    CHECK(field.y > d.regions().find_cell(kPattern, 0, 0)->bottom());
    CHECK(field.bottom() < d.regions().find("button Next")->y);
    d.type("the river was wide");
    CHECK(d.document().sentence()->text == "the river was wide");
}

TEST_CASE("present: an error names the number of steps if there is no such step") {
    Driver d;
    Workbench& workbench = d.program().workbench();
    go_to_step(workbench.workspace(), 10);
    CHECK_THROWS_WITH_AS(go_to_step(workbench.workspace(), 11),
                         "[--step] blocks.0.attn has 11 steps", Error);
}

TEST_CASE("slide: the text that is typed with T covers nothing that it changes") {
    Driver d;
    const auto check_free = [&](const std::string& kind) {
        d.settle();
        REQUIRE(d.has("slide text"));
        const Box text = *d.regions().find("slide text");
        int n = 0;
        for (const auto& [name, box] : d.regions().boxes()) {
            if (!name.starts_with(kind)) continue;
            ++n;
            CHECK_MESSAGE(box.bottom() <= text.y + 0.5f, name);
        }
        CHECK(n > 0);
    };
    d.press(Key::F5);
    d.press(Key::T);
    check_free("card ");
    d.press(Key::Escape);
    d.press(Key::Escape);
    d.program().workbench().open_file(
        (source_folder() / "assets" / "lessons" / "query-key-value.lecture").string());
    d.settle();
    d.press(Key::F5);
    d.press(Key::T);
    check_free("page");
    const float height = d.regions().find("page")->height;
    d.press(Key::Escape);
    CHECK(d.regions().find("page")->height > height);
}

TEST_CASE("slide: buttons that come and go move no other button") {
    Driver d;
    d.program().workbench().open_file(
        (source_folder() / "tests" / "ui" / "tasks.lecture").string());
    d.settle();
    d.press(Key::F5);
    const auto left = [&] { return d.regions().find("button Leave")->x; };
    const float before = left();
    d.press(Key::One);
    REQUIRE(d.has("button Save answers…"));
    CHECK(left() == before);
}

}  // namespace headlight::program_slide_test
