// Lines between words, several overlaid heads, and several held words.
#include <cmath>
#include <doctest/doctest.h>

#include "app/driver.h"
#include "views/held.h"
#include "views/word_lines_view.h"

namespace headlight::program_words_test {
namespace {

const std::string kPattern = "blocks.0.attn.heads.0.pattern";
const WindowSize kSmall{1024, 640, 1};

struct WordsDriver : Driver {
    explicit WordsDriver(WindowSize size = {1280, 800, 1}) : Driver(size) { click("part words"); }

    WordLinesInput lines() {
        WordLinesMemory memory;
        return word_lines_input(scene(), WordLinesInput::Detail::Full, memory);
    }
    std::string notes() {
        std::string all;
        for (const std::string& note : word_lines_notes(scene(), lines())) all += note + "\n";
        return all;
    }
};

void click_with(Driver& d, const std::string& name, Modifier modifier) {
    d.hover(name);
    const Point at = d.locate(name);
    d.click(at, Button::Left, modifier);
}

void shift_click(Driver& d, const std::string& name) {
    click_with(d, name, Modifier::Shift);
}

std::vector<Index> queries(Driver& d) {
    return d.selection().held().indices.queries();
}

using Items = std::vector<Index>;

}  // namespace

TEST_CASE("several words: a Shift-click holds one more word, or releases it") {
    Driver d;
    d.press(Key::Escape);
    d.click("word 7");
    shift_click(d, "word 10");
    shift_click(d, "word 2");
    CHECK(queries(d) == Items{7, 10, 2});
    shift_click(d, "word 10");
    CHECK(queries(d) == Items{7, 2});
    shift_click(d, "word 7");  // the first one; the next takes its place
    CHECK(queries(d) == Items{2});
    shift_click(d, "word 2");
    CHECK(d.selection().held().is_empty());
    d.click("word 7");
    shift_click(d, "word 10");
    d.click("word 4");  // a click alone holds that one alone
    CHECK(queries(d) == Items{4});
    shift_click(d, "word 5");
    d.press(Key::Escape);
    CHECK(d.selection().held().is_empty());
}

TEST_CASE(
    "several words: their rows are highlighted in every matrix, and combined as sum or mean") {
    Driver d;
    d.press(Key::Escape);
    d.click("word 7");
    shift_click(d, "word 10");
    d.move_to({640, 5});
    const AxisIndices& indices = d.selection().held().indices;
    CHECK(cell_pick(d.trace().at(kPattern), indices).rows == Items{7, 10});
    CHECK(cell_pick(d.trace().at("blocks.0.attn.heads.0.q"), indices).rows == Items{7, 10});
    const auto read = [&] {
        return read_weights(d.trace(), d.trace().at(kPattern), d.selection());
    };
    const Scalar sum = d.value({kPattern, 7, 1}) + d.value({kPattern, 10, 1});
    CHECK(read().weights[1] == doctest::Approx(sum));
    CHECK(read().most == 2);
    d.choose("Together", "mean");
    d.move_to({640, 5});
    CHECK(d.selection().looks.rows_as == RowsAs::Mean);
    CHECK(read().weights[1] == doctest::Approx(sum / 2));
    CHECK(read().most == 1);
    CHECK(joined_name(d.trace().items(), queries(d), RowsAs::Mean) == "mean of “it”, “tired”");
    d.click("word 3");
    CHECK(!d.has("field Together"));
}

TEST_CASE("several words: rows are held by cells, labels and Shift+arrow") {
    Driver d;
    const CellPlace cell{kPattern, 7, 3};
    d.press(Key::Escape);
    d.click(cell);
    const Point other = d.locate(CellPlace{kPattern, 4, 5});
    d.click(other, Button::Left, Modifier::Shift);
    CHECK(queries(d) == Items{7, 4});
    CHECK(d.selection().held().cell == CellPlace{kPattern, 7, 3});
    CHECK(!d.session().history().can_undo());  // no cell was dragged
    d.click(cell);
    d.press(Key::Down, Modifier::Shift);
    d.press(Key::Down, Modifier::Shift);
    CHECK(queries(d) == Items{7, 8, 9});
    d.press(Key::Up, Modifier::Shift);
    d.press(Key::Up, Modifier::Shift);
    d.press(Key::Up, Modifier::Shift);
    CHECK(queries(d) == Items{7, 6});
    for (int i = 0; i < 20; ++i) d.press(Key::Up, Modifier::Shift);
    CHECK(queries(d) == Items{7, 6, 5, 4, 3, 2, 1, 0});
    d.press(Key::Down);  // alone again
    CHECK(queries(d) == Items{8});
    const Box labels = *d.regions().find("labels " + kPattern);
    const Point label{labels.right() - 12, d.locate(CellPlace{kPattern, 2, 0}).y};
    d.click(label);
    CHECK(queries(d) == Items{2});
    CHECK(!d.selection().held().cell);
    d.press(Key::Down);
    CHECK(queries(d) == Items{3});
    d.click(Point{d.locate(CellPlace{kPattern, 2, 5}).x, d.locate("column names").y});
    CHECK(queries(d) == Items{5});
    CHECK(!d.selection().held().cell);
}

TEST_CASE("several words: words that the text loses are released, the others stay held") {
    Driver d;
    d.click("word 1");
    shift_click(d, "word 2");
    shift_click(d, "word 11");
    const std::vector<std::string> words = d.trace().items();
    d.replace_sentence(words[0] + " " + words[1] + " " + words[2]);
    CHECK(queries(d) == Items{1, 2});
    d.replace_sentence("one");
    CHECK(d.selection().held().is_empty());
}

TEST_CASE("several words: nodes of a graph and patches of an image can be held, too") {
    Driver d;
    d.click("tab Graph");
    d.press(Key::Escape);
    const auto n_edges = d.document().graph()->graph.edges.size();
    d.click("node 16");
    shift_click(d, "node 4");
    CHECK(queries(d).size() == 2);
    CHECK(d.document().graph()->graph.edges.size() == n_edges);  // no loop was drawn
    d.choose("Together", "mean");
    CHECK(d.selection().looks.rows_as == RowsAs::Mean);
    d.click("tab Image");
    d.press(Key::Escape);
    const Box image = *d.regions().find("canvas Image");
    d.click(Point{image.x + 4, image.y + 4});
    const Point other{image.right() - 4, image.bottom() - 4};
    d.click(other, Button::Left, Modifier::Shift);
    CHECK(queries(d).size() == 2);
    const auto n = static_cast<Index>(d.trace().items().size());
    CHECK(queries(d) == Items{0, n - 1});
}

TEST_CASE("words: a chip or Find opens the view, and a chip leads back to the part") {
    Driver d;
    d.click("part words");
    CHECK(d.selection().view == ViewId::Words);
    CHECK(d.has("canvas Words"));
    d.click("part blocks.0.attn");
    CHECK(d.selection().view == ViewId::Matrix);
    d.press(Key::K, Modifier::Ctrl);
    d.type("words lines heads");
    d.press(Key::Enter);
    CHECK(d.selection().view == ViewId::Words);
    d.click("tab Graph");
    CHECK(!d.has("part words"));
    CHECK_THROWS_WITH(show(d.program().workbench().workspace(), "words"),
                      doctest::Contains("there are no words here"));
}

TEST_CASE(
    "words: pointing at a word shows which words it reads and which read it; a click holds it") {
    WordsDriver d;
    d.press(Key::Escape);
    const WordLinesInput before = d.lines();
    CHECK(before.lines.lines.size() == 144);
    CHECK(before.picked.is_empty());
    d.hover("words reader 7");
    CHECK(d.lines().picked == PickedWords{{7}, {7}});
    CHECK(d.notes().find("thick: what “it” reads") != std::string::npos);
    CHECK(d.notes().find("thin: who reads “it”") != std::string::npos);
    d.click("words read 3");
    CHECK(queries(d) == Items{3});
    shift_click(d, "words reader 5");
    CHECK(queries(d) == Items{3, 5});
    d.press(Key::Down, Modifier::Shift);
    CHECK(queries(d) == Items{3, 5, 6});
}

TEST_CASE("words: several heads are overlaid by their dots and by Ctrl-clicks on thumbnails") {
    WordsDriver d;
    d.click("dot 2");
    CHECK(d.selection().shown_heads() == std::vector<int>{0, 2});
    CHECK(d.lines().lines.n_all == 288);
    click_with(d, "head 3", Modifier::Ctrl);
    CHECK(d.selection().shown_heads() == std::vector<int>{0, 2, 3});
    d.click("dot 0");  // the chosen head; another one takes its place
    CHECK(d.selection().head == 2);
    CHECK(d.selection().shown_heads() == std::vector<int>{2, 3});
    CHECK(d.selection().view == ViewId::Words);
    d.click("button All of them");
    CHECK(d.selection().shown_heads().size() == 4);
    d.click("button One head");
    CHECK(d.selection().shown_heads() == std::vector<int>{2});
    d.click("dot 2");
    CHECK(d.selection().shown_heads() == std::vector<int>{2});  // one always stays
    d.click("dot 1");
    d.click("head 3");
    CHECK(d.selection().shown_heads() == std::vector<int>{3});
    d.click("dot 1");
    d.set_number("Heads", "2");
    CHECK(d.selection().shown_heads() == std::vector<int>{1});
}

TEST_CASE("words: only the strongest lines are drawn, with their number") {
    WordsDriver d;
    const Box slider = *d.regions().find("field Strongest");
    d.drag({slider.right() - 6, slider.center().y}, slider.center());
    const float percent = d.selection().looks.words.strongest_percent;
    CHECK(percent < 50);
    const auto n = static_cast<std::size_t>(std::ceil(percent / 100 * 144));
    CHECK(d.lines().lines.lines.size() == n);
    CHECK(d.notes().find(std::to_string(n) + " of 144 lines") != std::string::npos);
}

TEST_CASE("words: the first token can be left out, its weight lost or redistributed") {
    WordsDriver d;
    d.choose("Leave out", "the first token");
    d.move_to({640, 5});
    CHECK(d.lines().heads[0].pattern->col(0).isZero(0));
    CHECK(d.notes().find("without “The”: rows sum to less than 1") != std::string::npos);
    CHECK(d.lines().heads[0].pattern->row(7).sum() < 1);
    d.choose("Rows", "sum to 1 again");
    d.move_to({640, 5});
    CHECK(d.notes().find("without “The”: rows sum to 1 again") != std::string::npos);
    CHECK(d.lines().heads[0].pattern->row(7).sum() == doctest::Approx(1));
    CHECK(d.trace().at(kPattern).value->col(0).sum() > 0);  // the trace is as it was
    d.choose("Leave out", "special tokens");
    CHECK(d.notes().find("the text has no special tokens") != std::string::npos);
    CHECK(!d.session().history().can_undo());  // views are not edits
}

TEST_CASE("words: there is one line of words; an alignment has two columns or two lines") {
    for (const WindowSize size : {WindowSize{1280, 800, 1}, kSmall}) {
        WordsDriver d(size);
        const Pixels columns = d.screenshot();
        d.choose("Words in", "one line");
        CHECK(d.screenshot().rgba != columns.rgba);
        d.click("words reader 4");
        CHECK(queries(d) == Items{4});
        d.click("tab Alignment");
        d.click("part words");
        CHECK(d.lines().texts == WordLinesInput::Texts::Two);
        d.click("words reader 1");
        CHECK(queries(d) == Items{1});
        d.click("words read 2");
        CHECK(d.selection().held().indices.key == Index{2});
        CHECK(d.lines().picked == PickedWords{{}, {2}});
        d.move_to({640, 5});
        CHECK(d.texts().find("READERS OF") != std::string::npos);
        d.click(d.locate("words read 0"), Button::Left, Modifier::Shift);
        d.move_to({640, 5});
        CHECK(d.lines().picked == PickedWords{{}, {2, 0}});
        CHECK(d.texts().find("SUM OF") != std::string::npos);
        d.press(Key::Down, Modifier::Shift);
        CHECK(d.lines().picked == PickedWords{{}, {2, 0, 1}});
        d.press(Key::Up, Modifier::Shift);
        d.click(d.locate("words read 2"), Button::Left, Modifier::Shift);
        d.move_to({640, 5});
        CHECK(d.lines().picked == PickedWords{{}, {0}});
        d.choose("Words in", "two lines");
        d.click("words read 0");
        CHECK(d.lines().picked == PickedWords{{}, {0}});
    }
}

TEST_CASE("words: three hundred words scroll, and only visible ones are named") {
    WordsDriver d;
    std::string text;
    for (int k = 0; k < 300; ++k) text += "w" + std::to_string(k) + " ";
    d.click("text Sentence");
    d.press(Key::A, Modifier::Ctrl);
    d.paste(text);
    d.press(Key::Escape);
    d.session().wait();
    d.settle();
    CHECK(d.has("words reader 0"));
    CHECK(!d.has("words reader 290"));
    CHECK(d.lines().lines.lines.size() == 2500);
    CHECK(d.notes().find("2,500 of 90,000 lines") != std::string::npos);
    const Point middle = d.regions().find("canvas Words")->center();
    for (int i = 0; i < 8; ++i) d.wheel(middle, -40);
    CHECK(d.has("words reader 299"));
    CHECK(!d.has("words reader 0"));
    d.click("words reader 299");
    CHECK(queries(d) == Items{299});
}

TEST_CASE("words: an export from this view is its picture") {
    WordsDriver d;
    WordLinesMemory memory;
    const auto measure = [](const std::string& text, float size, Font) {
        return 0.55f * size * static_cast<float>(text.size());
    };
    const Figure picture = word_lines_picture(d.scene(), {.room = {{700, 600}}}, measure);
    bool says_count = false;
    std::size_t n_curves = 0;
    for (const Mark& mark : picture.marks) {
        const auto* text = std::get_if<TextMark>(&mark);
        says_count = says_count || (text && text->text.find("all 144 lines") == 0);
        n_curves += std::holds_alternative<CurveMark>(mark) ? 1 : 0;
    }
    CHECK(says_count);
    CHECK(n_curves == 144);
}

TEST_CASE("several words: Shift with a sideways arrow keeps the held words") {
    Driver d;
    d.press(Key::Escape);
    d.click("word 7");
    d.press(Key::Right, Modifier::Shift);
    d.press(Key::Left, Modifier::Shift);
    CHECK(queries(d) == Items{7});
    d.press(Key::Down, Modifier::Shift);
    CHECK(queries(d) == Items{7, 8});
}

}  // namespace headlight::program_words_test
