// Settings, heads, layers, themes and window sizes, driven by events.
#include <algorithm>
#include <cstring>
#include <doctest/doctest.h>
#include <iterator>
#include <set>

#include "app/driver.h"
#include "model/settings/settings.h"

namespace headlight::program_settings_test {
namespace {

const StackSettings& layer_of(Driver& d) {
    return d.document().sentence()->layer;
}

const std::string& chosen(Driver& d) {
    return d.selection().chosen;
}

std::size_t count_colors(const Pixels& pixels) {
    std::set<std::uint32_t> colors;
    std::uint32_t last = 0;
    for (std::size_t i = 0; i + 4 <= pixels.rgba.size(); i += 4) {
        std::uint32_t color = 0;
        std::memcpy(&color, pixels.rgba.data() + i, sizeof color);
        if (color == last && i > 0) continue;  // a window is mostly areas of one colour
        colors.insert(last = color);
    }
    return colors.size();
}

/// Checks that no named box is cut off at a side. The side columns may scroll below the window.
void check_inside(Driver& d, float width, float height) {
    for (const auto& [name, box] : d.regions().boxes()) {
        INFO(name);
        CHECK(box.x >= 0);
        CHECK(box.right() <= width);
        const bool is_in_column = box.right() < 300 || box.x > width - 340;
        if (!is_in_column) CHECK(box.bottom() <= height);
    }
}

bool is_control(const std::string& name) {
    return name.starts_with("button ") || name.starts_with("field ") || name.starts_with("tab ") ||
           name.starts_with("card ") || name.starts_with("text ") || name.starts_with("word ");
}

bool overlap(const Box& a, const Box& b) {
    return a.x + 0.5f < b.right() && b.x + 0.5f < a.right() && a.y + 0.5f < b.bottom() &&
           b.y + 0.5f < a.bottom();
}

void check_no_overlap(Driver& d) {
    const auto& boxes = d.regions().boxes();
    for (auto a = boxes.begin(); a != boxes.end(); ++a)
        for (auto b = std::next(a); b != boxes.end(); ++b)
            if (is_control(a->first) && is_control(b->first))
                CHECK_MESSAGE(!overlap(a->second, b->second), a->first << ", " << b->first);
}

}  // namespace

TEST_CASE("settings: every number of a layer can be dragged and typed") {
    Driver d;
    d.drag("field Heads", 60, 0);
    const int n_heads = layer_of(d).attention.n_heads;
    CHECK(n_heads > 4);
    CHECK(d.undo_label() == "Set heads to " + std::to_string(n_heads));
    d.set_number("Heads", "2");
    d.set_number("Model width", "12");
    CHECK(d.trace().at("blocks.0.attn.heads.0.k").value->cols() == 6);
    d.drag("field Key width", 60, 0);
    CHECK(layer_of(d).attention.d_k.of(0) > 0);
    CHECK(d.trace().at("blocks.0.attn.heads.0.v").value->cols() == 6);
    d.set_number("Key width", "0");
    CHECK(layer_of(d).attention.d_k.follow_the_model());
    CHECK(d.undo_label() == "Set key width to d_model / heads");
    d.set_number("Key width", "3");
    d.set_number("Value width", "5");
    d.set_number("Temperature", "0.5");
    d.set_number("Seed", "77");
    StackSettings expected;
    expected.d_model = 12;
    expected.attention.n_heads = 2;
    expected.attention.d_k.values = {3};
    expected.attention.d_v.values = {5};
    expected.attention.temperature = 0.5f;
    CHECK(layer_of(d) == expected);
    CHECK(d.document().seed == 77);
    CHECK(d.trace().at("blocks.0.attn.W_O").value->rows() == 10);
    while (d.session().history().can_undo()) d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.document() == built_in_sentence());
}

TEST_CASE("settings: a drag over many values is one step") {
    Driver d;
    d.drag("field Model width", 80, 0);
    CHECK(layer_of(d).d_model > 32);
    d.click("button ↶");
    CHECK(d.document() == built_in_sentence());
    CHECK(!d.session().history().can_undo());
}

TEST_CASE("settings: typed numbers are clamped to their range") {
    Driver d;
    d.set_number("Heads", "0");
    CHECK(layer_of(d).attention.n_heads == 1);
    d.set_number("Heads", "5000");
    CHECK(layer_of(d).attention.n_heads == kMaxHeads);
    d.set_number("Layers", "-3");
    CHECK(layer_of(d).n_layers == 1);
}

TEST_CASE("settings: a width may be a list; anything else changes nothing") {
    Driver d;
    d.set_number("Value width", "4, 6,8, 8");
    CHECK(layer_of(d).attention.d_v == Widths{{4, 6, 8, 8}});
    CHECK(d.undo_label() == "Set value width to 4, 6, 8, 8");
    CHECK(d.trace().at("blocks.0.attn.heads.3.v").value->cols() == 8);
    d.set_number("Value width", "wide");
    d.set_number("Value width", "4, 0");
    d.set_number("Value width", "");
    CHECK(layer_of(d).attention.d_v == Widths{{4, 6, 8, 8}});
    d.set_number("Heads", "3");
    CHECK(layer_of(d).attention.d_v == Widths{{4, 6, 8}});
    d.set_number("Heads", "5");
    CHECK(layer_of(d).attention.d_v == Widths{{4, 6, 8, 8, 8}});
    d.set_number("Value width", "7");
    CHECK(layer_of(d).attention.d_v == Widths{{7}});
}

TEST_CASE("settings: folded sections summarize their settings") {
    Driver d;
    CHECK(!d.has("field Causal"));
    d.click("fold Mask");
    d.choose("Causal", "on");
    CHECK(layer_of(d).mask.causal == Switch::On);
    CHECK(d.undo_label() == "Set causal on");
    CHECK(d.value({"blocks.0.attn.heads.0.pattern", 0, 1}) == 0);
    CHECK(d.value({"blocks.0.attn.heads.0.pattern", 0, 0}) == 1);
    d.click("fold Mask");
    CHECK(!d.has("field Causal"));
    CHECK(d.has("note causal"));
}

TEST_CASE("settings: choices and switches are set from lists") {
    Driver d;
    d.choose("Positions", "none");
    CHECK(layer_of(d).positions == Positions::None);
    CHECK(!d.trace().find("pos_embed"));
    d.click("fold Block");
    d.choose("Residual", "off");
    CHECK(layer_of(d).block.residual == Switch::Off);
    CHECK(d.undo_label() == "Set residual off");
    CHECK(!d.trace().find("blocks.0.resid_post"));
}

TEST_CASE("settings: only settings that have an effect are shown") {
    Driver d;
    CHECK(!d.has("field Hidden width"));
    d.choose("Score", "additive");
    CHECK(d.undo_label() == "Set score to additive");
    d.set_number("Hidden width", "5");
    CHECK(d.trace().at("blocks.0.attn.heads.0.v_score").value->rows() == 5);
    d.choose("Score", "scaled dot");
    CHECK(!d.has("field Hidden width"));
    CHECK(layer_of(d).attention.d_hidden == 5);
}

TEST_CASE("heads: a click on a thumbnail shows the head's matrices") {
    Driver d;
    d.click("head 2");
    CHECK(d.selection().head == 2);
    CHECK(chosen(d) == "blocks.0.attn.heads.2.pattern");
    CHECK(d.has("card blocks.0.attn.heads.2.W_Q"));
    CHECK(!d.has("card blocks.0.attn.heads.0.W_Q"));
}

TEST_CASE("heads: with fewer heads, the selection moves to one that exists") {
    Driver d;
    d.click("head 3");
    d.set_number("Heads", "2");
    CHECK(d.selection().head == 1);
    CHECK(d.trace().find(chosen(d)));
}

TEST_CASE("layers: each of four layers can be shown, and then a single one again") {
    Driver d;
    d.set_number("Layers", "4");
    CHECK(layer_of(d).n_layers == 4);
    for (int l = 3; l >= 0; --l) {
        const std::string layer = std::to_string(l);
        d.click("button Layer " + layer);
        CHECK(d.selection().component == "blocks." + layer + ".attn");
        CHECK(d.has("card blocks." + layer + ".attn.heads.0.pattern"));
    }
    d.click("button Layer 3");
    d.set_number("Layers", "1");
    CHECK(d.selection().component == "blocks.0.attn");
    CHECK(!d.has("button Layer 0"));
    CHECK(d.has("card blocks.0.attn.heads.0.pattern"));
}

TEST_CASE("steps: a click shows any tensor large") {
    Driver d;
    for (const char* name : {"embed", "W_O", "scores", "z", "resid_post"}) {
        d.click(std::string("step ") + name);
        CHECK(chosen(d).ends_with(name));
    }
}

TEST_CASE("theme: the button cycles through all themes") {
    Driver d;
    const Pixels light = d.screenshot();
    d.click("button Dark");
    d.move_to({5, 5});
    const Pixels dark = d.screenshot();
    CHECK(dark.at(2, 500)[0] < 80);
    CHECK(light.at(2, 500)[0] > 220);
    d.click("button Contrast");
    d.move_to({5, 5});
    const Pixels contrast = d.screenshot();
    CHECK(contrast.at(2, 500)[0] > 220);
    CHECK(contrast.rgba != light.rgba);
    d.click("button Light");
    d.move_to({5, 5});
    CHECK(d.screenshot().rgba == light.rgba);
}

TEST_CASE("text scale: at every scale the pointer hits what it points at") {
    Driver d;
    const CellPlace cell{"blocks.0.attn.heads.0.pattern", 7, 3};
    for (int i = 0; i < 4; ++i) d.click("button A+");
    CHECK(d.program().workbench().zoom() > 1.5f);
    d.hover(cell);
    CHECK(d.selection().hovered().cell == CellPlace{cell.path, 7, 3});
    d.press(Key::Zero, Modifier::Ctrl);
    CHECK(d.program().workbench().zoom() == 1);
    for (int i = 0; i < 20; ++i) d.press(Key::Minus, Modifier::Ctrl);
    CHECK(d.program().workbench().zoom() == 0.75f);
    d.hover(cell);
    CHECK(d.selection().hovered().cell == CellPlace{cell.path, 7, 3});
    for (int i = 0; i < 20; ++i) d.press(Key::Plus, Modifier::Ctrl);
    CHECK(d.program().workbench().zoom() == 3);
}

TEST_CASE(
    "window: at every size and theme everything is inside, nothing overlaps, and there is colour") {
    const WindowSize sizes[] = {{1024, 640, 1}, {1280, 720, 1}, {1600, 1000, 1}, {1920, 1080, 2}};
    for (const WindowSize& size : sizes) {
        Driver d(size);
        for (const char* other_theme : {"button Dark", "button Contrast", "button Light"}) {
            for (const char* tab : {"tab Alignment", "tab Graph", "tab Image", "tab Sentence"}) {
                INFO(size.width << " × " << size.height << ", " << tab << ", " << other_theme);
                d.click(tab);
                check_inside(d, size.width, size.height);
                check_no_overlap(d);
                const Pixels pixels = d.screenshot();
                CHECK(pixels.width == size.width_px());
                CHECK(pixels.height == size.height_px());
                CHECK(count_colors(pixels) > 500);
            }
            d.click(other_theme);
        }
    }
}

TEST_CASE("window: shrinking it, even to a tiny size, loses nothing") {
    Driver d;
    const Pixels before = d.screenshot();
    for (const auto& [width, height] : {std::pair{700, 400}, {64, 48}, {1, 1}, {3000, 300}})
        d.resize(static_cast<float>(width), static_cast<float>(height));
    d.resize(1280, 800);
    CHECK(d.screenshot().rgba == before.rgba);
}

TEST_CASE("window: no frame without an event") {
    Driver d;
    const auto check_rest = [&] {
        const int n = d.program().loop().n_frames();
        for (int i = 0; i < 10; ++i) d.program().loop().run_until_idle();
        CHECK(d.program().loop().n_frames() == n);
    };
    check_rest();
    d.click("text Sentence");
    check_rest();
    d.hover("button Save");
    check_rest();
    d.click("tab Graph");
    check_rest();
    d.press(Key::O, Modifier::Ctrl);
    check_rest();
}

}  // namespace headlight::program_settings_test
