// Typed and stepped numbers, painted masks, ablated heads, and the list of all edits.
#include <doctest/doctest.h>

#include "app/driver.h"
#include "model/changes.h"

namespace headlight::program_edits_test {
namespace {

const std::string kHead = "blocks.0.attn.heads.0";
const CellPlace kWeight{kHead + ".W_Q", 3, 2};
const std::string kPattern = kHead + ".pattern";

std::optional<Ablation> ablation(Driver& d, int head) {
    return find_ablation(d.trace().at("blocks.0.attn.heads." + std::to_string(head) + ".z"));
}

CellPlace pair(Index query, Index key) {
    return {kPattern, query, key};
}

}  // namespace

TEST_CASE("type: a digit begins the held cell's new value; Enter moves down, Tab right") {
    Driver d;
    d.click(kWeight);
    d.type("0.75");
    d.press(Key::Enter);
    CHECK(d.value(kWeight) == 0.75f);
    CHECK(d.selection().held().cell == CellPlace{kWeight.path, 4, 2});
    d.type("-2");
    d.press(Key::Tab);
    CHECK(d.value({kWeight.path, 4, 2}) == -2);
    CHECK(d.selection().held().cell == CellPlace{kWeight.path, 4, 3});
    d.type("1,5");
    d.press(Key::Enter);
    CHECK(d.value({kWeight.path, 4, 3}) == 1.5f);
    for (int i = 0; i < 3; ++i) d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.document().interventions.empty());
    CHECK(!d.session().history().can_undo());
}

TEST_CASE("type: Esc discards the typed value and adds no step") {
    Driver d;
    const Document before = d.document();
    d.click(kWeight);
    d.type("12");
    CHECK(d.value(kWeight) == 12);
    d.press(Key::Escape);
    CHECK(d.document() == before);
    CHECK(!d.session().history().can_undo());
}

TEST_CASE(
    "step: Alt+arrows, buttons and wheel step the value; consecutive steps are one undo step") {
    Driver d;
    d.click(kWeight);
    const Scalar before = d.value(kWeight);
    for (int i = 0; i < 3; ++i) d.press(Key::Up, Modifier::Alt);
    const Scalar after = d.value(kWeight);
    CHECK(after > before);
    d.press(Key::Down, Modifier::Alt);
    CHECK(d.value(kWeight) < after);
    CHECK(d.selection().held().cell == CellPlace{kWeight.path, 3, 2});
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.value(kWeight) == before);
    d.click("button Step up");
    CHECK(d.value(kWeight) > before);
    d.click("button Step down");
    d.click("button Step down");
    CHECK(d.value(kWeight) < before);
    InputEvent turn = make_event(InputEvent::Kind::Wheel, Modifier::Alt);
    turn.y = 2;
    d.hover(pair(7, 3));
    const Scalar weight = d.value(pair(7, 3));
    d.push(turn);
    d.settle();
    CHECK(d.value(pair(7, 3)) > weight);
    CHECK(d.undo_label().starts_with("Set pattern["));
}

TEST_CASE("step: a step changes every cell of a block") {
    Driver d;
    d.click(kWeight);
    d.press(Key::Down, Modifier::CtrlShift);
    const Scalar first = d.value(kWeight), second = d.value({kWeight.path, 4, 2});
    d.press(Key::Up, Modifier::Alt);
    CHECK(d.value(kWeight) > first);
    CHECK(d.value({kWeight.path, 4, 2}) > second);
}

TEST_CASE("mask: a stroke over the large mask closes the cells that it crosses, in one step") {
    Driver d;
    d.click("step mask");
    const auto at = [&](Index row, Index column) {
        return d.locate(CellPlace{"mask", row, column});
    };
    d.drag(at(2, 3), at(2, 8));
    CHECK(d.undo_label() == "Mask 6 pairs");
    for (Index key = 0; key < 12; ++key) {
        INFO(key);
        CHECK((d.value({"mask", 2, key}) == kMasked) == (key >= 3 && key <= 8));
        CHECK((d.value(pair(2, key)) == 0) == (key >= 3 && key <= 8));
    }
    d.drag(at(2, 8), at(2, 6));
    CHECK(d.undo_label() == "Unmask 3 pairs");
    CHECK(d.value({"mask", 2, 8}) == 0);
    d.press(Key::Z, Modifier::Ctrl);
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.document().interventions.empty());
}

TEST_CASE("mask: a Ctrl-click on a word closes its row, and opens it again") {
    Driver d;
    d.click("step mask");
    const Point cell = d.locate(CellPlace{"mask", 5, 2});
    for (const Scalar expected : {kMasked, Scalar(0)}) {
        d.click({d.locate("row names").x, cell.y}, Button::Left, Modifier::Ctrl);
        CHECK((d.trace().at("mask").value->row(5).array() == expected).all());
        CHECK(d.value({"mask", 4, 2}) == 0);
    }
    CHECK(d.document().interventions.empty());
}

TEST_CASE("mask: with the brush on, it can be painted on the pattern") {
    Driver d;
    d.click(pair(7, 3));
    d.click("switch Paint mask");
    d.drag(d.locate(pair(4, 1)), d.locate(pair(4, 4)));
    CHECK(d.undo_label() == "Mask 4 pairs");
    for (Index key = 1; key <= 4; ++key) CHECK(d.value(pair(4, key)) == 0);
    CHECK(d.document().interventions.size() == 1);
    d.click("switch Paint mask");
    d.drag(pair(6, 1), 0, -40);
    CHECK(d.undo_label().starts_with("Pin pattern["));
}

TEST_CASE("mask: the mask of cross-attention can be painted, too") {
    Driver d;
    d.click("tab Alignment");
    const Tensor* mask = nullptr;
    for (const Tensor& tensor : d.trace().tensors())
        if (tensor.quantity() == Quantity::Mask && tensor.path().find("cross") != std::string::npos)
            mask = &tensor;
    REQUIRE(mask);
    const std::string path = mask->path();
    show(d.program().workbench().workspace(), path);
    d.settle();
    d.drag(d.locate(CellPlace{path, 1, 0}), d.locate(CellPlace{path, 1, 2}));
    CHECK(d.undo_label() == "Mask 3 pairs");
    CHECK(d.value({path, 1, 1}) == kMasked);
    CHECK(d.value({path, 0, 1}) == 0);
}

TEST_CASE("head: it can be ablated to zero or its mean, restored, or be the only one kept") {
    Driver d;
    const Document before = d.document();
    const Pixels picture = d.screenshot();
    d.choose("Head 0", "mean");
    CHECK(ablation(d, 0) == Ablation::Mean);
    CHECK(d.undo_label() == "Ablate head 0 to its mean");
    d.hover("button Restore all heads");
    CHECK(d.texts().find("Head 0 is ablated to its mean.") != std::string::npos);
    d.choose("Head 0", "zero");
    CHECK(ablation(d, 0) == Ablation::Zero);
    CHECK(d.screenshot().rgba != picture.rgba);
    d.choose("Head 0", "as computed");
    CHECK(d.document() == before);
    d.click("head 2");
    d.click("button Keep only this head");
    CHECK(d.undo_label() == "Keep only head 2");
    for (int head = 0; head < 4; ++head) CHECK(ablation(d, head).has_value() == (head != 2));
    d.click("button Restore all heads");
    CHECK(d.document() == before);
    CHECK(!d.has("button Restore all heads"));
}

TEST_CASE("edit: the panel names the cell that it changes, wherever the pointer is") {
    Driver d;
    d.click(pair(1, 2));
    const std::string held = d.trace().items()[1] + " → " + d.trace().items()[2];
    d.hover(pair(5, 0));
    CHECK(d.texts().find(held) != std::string::npos);
}

TEST_CASE("head: what is ablated stays ablated when words are typed") {
    Driver d;
    d.click("head 2");
    d.choose("Head 2", "zero");
    d.replace_sentence("the cat saw the dog now and then and now");
    CHECK(d.trace().at("blocks.0.attn.heads.2.z").value->isZero(0));
    CHECK(ablation(d, 2) == Ablation::Zero);
    CHECK(d.texts().find("Head 2 is ablated to zero.") != std::string::npos);
}

TEST_CASE("edits: each edited matrix has a switch and a reset; one switch covers all") {
    Driver d;
    const Matrix before = *d.trace().at(kPattern).value;
    d.drag(kWeight, 0, -40);
    d.drag(CellPlace{kHead + ".W_K", 1, 1}, 0, -40);
    const Matrix changed = *d.trace().at(kPattern).value;
    d.click("switch " + kWeight.path);
    CHECK(d.undo_label() == "Switch off " + kWeight.path);
    CHECK(!d.document().interventions.at(kWeight.path).is_on);
    CHECK(*d.trace().at(kPattern).value != changed);
    d.click("button All off");
    CHECK(*d.trace().at(kPattern).value == before);
    d.click("button All on");
    CHECK(*d.trace().at(kPattern).value == changed);
    d.click("edit " + kWeight.path);
    CHECK(d.selection().chosen == kWeight.path);
    d.click("button Reset " + kWeight.path);
    CHECK(!d.document().interventions.contains(kWeight.path));
    CHECK(d.document().interventions.size() == 1);
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(*d.trace().at(kPattern).value == changed);
}

}  // namespace headlight::program_edits_test
