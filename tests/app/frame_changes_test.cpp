// Only what changed is redrawn, without a visible difference.
#include "app/frame_changes.h"

#include <doctest/doctest.h>

#include "app/driver.h"
#include "test_window.h"
#include "ui/compat.h"

namespace headlight::frame_changes_test {
namespace {

/// Coloured rectangles, one over another.
struct Rectangles : TestWindow {
    struct Rectangle {
        Box box;
        ImU32 color;
    };

    Rectangles() {
        draw = [this](FrameContext& context) {
            begin_panel(context);
            ImDrawList& list = *ImGui::GetWindowDrawList();
            for (const auto& [box, color] : rectangles) {
                // The clip rectangle starts a new draw command.
                list.PushClipRect({box.x - 2, box.y - 2}, {box.right() + 2, box.bottom() + 2});
                list.AddRectFilled({box.x, box.y}, {box.right(), box.bottom()}, color);
                list.PopClipRect();
            }
            ImGui::End();
        };
        changes();
    }

    /// The changes since the last call.
    std::optional<ChangedBoxes> changes() {
        loop.wake();
        loop.run_until_idle();
        return seen.next(*ImGui::GetDrawData(), background);
    }

    std::vector<Rectangle> rectangles = {{{20, 20, 30, 30}, IM_COL32(255, 0, 0, 255)},
                                         {{30, 30, 40, 40}, IM_COL32(0, 0, 255, 128)}};
    std::uint64_t background = 1;
    FrameChanges seen{compat::texture_number};
};

bool is_inside(const Box& box, const Box& outer) {
    return common_part(box, outer).width == box.width &&
           common_part(box, outer).height == box.height;
}

}  // namespace

TEST_CASE("frame_changes: an identical frame changes nothing") {
    Rectangles window;
    const auto changed = window.changes();
    REQUIRE(changed);
    CHECK(changed->empty());
}

TEST_CASE("frame_changes: a moved mark changes its old and its new box") {
    Rectangles window;
    window.rectangles[0].box.x = 200;
    const auto changed = window.changes();
    REQUIRE(changed);
    bool has_old = false, has_new = false;
    for (const Box& box : *changed) {
        has_old |= is_inside({20, 20, 30, 30}, box);
        has_new |= is_inside({200, 20, 30, 30}, box);
        CHECK(box.width * box.height < 300 * 100);
    }
    CHECK(has_old);
    CHECK(has_new);
}

TEST_CASE("frame_changes: a removed mark changes its old box") {
    Rectangles window;
    window.rectangles.pop_back();
    const auto changed = window.changes();
    REQUIRE(changed);
    REQUIRE(changed->size() == 1);
    CHECK(is_inside({30, 30, 40, 40}, changed->front()));
}

TEST_CASE("frame_changes: another order, another background or a lost picture redraws everything") {
    Rectangles window;
    std::swap(window.rectangles[0], window.rectangles[1]);
    CHECK_FALSE(window.changes());
    CHECK(window.changes());
    window.background = 2;
    CHECK_FALSE(window.changes());
    CHECK(window.changes());
    window.seen.forget();
    CHECK_FALSE(window.changes());
}

TEST_CASE("frame_changes: clipped draw lists keep whatever touches the changed boxes") {
    Rectangles window;
    window.changes();
    ImDrawData& data = *ImGui::GetDrawData();
    const auto count = [&] {
        int n = 0;
        for (int l = 0; l < data.CmdListsCount; ++l) n += data.CmdLists[l]->CmdBuffer.Size;
        return n;
    };
    const int all = count();
    {
        const ClippedDrawData clipped(data, {64, 64, 2, 2});
        CHECK(count() < all);
        for (int l = 0; l < data.CmdListsCount; ++l)
            for (const ImDrawCmd& command : data.CmdLists[l]->CmdBuffer)
                CHECK(command.ClipRect.z - command.ClipRect.x <= 2);
    }
    CHECK(count() == all);
}

TEST_CASE("frame_changes: partial and full redraws give the same pixels") {
    Driver d;
    CHECK(looks_as_if_drawn_whole(d.program().loop()));
    d.hover("word 3");
    CHECK(looks_as_if_drawn_whole(d.program().loop()));
    d.click("word 3");
    CHECK(looks_as_if_drawn_whole(d.program().loop()));
    d.hover(CellPlace{"blocks.0.attn.heads.0.pattern", 2, 1});
    CHECK(looks_as_if_drawn_whole(d.program().loop()));
    d.press(Key::K, Modifier::Ctrl);
    CHECK(looks_as_if_drawn_whole(d.program().loop()));
    d.type("heads");
    CHECK(looks_as_if_drawn_whole(d.program().loop()));
    d.press(Key::Escape);
    show(d.program().workbench().workspace(), "heads");
    d.program().loop().wake();
    d.program().settle();
    CHECK(looks_as_if_drawn_whole(d.program().loop()));
    d.program().workbench().set_theme(ThemeName::Dark);
    d.program().loop().wake();
    d.program().settle();
    CHECK(looks_as_if_drawn_whole(d.program().loop()));
}

TEST_CASE("frame_changes: a heatmap with new numbers is drawn again") {
    Driver d;
    const Pixels before = d.screenshot();
    d.replace_sentence("other words stand here");
    CHECK(d.screenshot().rgba != before.rgba);
    CHECK(looks_as_if_drawn_whole(d.program().loop()));
}

}  // namespace headlight::frame_changes_test
