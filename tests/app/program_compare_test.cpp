// Comparison of sentences, heads, states and studies, driven by events.
#include <cmath>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>

#include "app/driver.h"
#include "io/arrays/npy.h"
#include "io/files/file.h"
#include "io/studies/study.h"
#include "model/presets.h"
#include "temporary_folder.h"

namespace headlight::program_compare_test {
namespace {

const std::string kHead = "blocks.0.attn.heads.";
const std::string kPattern = kHead + "0.pattern";

struct Compared : Driver {
    explicit Compared(const char* preset = nullptr) {
        if (preset) program().workbench().open(find_preset(preset)->make(), {});
        move_to({5, 5});
    }

    ComparisonRun& comparison() { return program().workbench().comparison(); }
    const ComparedTensor& chosen() { return comparison().now().chosen; }
    const Difference& difference() {
        REQUIRE_MESSAGE(chosen().difference, chosen().problem);
        return *chosen().difference;
    }
    /// Compares as a user does: presses the button, then chooses the name in the list.
    void compare_with(const std::string& name) {
        click("button Compare…");
        click("choice " + name);
        REQUIRE(comparison().now().is_on());
    }
    /// The same for a long list.
    void find_to_compare(const std::string& name) {
        press(Key::K, Modifier::Ctrl);
        type("compare with " + name);
        press(Key::Enter);
        REQUIRE(comparison().now().is_on());
    }
    Matrix minus(const std::string& a, const std::string& b) {
        return *trace().at(a).value - *trace().at(b).value;
    }
};

}  // namespace

TEST_CASE("compare: two heads, their difference, and both values of the cell under the pointer") {
    Compared d;
    d.compare_with("head 3");
    CHECK(d.has("picture A"));
    CHECK(d.has("picture B"));
    CHECK(d.has("picture A − B"));
    const Matrix expected = d.minus(kPattern, kHead + "3.pattern");
    CHECK(*d.difference().values == expected);
    CHECK(std::abs(d.difference().largest) == expected.cwiseAbs().maxCoeff());
    // There is one selection: a cell of B or of the difference selects the same cell of A.
    for (const std::string& side : {std::string(), std::string("B "), std::string("A − B ")}) {
        d.hover(CellPlace{side + kPattern, 7, 3});
        REQUIRE(d.selection().hovered().cell);
        CHECK(*d.selection().hovered().cell == CellPlace{kPattern, 7, 3});
        CHECK(d.has("compared cell"));
    }
    d.click(CellPlace{"B " + kPattern, 2, 5});
    REQUIRE(d.selection().held().cell);
    CHECK(*d.selection().held().cell == CellPlace{kPattern, 2, 5});
    CHECK(d.document().interventions.empty());
}

TEST_CASE(
    "compare: choosing another tensor changes both sides; a shared tensor says why they are "
    "equal") {
    Compared d;
    d.compare_with("head 2");
    d.click("card " + kHead + "0.q");
    d.move_to({5, 5});
    REQUIRE(d.chosen().b);
    CHECK(d.chosen().b->path() == kHead + "2.q");
    CHECK(*d.difference().values == d.minus(kHead + "0.q", kHead + "2.q"));
    d.click("head 1");  // A is another head now, B is the same
    CHECK(d.chosen().a->path() == kHead + "1.q");
    CHECK(d.chosen().b->path() == kHead + "2.q");
    show(d.program().workbench().workspace(), "blocks.0.attn.out");
    d.move_to({5, 5});
    CHECK(!d.chosen().b);
    CHECK(d.chosen().problem == "All heads share this matrix; choose a matrix of a head");
}

TEST_CASE("compare: a head of another layer is computed although nothing else shows it") {
    Compared d("head-metrics");
    d.find_to_compare("Layer 3 · head 11");
    REQUIRE(d.chosen().b);
    CHECK(d.chosen().b->path() == "blocks.3.attn.heads.11.pattern");
    CHECK(d.difference().largest != 0);
}

TEST_CASE(
    "compare: with the current state held as B, B stays while A is dragged and the difference "
    "follows") {
    Compared d;
    d.press(Key::B, Modifier::CtrlShift);
    REQUIRE(d.comparison().now().is_on());
    CHECK(d.difference().largest == 0);
    const Matrix before = *d.trace().at(kPattern).value;
    show(d.program().workbench().workspace(), kHead + "0.W_Q");
    d.move_to({5, 5});
    d.drag(CellPlace{kHead + "0.W_Q", 3, 2}, 0, -60);
    show(d.program().workbench().workspace(), kPattern);
    d.move_to({5, 5});
    CHECK(d.difference().largest != 0);
    CHECK(*d.difference().values == *d.trace().at(kPattern).value - before);
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.difference().largest == 0);
}

TEST_CASE("compare: the sum of several held words appears for A and for B") {
    Compared d;
    d.click("word 2");
    d.click(d.locate("word 5"), Button::Left, Modifier::Shift);
    const auto row_panel = [&](const char* b) {
        d.compare_with(b);
        d.move_to({5, 5});
        const Pixels pixels = d.screenshot();
        std::vector<std::uint8_t> part;
        for (int y = 130; y < 240; ++y) {
            const auto row = pixels.rgba.begin() + 4 * (y * pixels.width);
            part.insert(part.end(), row + 4 * 1040, row + 4 * pixels.width);
        }
        return part;
    };
    const auto with_head_1 = row_panel("head 1");
    CHECK(d.texts().find("SUM OF") != std::string::npos);
    CHECK(row_panel("head 3") != with_head_1);
    CHECK(row_panel("head 1") == with_head_1);
}

TEST_CASE("compare: \"before the last edit\" follows undo and redo") {
    Compared d;
    d.set_number("Temperature", "2");
    const Matrix before = *d.trace().at(kPattern).value;
    d.set_number("Temperature", "3");
    d.compare_with("before the last edit");
    CHECK(*d.difference().values == *d.trace().at(kPattern).value - before);
    CHECK(d.comparison().now().name_b.find("before “") == 0);
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(*d.difference().values != Matrix::Zero(12, 12));
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(!d.chosen().b);
    CHECK(d.chosen().problem == "nothing has been edited yet");
}

TEST_CASE("compare: another study's settings applied to this text follow the typing") {
    Compared d;
    d.find_to_compare("no-positions on this text");
    CHECK(d.difference().largest != 0);
    d.replace_sentence("one two three");
    REQUIRE(d.chosen().b);
    CHECK(d.comparison().now().trace->items() == std::vector<std::string>{"one", "two", "three"});
    CHECK(d.difference().values->rows() == 3);
}

TEST_CASE("compare: the last of several sentences stands beside the one before it") {
    Compared d;
    d.click("button Add sentence");
    d.click("button Add sentence");
    d.click("button Side by side");
    REQUIRE(d.comparison().now().is_on());
    CHECK(d.selection().sentence == 2);
    CHECK(d.comparison().now().name_b == "sentence 2");
}

TEST_CASE("compare: sentences of equal length are subtracted; for others it says why not") {
    Compared d;
    d.click("button Add sentence");
    d.click("text Sentence 2");
    d.press(Key::A, Modifier::Ctrl);
    d.type("The dog didn't cross the street because it was too wide.");
    d.click("button 1");
    d.click("button Side by side");
    REQUIRE(d.chosen().b);
    CHECK(d.difference().largest != 0);
    CHECK(d.comparison().now().name_b == "sentence 2");
    d.click("text Sentence 2");
    d.press(Key::A, Modifier::Ctrl);
    d.type("It slept");
    d.click("button 1");
    REQUIRE(d.comparison().now().is_on());
    CHECK(!d.chosen().difference);
    CHECK(d.chosen().problem == "12 and 2 words cannot be subtracted");
    CHECK(d.has("picture B"));
}

TEST_CASE(
    "compare: matrices of different shapes are shown side by side; patching between them is "
    "refused") {
    Compared d;
    d.press(Key::B, Modifier::CtrlShift);
    d.replace_sentence("one two");
    REQUIRE(d.comparison().now().is_on());
    CHECK(d.chosen().b);
    CHECK(!d.chosen().difference);
    CHECK(d.chosen().problem == "2 × 2 and 12 × 12 cannot be subtracted");
    CHECK(d.has("picture B"));
    const Document before = d.document();
    d.click("button Patch from B");
    CHECK(d.message() == kPattern + " is 2 × 2, the values given are 12 × 12");
    CHECK(d.document() == before);
}

TEST_CASE("compare: patching from B pins A's tensor in one step that undo reverts") {
    Compared d;
    d.compare_with("head 3");
    const Matrix other = *d.trace().at(kHead + "3.pattern").value;
    d.click("button Patch from B");
    CHECK(d.undo_label() == "Patch pattern from head 3");
    CHECK(*d.trace().at(kPattern).value == other);
    CHECK(d.difference().largest == 0);
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.document().interventions.empty());
    CHECK(d.difference().largest != 0);
}

TEST_CASE("compare: heads, sentences and states can be swapped") {
    Compared d;
    d.compare_with("head 3");
    const Matrix before = *d.difference().values;
    d.click("button Swap");
    CHECK(d.selection().head == 3);
    CHECK(*d.difference().values == -before);
    d.press(Key::B, Modifier::CtrlShift);
    const Document held = d.document();
    d.replace_sentence("other words");
    d.press(Key::Escape);
    const Document edited = d.document();
    d.click("button Swap");
    CHECK(d.document() == held);
    CHECK(d.undo_label() == "Swap A and B");
    REQUIRE(d.comparison().now().document);
    CHECK(*d.comparison().now().document == edited);
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.document() == edited);
}

TEST_CASE("compare: Esc releases the cell first, then B; each view is one click away") {
    Compared d;
    d.compare_with("head 1");
    d.click("button A − B");
    CHECK(!d.has("picture A"));
    CHECK(d.has("picture A − B"));
    d.click("button A | B");
    CHECK(d.has("picture A"));
    CHECK(!d.has("picture A − B"));
    d.click(CellPlace{kPattern, 1, 1});
    d.press(Key::Escape);
    CHECK(d.comparison().now().is_on());
    d.press(Key::Escape);
    CHECK(!d.comparison().now().is_on());
    CHECK(!d.has("comparison"));
}

TEST_CASE("compare: a click on the largest difference holds its cell") {
    Compared d;
    d.compare_with("head 1");
    d.click("largest difference");
    REQUIRE(d.selection().held().cell);
    CHECK(*d.selection().held().cell ==
          CellPlace{kPattern, d.difference().row, d.difference().column});
}

TEST_CASE("compare: Find lists everything to compare with") {
    Compared d;
    d.press(Key::K, Modifier::Ctrl);
    d.type("compare with head 2");
    d.press(Key::Enter);
    REQUIRE(d.comparison().now().other<OtherHead>());
    CHECK(d.comparison().now().other<OtherHead>()->head == 2);
    d.press(Key::B, Modifier::Ctrl);
    CHECK(d.has("choice head 3"));
    d.press(Key::Escape);
    CHECK(!d.has("choice head 3"));
    CHECK(d.comparison().now().is_on());
}

TEST_CASE("compare: GAT and GATv2 on one graph, edge by edge; the graph of A can be edited") {
    Compared d;
    d.click("tab Graph");
    d.find_to_compare("gatv2 on this graph");
    CHECK(d.difference().largest != 0);
    CHECK(d.chosen().rows);
    CHECK(d.has("picture A − B"));
    CHECK(d.has("node 9"));
    const auto n = d.difference().values->rows();
    d.click("node 9");
    d.press(Key::Delete);
    REQUIRE(d.chosen().b);
    CHECK(d.difference().values->rows() < n);
}

TEST_CASE("compare: a patch can be pointed at in both images") {
    Compared d;
    d.click("tab Image");
    d.click("part blocks.0.attn");
    d.compare_with("Layer 0 · head 2");
    const Box box = *d.regions().find("picture B");
    d.click(Point{box.x + box.width / 2, box.y + box.height * 0.4f});
    CHECK(d.selection().held().indices.query);
    CHECK(d.difference().largest != 0);
}

TEST_CASE("compare: a study is opened from a file; a study of another kind is refused") {
    Compared d;
    const std::filesystem::path folder = std::filesystem::temp_directory_path();
    const auto file = folder / "headlight-compare-b.headlight";
    const auto graph = folder / "headlight-compare-graph.headlight";
    write_file(file, write_study(find_preset("no-positions")->make()));
    write_file(graph, write_study(find_preset("gat")->make()));
    d.click("button Compare…");
    d.click("button File…");
    d.answer_dialog(graph.string());
    CHECK(!d.comparison().now().is_on());
    d.click("text File");
    d.answer_dialog(file.string());
    REQUIRE(d.comparison().now().is_on());
    CHECK(d.comparison().now().name_b == "headlight-compare-b.headlight");
    CHECK(d.difference().largest != 0);
    const auto output = folder / "headlight-compare-difference.npy";
    d.click("button Export…");
    d.answer_dialog(output.string());
    CHECK(read_npy(read_file(output), "difference") == *d.difference().values);
    for (const auto& made : {file, graph, output}) std::filesystem::remove(made);
}

TEST_CASE("compare: another text is typed beside the own one, and follows all else of the study") {
    Compared d;
    const std::string own = d.document().sentence()->text;
    d.click("button Compare…");
    d.click("text Another text");
    d.press(Key::A, Modifier::Ctrl);
    d.type("The street was too wide");
    d.press(Key::Enter);
    REQUIRE(d.comparison().now().is_on());
    CHECK(d.document().sentence()->text == own);
    CHECK(!d.session().history().can_undo());
    CHECK(d.comparison().now().name_b == "“The street was too wide”");
    REQUIRE(d.comparison().now().trace);
    CHECK(d.comparison().now().trace->items() ==
          std::vector<std::string>{"The", "street", "was", "too", "wide"});
    CHECK(d.has("picture B"));

    d.set_number("Heads", "2");
    CHECK(d.comparison().now().trace->items().size() == 5);
    CHECK(!d.comparison().now().trace->find(kHead + "2.pattern"));

    d.click("button Compare…");  // it goes on from the text that B has
    d.click("text Another text");
    d.press(Key::End);
    d.type(" today");
    d.click("button Compare with text");
    CHECK(d.comparison().now().trace->items().size() == 6);

    d.click("button Compare…");
    d.click("text Another text");
    d.press(Key::A, Modifier::Ctrl);
    d.press(Key::Delete);
    d.press(Key::Enter);  // nothing to compare with
    CHECK(d.comparison().now().trace->items().size() == 6);
}

TEST_CASE("compare: an alignment has another source, and another target") {
    Compared d("bahdanau");
    const std::size_t n_before = d.trace().items(0).size();
    d.click("button Compare…");
    REQUIRE(d.has("text Another target"));
    d.click("text Another source");
    d.press(Key::A, Modifier::Ctrl);
    d.type("one two");
    d.press(Key::Enter);
    REQUIRE(d.comparison().now().trace);
    CHECK(d.comparison().now().document->alignment()->source == "one two");
    CHECK(d.comparison().now().document->alignment()->target == d.document().alignment()->target);
    CHECK(d.trace().items(0).size() == n_before);
}

TEST_CASE("compare: a study is saved without a B that is no file, and that is said") {
    const TemporaryFolder folder;
    Compared d;
    d.comparison().start(OtherStudy{.name = "before", .document = d.document()});
    d.program().loop().wake();
    d.settle();
    d.press(Key::S, Modifier::Ctrl);
    d.answer_dialog(folder.file("kept.headlight"));
    CHECK(d.message().starts_with("Saved kept.headlight without the comparison"));
    CHECK(d.comparison().now().is_on());
}

}  // namespace headlight::program_compare_test
