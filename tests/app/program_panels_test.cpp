// Panels in the window: which matrices they are, where they go, and choosing heads from a grid.
#include <doctest/doctest.h>

#include "../temporary_folder.h"
#include "app/driver.h"
#include "io/files/file.h"

namespace headlight::program_panels_test {
namespace {

constexpr const char* kStudy =
    R"({"kind": "sentence", "text": "the cat saw the dog run", "layer":
        {"n_layers": 2, "d_model": 8, "attention": {"n_heads": 2}}})";

using Paths = std::vector<std::string>;

std::string pattern(int layer, int head) {
    return "blocks." + std::to_string(layer) + ".attn.heads." + std::to_string(head) + ".pattern";
}

bool says(Driver& d, const std::string& text) {
    return d.texts().find(text) != std::string::npos;
}

struct PanelsWindow : Driver {
    explicit PanelsWindow(const std::string& file) { drop(file); }

    void mark(const std::string& head, Modifier modifier = Modifier::Ctrl) {
        click(locate(head), Button::Left, modifier);
    }
};

}  // namespace

TEST_CASE("panels: heads that are Ctrl- or Shift-clicked stand beside each other, with letters") {
    const TemporaryFolder folder;
    PanelsWindow d(folder.with("s.headlight", kStudy));
    CHECK(!d.has("part panels"));
    d.click("part all heads");
    d.mark("head 1.1");
    d.mark("head 0.0", Modifier::Shift);
    d.mark("head 0.1");
    d.mark("head 0.1");  // no more
    CHECK(d.selection().view == ViewId::Heads);
    CHECK(d.selection().looks.panels.matrices == Paths{pattern(1, 1), pattern(0, 0)});
    d.click("part panels");
    CHECK(says(d, "Layer 1 · head 1"));
    CHECK(says(d, "(b)"));
    CHECK(!says(d, "(c)"));
    // A cell is held in all of them.
    d.click(CellPlace{pattern(0, 0), 2, 1});
    REQUIRE(d.selection().held().cell);
    CHECK(d.selection().held().cell->path == pattern(0, 0));
    CHECK(d.selection().view == ViewId::Panels);
}

TEST_CASE("panels: the grid chooses one head, with Ctrl more, and is left with Esc") {
    const TemporaryFolder folder;
    PanelsWindow d(folder.with("s.headlight", kStudy));
    d.selection().view = ViewId::Panels;
    d.program().loop().wake();
    d.settle();
    CHECK(says(d, "Layer 0 · head 1"));  // without a choice the heads of the open part
    d.click("button Panels of");
    d.mark("choice head 1.0");
    CHECK(d.selection().looks.panels.matrices ==
          Paths{pattern(0, 0), pattern(0, 1), pattern(1, 0)});
    REQUIRE(d.has("choice head 0.0"));  // it stays open
    d.mark("choice head 0.0");
    d.press(Key::Escape);
    CHECK(!d.has("choice head 0.0"));
    CHECK(d.selection().looks.panels.matrices == Paths{pattern(0, 1), pattern(1, 0)});
    d.click("button Panels of");
    d.click("choice head 1.1");
    CHECK(d.selection().looks.panels.matrices == Paths{pattern(1, 1)});
    CHECK(!d.has("choice head 0.0"));
}

TEST_CASE("panels: the grid is used without a pointer") {
    const TemporaryFolder folder;
    PanelsWindow d(folder.with("s.headlight", kStudy));
    d.selection().view = ViewId::Panels;
    d.program().loop().wake();
    d.settle();
    d.click("button Panels of");
    d.press(Key::Down);
    CHECK(d.program().workbench().keyboard() == "choice head 0.0");
    d.press(Key::Right);
    CHECK(d.program().workbench().keyboard() == "choice head 0.1");
    d.press(Key::Down);
    CHECK(d.program().workbench().keyboard() == "choice head 1.1");
    d.press(Key::Left);
    d.press(Key::Enter);
    CHECK(d.selection().looks.panels.matrices == Paths{pattern(1, 0)});
}

TEST_CASE("panels: they come back with the study, and a page of a lecture keeps them") {
    const TemporaryFolder folder;
    const std::string file = folder.with("s.headlight", kStudy);
    {
        PanelsWindow d(file);
        d.click("part all heads");
        d.mark("head 1.0");
        d.mark("head 0.1");
        d.click("part panels");
        d.selection().looks.panels.across = 1;
        d.press(Key::S, Modifier::Ctrl);
    }
    CHECK(read_file(file).find("\"panel\"") != std::string::npos);
    PanelsWindow d(file);
    CHECK(d.selection().view == ViewId::Panels);
    CHECK(d.selection().looks.panels == PanelsLook{{pattern(1, 0), pattern(0, 1)}, 1});
    CHECK(says(d, "Layer 1 · head 0"));
    d.press(Key::A, Modifier::CtrlShift);  // a page
    CHECK(d.message().find("shows this") != std::string::npos);
    d.click("tab Lecture");
    CHECK(says(d, "(b)"));
    CHECK(says(d, "Layer 1 · head 0"));
}

TEST_CASE("panels: a head of Compare is chosen in the grid") {
    const TemporaryFolder folder;
    PanelsWindow d(folder.with("s.headlight", kStudy));
    d.press(Key::B, Modifier::Ctrl);
    CHECK(!d.has("choice Layer 0 · head 0"));  // A itself
    d.click("choice Layer 1 · head 1");
    const OtherHead* other = d.program().workbench().comparison().now().other<OtherHead>();
    REQUIRE(other);
    CHECK(other->attention == "blocks.1.attn");
    CHECK(other->head == 1);
}

}  // namespace headlight::program_panels_test
