// Notices: where they are, and when they disappear.
#include <doctest/doctest.h>

#include "../temporary_folder.h"
#include "app/driver.h"
#include "few_fonts.h"
#include "io/studies/study.h"
#include "model/presets.h"
#include "source_folder.h"

namespace headlight::program_notice_test {
namespace {

bool meet(const Box& a, const Box& b) {
    return a.x + 0.5f < b.right() && b.x + 0.5f < a.right() && a.y + 0.5f < b.bottom() &&
           b.y + 0.5f < a.bottom();
}

/// Checks that the box of that name covers no control.
void check_free(Driver& d, const std::string& name) {
    REQUIRE(d.regions().find(name));
    const Box box = *d.regions().find(name);
    for (const auto& [other, at] : d.regions().boxes())
        if (other.starts_with("part ") || other.starts_with("card ") ||
            other.starts_with("head ") || other.starts_with("field ") || other == "large matrix")
            CHECK_MESSAGE(!meet(box, at), other);
}

void fail(Driver& d) {
    d.program().workbench().show_message(Error("edit", "something is wrong"));
    d.settle();
    d.move_to({640, 20});  // on no matrix: the middle makes room for it
}

}  // namespace

TEST_CASE("notice: notice and greeting have their own places") {
    Driver d;
    d.program().workbench().greet();
    d.move_to({640, 20});
    check_free(d, "greeting");
    fail(d);
    check_free(d, "bar notice");
    CHECK(d.has("button Dismiss"));
}

TEST_CASE("notice: it disappears with the study, or the state, that it is about") {
    Driver d;
    fail(d);
    d.move_to({600, 500});
    CHECK(d.message() != "");
    d.click("tab Graph");
    CHECK(d.message() == "");
    d.click("tab Sentence");
    fail(d);
    d.replace_sentence("one two");
    CHECK(d.message() == "");
}

TEST_CASE("notice: it comes and goes without moving the buttons of the parts") {
    Driver d;
    const Box before = *d.regions().find("part all heads");
    fail(d);
    REQUIRE(d.has("bar notice"));
    CHECK(d.regions().find("part all heads")->y == before.y);
    d.click("button Dismiss");
    CHECK(d.regions().find("part all heads")->y == before.y);
}

TEST_CASE("notice: it names no part of the program, but a file with its line") {
    Driver d;
    d.program().workbench().show_message(Error("edit", "no cell is held"));
    CHECK(d.message() == "No cell is held");
    d.program().workbench().show_message(Error("edit", "W_Q is 2 × 2"));
    CHECK(d.message() == "W_Q is 2 × 2");
    d.program().workbench().show_message(Error({"a.lecture", 3}, "there is no key 'x'"));
    CHECK(d.message() == "[a.lecture] line 3: there is no key 'x'");
}

TEST_CASE("notice: neither it nor the row of tabs moves what is pointed at") {
    Driver d;
    const CellPlace cell{"blocks.0.attn.heads.0.pattern", 2, 1};
    const Point at = d.locate(cell);
    d.move_to(at);
    const auto is_still = [&] {
        d.move_to(at);
        const Point now = d.locate(cell);
        return now.x == at.x && now.y == at.y;
    };
    d.program().workbench().show_message(Error("edit", "something is wrong"));
    CHECK(is_still());
    REQUIRE(d.has("bar notice"));
    d.press(Key::T, Modifier::Ctrl);
    CHECK(is_still());
    REQUIRE(d.has("bar tabs"));
    d.click(at);
    CHECK(d.selection().held().cell);
    d.move_to({640, 20});
    CHECK_FALSE(is_still());  // now there is room for the row
    const Box tabs = *d.regions().find("bar tabs");
    for (const auto& [name, box] : d.regions().boxes())
        if (name.starts_with("part ") || name.starts_with("field "))
            CHECK_MESSAGE(!meet(tabs, box), name);
}

TEST_CASE("tabs: the row that comes with another study has its room at once") {
    const TemporaryFolder folder;
    Driver d;
    d.move_to({640, 400});
    d.drop(folder.with("a.headlight", write_study(find_preset("no-positions")->make())));
    d.drop(folder.with("b.headlight", write_study(find_preset("attention")->make())));
    REQUIRE(d.has("bar tabs"));
    const Box tabs = *d.regions().find("bar tabs");
    for (const auto& [name, box] : d.regions().boxes())
        if (name.starts_with("part ") || name.starts_with("field "))
            CHECK_MESSAGE(!meet(tabs, box), name);
}

TEST_CASE("notice: a problem stays until dismissed; a success disappears by itself") {
    Driver d;
    fail(d);
    d.rest(30);
    CHECK(d.message() != "");
    d.click("button Dismiss");
    CHECK(d.message() == "");
}

TEST_CASE("animation: its bar is hidden in a workspace without its number") {
    Driver d;
    d.hover("field Temperature");
    d.click(d.locate("field Temperature"), Button::Right);
    REQUIRE(d.has("bar animation"));
    d.click("tab Graph");
    CHECK(!d.has("bar animation"));
    d.click("tab Sentence");
    CHECK(d.has("bar animation"));
}

TEST_CASE("notice: a script that no font has is reported once, with a package that has a font") {
    const FewFonts dejavu_alone;
    Driver d;
    d.replace_sentence("Привет שלום");
    CHECK(d.message() == "");
    d.replace_sentence("你 好");
    CHECK(d.message().find("No installed font has Chinese") == 0);
    CHECK(d.message().find("apt install fonts-wqy-microhei") != std::string::npos);
    d.click("tab Graph");
    CHECK(d.message() == "");
    d.click("tab Sentence");
    CHECK(d.message().find("No installed font has Chinese") == 0);
    d.click("button Dismiss");
    d.replace_sentence("世界");
    CHECK(d.message() == "");
}

TEST_CASE("notice: on a slide it covers neither the task nor any button, and what makes room") {
    for (const Point size : {Point{1280, 720}, Point{1024, 768}}) {
        Driver d({size.x, size.y, 1});
        d.program().workbench().open_file(
            (source_folder() / "tests" / "ui" / "tasks.lecture").string());
        d.settle();
        d.press(Key::F5);
        d.press(Key::Right);
        for (const char* text : {"[edit] short",
                                 "[edit] a notice so long that it needs more than one line of the "
                                 "slide, since a sentence follows the first: say what can be done, "
                                 "and where it can be read in the documentation of the program"}) {
            d.program().workbench().show_message(text);
            d.settle();
            d.move_to({10, 10});
            REQUIRE(d.has("bar notice"));
            const Box notice = *d.regions().find("bar notice");
            const Box page = *d.regions().find("page");
            CHECK(!meet(notice, page));
            CHECK(page.height > 0.75f * 480);  // in points of the slide
            int n_buttons = 0;
            for (const auto& [name, at] : d.regions().boxes()) {
                if (!name.starts_with("button ") || name == "button Dismiss") continue;
                ++n_buttons;
                CHECK_MESSAGE(!meet(notice, at), name);
            }
            CHECK(n_buttons > 6);
            d.click("button Dismiss");
            CHECK(d.regions().find("page")->height > page.height);
        }
    }
}

TEST_CASE("notice: a script that no font has is told of while the text needs it") {
    const FewFonts dejavu_alone;
    Driver d;
    const auto tells = [&] { return d.message().find("No installed font has") == 0; };
    d.replace_sentence("नमस्ते");
    CHECK(d.message().find("apt install fonts-lohit-deva") != std::string::npos);
    d.replace_sentence("hello");
    CHECK(!tells());
    d.replace_sentence("नमस्ते");
    CHECK(tells());
    d.replace_sentence("नमस्ते hello");  // another text, but the cause is still there
    CHECK(tells());
    d.click("button Dismiss");
    d.replace_sentence("hello");
    d.replace_sentence("नमस्ते");
    CHECK(!tells());
    d.replace_sentence("你");  // another script
    CHECK(d.message().find("No installed font has Chinese.") == 0);
}

}  // namespace headlight::program_notice_test
