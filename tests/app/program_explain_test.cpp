// The explanation of a cell by its terms, driven by events.
#include <algorithm>
#include <doctest/doctest.h>

#include "app/driver.h"

namespace headlight::program_explain_test {
namespace {

const std::string kHead = "blocks.0.attn.heads.0";
const CellPlace kPattern{kHead + ".pattern", 7, 3};
const CellPlace kQuery{kHead + ".q", 7, 3};

CellPlace held(Driver& d) {
    REQUIRE(d.selection().held().cell);
    return *d.selection().held().cell;
}

bool is_highlighted(Driver& d, const std::string& path) {
    return std::ranges::any_of(d.selection().highlighted(),
                               [&](const CellPlace& cell) { return cell.path == path; });
}

}  // namespace

TEST_CASE("explain: a term highlights its cells, a click on it goes there, and Back returns") {
    Driver d({1280, 1000, 1});
    d.click(kQuery);
    const CellPlace before = held(d);
    d.hover("term 0");
    CHECK(is_highlighted(d, kHead + ".W_Q"));
    d.click("term 0");
    const CellPlace after = held(d);
    CHECK(after.path != before.path);
    CHECK(d.selection().chosen == after.path);
    d.click("button ← Back");
    CHECK(held(d) == before);
    CHECK(!d.has("button ← Back"));
    d.move_to({5, 5});
    CHECK(d.selection().highlighted().empty());
}

TEST_CASE("explain: where no lecture is open its key says that") {
    Driver d;
    d.click(kPattern);
    d.click("tab Lecture");
    d.press(Key::I);
    CHECK(d.texts().find("No lecture is shown") != std::string::npos);
    // Nor does it open one elsewhere, where a cell is held.
    d.click("tab Sentence");
    CHECK(!d.has("button Close explanation"));
}

TEST_CASE("explain: for a pinned cell it says that the terms have no effect") {
    Driver d({1280, 1600, 1});
    d.click(kPattern);
    const std::string effect = "Without effect: the cell is pinned.";
    CHECK(d.texts().find(effect) == std::string::npos);
    d.type("0.5");
    d.press(Key::Enter);
    d.click(kPattern);
    CHECK(d.texts().find(effect) != std::string::npos);
}

TEST_CASE("explain: Alt+← goes back through several cells") {
    Driver d({1280, 1000, 1});
    d.click(kQuery);
    const CellPlace first = held(d);
    d.click("term 0");
    const CellPlace second = held(d);
    d.click("term 0");
    CHECK(!(held(d) == second));
    d.press(Key::Left, Modifier::Alt);
    CHECK(held(d) == second);
    d.press(Key::Left, Modifier::Alt);
    CHECK(held(d) == first);
    d.press(Key::Left, Modifier::Alt);
    CHECK(held(d) == first);
}

TEST_CASE("explain: a pattern shows its softmax, and each row of that leads to a cell") {
    Driver d({1280, 1000, 1});
    d.click(kPattern);
    CHECK(d.has("terms of pattern"));
    CHECK(d.texts().find("Softmax of 12 scores") == std::string::npos);  // headings are in capitals
    CHECK(d.texts().find("SOFTMAX OF 12 SCORES") != std::string::npos);
    d.click("order of terms");
    d.click("term 0");
    CHECK(held(d) == CellPlace{kPattern.path, 7, 0});
    d.click("terms of scores");
    d.hover("term 0");
    CHECK(is_highlighted(d, kHead + ".q"));
    CHECK(is_highlighted(d, kHead + ".k"));
}

TEST_CASE("explain: I toggles between the large list of terms and the heads") {
    Driver d;
    d.click(kPattern);
    d.press(Key::I);
    CHECK(d.has("large term 0"));
    CHECK(!d.has("head 0"));
    d.hover("large term 1");
    CHECK(is_highlighted(d, kPattern.path));
    d.press(Key::I);
    CHECK(!d.has("large term 0"));
    CHECK(d.has("head 0"));
}

TEST_CASE("explain: all of a thousand terms can be reached, though few are drawn") {
    Driver d;
    d.set_number("Model width", "1000");
    d.click(kQuery);
    d.press(Key::I);
    REQUIRE(d.has("large term 0"));
    CHECK(!d.has("large term 999"));
    const auto at = *d.regions().find("large term 0");
    d.wheel({at.x + 40, at.y + 10}, -1000);
    CHECK(d.has("large term 999"));
    CHECK(!d.has("large term 0"));
}

TEST_CASE("explain: the link below the first terms shows all of them") {
    Driver d;
    d.click(kQuery);
    d.click("button all terms");
    CHECK(d.selection().explains);
    d.click("button Close explanation");
    CHECK(!d.selection().explains);
}

TEST_CASE("explain: every matrix of every component can be explained, at any window size") {
    Driver d({1024, 640, 1});
    d.press(Key::I);
    d.click("button Input");  // folds the settings
    d.click("fold Block");
    d.choose("MLP", "gelu");
    d.choose("Norm", "pre");
    const Trace trace = d.trace();
    for (const Tensor& tensor : trace.tensors()) {
        if (!tensor.value || tensor.value->size() == 0) continue;
        INFO(tensor.path());
        d.selection().choose_tensor(trace, d.scene().components, tensor.path());
        d.selection().keep_held(pick_at(trace, tensor, tensor.rows().size - 1, 0));
        d.push(make_event(InputEvent::Kind::Refresh));
        d.settle();
        CHECK(d.message().empty());
    }
}

}  // namespace headlight::program_explain_test
