// Unusual texts, typed, pasted and opened.
#include <doctest/doctest.h>

#include "app/driver.h"
#include "few_fonts.h"
#include "io/studies/ready_studies.h"
#include "model/changes.h"
#include "model/presets.h"
#include "text/utf8.h"
#include "ui/fonts/drawn_text.h"

namespace headlight::program_texts_test {
namespace {

std::string many_words(int n) {
    std::string text;
    for (int i = 0; i < n; ++i) text += (i > 0 ? " w" : "w") + std::to_string(i % 97);
    return text;
}

}  // namespace

TEST_CASE("texts: without words the window is empty, and typing continues") {
    Driver d;
    d.replace_sentence("");
    CHECK(d.document().sentence()->text == "");
    CHECK(!d.session().trace());
    CHECK(d.session().error());
    CHECK(d.message() == "");
    d.hover("text Sentence");
    d.click("tab Graph");
    d.click("tab Sentence");
    d.press(Key::E, Modifier::Ctrl);
    d.press(Key::Escape);
    d.click("text Sentence");
    d.type("again");
    CHECK(d.trace().items() == std::vector<std::string>{"again"});
}

TEST_CASE("texts: settings can be changed without any words") {
    Driver d;
    d.replace_sentence("");
    d.set_number("Heads", "2");
    d.click("fold Mask");
    d.choose("Causal", "on");
    d.replace_sentence("two words");
    CHECK(d.value({"blocks.0.attn.heads.1.pattern", 0, 0}) == 1);
}

TEST_CASE("texts: a single word reads itself") {
    Driver d;
    d.replace_sentence("one");
    CHECK(d.value({"blocks.0.attn.heads.0.pattern", 0, 0}) == 1);
    d.hover(CellPlace{"blocks.0.attn.heads.0.pattern", 0, 0});
    CHECK(d.selection().hovered().indices.key == Index{0});
    d.hover("word 0");
}

TEST_CASE("texts: emoji, right-to-left text, combining marks and other planes survive typing") {
    Driver d;
    for (const std::string text :
         {"👩‍👩‍👧 likes 🙂", "שלום עולם", "مرحبا بالعالم",
          "L'accord sur l'Espace économique", "Привет, мир", "e\u0301te\u0301 𝛼𝛽 ₁ᵀ√Σα",
          "\u202eabc\u202c zero\u200bwidth", "語のなまえ", "ꀀ ꀁ"}) {
        INFO(text);
        d.replace_sentence(text);
        CHECK(d.document().sentence()->text == text);
        CHECK(!d.trace().items().empty());
        d.press(Key::Backspace);
        CHECK(d.document().sentence()->text.size() < text.size());
        CHECK(!find_invalid_utf8(d.document().sentence()->text));
    }
}

TEST_CASE("texts: a warning has right-to-left words in the order in which they are drawn") {
    Driver d({1280, 1400, 1});
    d.program().workbench().open(find_ready_study("who-is-it")->make(), {});
    d.replace_sentence("it was שלום");
    const std::string shown = d.texts();
    // In other fonts the line breaks elsewhere.
    CHECK(shown.find("is not in the") != std::string::npos);
    CHECK(shown.find("vocabulary") != std::string::npos);
    CHECK(shown.find("“שלום") == std::string::npos);
    CHECK(shown.find("םולש“") != std::string::npos);  // the word decides the line's direction
}

TEST_CASE("texts: an emoji with a glyph is shown in the field and in labels") {
    const FewFonts dejavu_alone;  // it has 😀 and no family
    Driver d;
    d.replace_sentence("so 😀 it");
    CHECK(d.message() == "");
    const std::string shown = d.texts();
    CHECK(shown.find("so 😀 it") != std::string::npos);
    std::size_t n = 0;
    for (std::size_t at = 0; (at = shown.find("😀", at)) != std::string::npos; ++at) ++n;
    CHECK(n >= 4);
    CHECK(shown.find("\uFFFD") == std::string::npos);
}

TEST_CASE("texts: Hebrew is shown in reading order in its field, and below it while edited") {
    Driver d;
    const auto has = [&](const char* text) { return d.texts().find(text) != std::string::npos; };
    d.replace_sentence("שלום עולם טוב");
    CHECK(has("שלום עולם טוב"));  // below the field, which has the cursor
    CHECK(has("בוט םלוע םולש"));
    d.click("tab Graph");
    d.click("tab Sentence");
    CHECK_FALSE(has("שלום עולם טוב"));
    CHECK(has("בוט םלוע םולש"));
    d.replace_sentence("good world");
    CHECK(has("good world"));
}

TEST_CASE("texts: for emoji without a font a package is named") {
    const FewFonts dejavu_alone;
    Driver d;
    d.replace_sentence("a 🦙");
    CHECK(d.message().find("apt install fonts-noto-color-emoji") != std::string::npos);
}

TEST_CASE("texts: editing beside an emoji does not split it") {
    Driver d;
    d.replace_sentence("a 👩‍👩‍👧 b");
    d.press(Key::Home, Modifier::Ctrl);
    d.type("x");
    d.press(Key::End, Modifier::Ctrl);
    d.type("y");
    CHECK(d.document().sentence()->text == "xa 👩‍👩‍👧 by");
}

TEST_CASE("texts: pasted line breaks, tabs and invalid bytes are cleaned up") {
    Driver d;
    d.replace_sentence("");
    d.paste("one\ntwo\r\nthree\tfour \xff\xc3 five\x01");
    CHECK(!find_invalid_utf8(d.document().sentence()->text));
    CHECK(d.trace().items().front() == "one");
    CHECK(d.trace().items().size() >= 5);
}

TEST_CASE("texts: with two thousand pasted words the window responds and the numbers are right") {
    Driver d;
    d.replace_sentence("");
    d.paste(many_words(2000));
    CHECK(d.trace().items().size() == 2000);
    const Tensor& pattern = d.trace().at("blocks.0.attn.heads.0.pattern");
    REQUIRE(pattern.value);
    CHECK(pattern.value->rows() == 2000);
    CHECK(pattern.value->row(1999).sum() == doctest::Approx(1).epsilon(1e-4));
    d.hover(CellPlace{pattern.path(), 1000, 1000});
    d.click("head 1");
    d.type("ignored");
    d.press(Key::Z, Modifier::Ctrl);
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.session().trace());
}

TEST_CASE("texts: the row of a word that is a quotation mark is told from the marks around it") {
    Driver d;
    d.replace_sentence("he said \" no");
    d.click(CellPlace{"blocks.0.attn.heads.0.pattern", 2, 1});
    CHECK(d.texts().find("ROW «\"»") != std::string::npos);
    d.click(CellPlace{"blocks.0.attn.heads.0.pattern", 1, 1});
    CHECK(d.texts().find("ROW “said”") != std::string::npos);
}

TEST_CASE("texts: a very long word works") {
    Driver d;
    d.replace_sentence("");
    d.paste(std::string(5000, 'x') + " end");
    CHECK(d.trace().items().size() == 2);
    CHECK(d.trace().items().front().size() == 5000);
}

TEST_CASE("texts: what parts words parts them when it is pasted, typed or read from a study") {
    using Words = std::vector<std::string>;
    for (const char* between :
         {"\t", "\r", "\r\n", "\n", "\v", "\f", "\u0085", "\u2028", "\u2029"}) {
        const std::string text = std::string("one") + between + "two";
        Driver d;
        d.replace_sentence("x");
        d.press(Key::A, Modifier::Ctrl);
        d.paste(text);
        CHECK(d.trace().items() == Words{"one", "two"});
        d.replace_sentence(text);
        CHECK(d.trace().items() == Words{"one", "two"});
    }
    Document document = find_preset("attention")->make();
    set_text(document, "one\ttwo\rthree\ffour");
    Driver d;
    d.program().workbench().open(std::move(document), {});
    d.program().loop().wake();
    d.settle();
    CHECK(d.trace().items() == Words{"one", "two", "three", "four"});
    CHECK(d.texts().find("one two three four") != std::string::npos);
    d.click("text Sentence");
    d.press(Key::End, Modifier::Ctrl);
    d.type("!");
    CHECK(d.document().sentence()->text == "one two three four!");
}

TEST_CASE("texts: a field of one line joins no words of pasted lines, and takes no line end") {
    Driver d;
    d.press(Key::K, Modifier::Ctrl);
    d.paste("model\twidth\r\n");
    CHECK(d.has("found Model width"));
    d.press(Key::Enter);
    d.type("24");
    d.press(Key::Enter);
    CHECK(d.undo_label() == "Set model width to 24");
}

TEST_CASE("texts: an emoji in the name of a node is that emoji") {
    Driver d;
    d.program().workbench().open(find_preset("gat")->make(), {});
    d.program().loop().wake();
    d.settle();
    const std::string name = d.document().graph()->graph.nodes.front().name;
    d.double_click(d.locate("node " + name));
    REQUIRE(d.has("text Node name"));
    d.press(Key::A, Modifier::Ctrl);
    d.type("cat 🐈");
    d.press(Key::Enter);
    CHECK(d.document().graph()->graph.nodes.front().name == "cat 🐈");
}

TEST_CASE("texts: notes, warnings and lists read from the right, joined, as labels do") {
    Driver d;
    const std::string arabic = "مرحبا", hebrew = "שלום";
    d.program().workbench().show_message(Error("edit", "“{}” and “{}” are two", arabic, hebrew));
    d.program().loop().wake();
    d.settle();
    CHECK(d.texts().find(visual_order(arabic)) != std::string::npos);
    CHECK(d.texts().find(visual_order(hebrew)) != std::string::npos);
    CHECK(d.texts().find(hebrew) == std::string::npos);
}

}  // namespace headlight::program_texts_test
