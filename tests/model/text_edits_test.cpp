// Texts with several lines or two sides: interventions follow their words.
#include <doctest/doctest.h>

#include "core/error.h"
#include "model/changes.h"
#include "model/evaluate.h"

namespace headlight::text_edits_test {
namespace {

const std::string kPattern = "blocks.0.attn.heads.0.pattern";
const std::string kCross = "blocks.0.cross.heads.0.pattern";

Document batch(const std::string& text) {
    Document document;
    document.study = SentenceStudy{.text = text, .layer = {}};
    return document;
}

Document translation(AlignmentMechanism mechanism) {
    AlignmentStudy study;
    study.source = "the cat slept";
    study.target = "le chat dormait";
    study.mechanism = mechanism;
    Document document;
    document.study = study;
    return document;
}

std::vector<CellValue> cells(const Document& document, const std::string& path) {
    const auto it = document.interventions.find(path);
    return it == document.interventions.end() ? CellValues{} : it->second.cells;
}

std::vector<CellValue> cell(Index row, Index column) {
    return {{row, column, 1}};
}

}  // namespace

TEST_CASE("set_text: in several lines pins stay within their line") {
    const std::string before = "the cat slept\nit woke up";
    const auto after = [&](const std::string& text) {
        Document document = batch(before);
        set_cell(document, kPattern, 4, 0, 1);  // woke → it
        set_text(document, text);
        return cells(document, kPattern);
    };
    CHECK(after(before) == cell(4, 0));
    CHECK(after("the black cat slept\nit woke up") ==
          cell(5, 0));  // the longest line has four words now
    CHECK(after("the cat slept\nso it woke up") == cell(6, 1));
    CHECK(after("a dog\nthe cat slept\nit woke up") == cell(7, 0));
    CHECK(after("it woke up") == cell(1, 0));
    CHECK(after("the cat slept") == std::vector<CellValue>{});
    CHECK(after("the cat slept\nwoke up") == std::vector<CellValue>{});  // its key is gone
    CHECK(after("the cat slept\n\n  \nit woke up") == cell(4, 0));
}

TEST_CASE("set_text: one line can become two, and one again") {
    Document document = batch("the cat slept");
    set_cell(document, kPattern, 2, 1, 1);
    set_text(document, "the cat slept\nit");
    CHECK(cells(document, kPattern) == cell(2, 1));
    set_text(document, "the cat slept");
    CHECK(cells(document, kPattern) == cell(2, 1));
}

TEST_CASE("set_text: interventions on vocabulary rows follow the word") {
    Document document = batch("the cat slept");
    document.sentence()->layer.unembedding = Unembedding::Tied;
    set_cell(document, "W_U", 1, 0, 1);
    set_text(document, "look the cat slept");
    CHECK(cells(document, "W_U") == cell(2, 0));
}

TEST_CASE("set_text: source and target change independently") {
    for (const AlignmentMechanism mechanism :
         {AlignmentMechanism::Cross, AlignmentMechanism::Recurrent}) {
        const bool is_recurrent = mechanism == AlignmentMechanism::Recurrent;
        const std::string path = is_recurrent ? "decoder.attn.heads.0.pattern" : kCross;
        Document document = translation(mechanism);
        set_cell(document, path, 1, 1, 1);  // chat → cat
        set_text(document, Side::Source, "the black cat slept");
        CHECK(cells(document, path) == cell(1, 2));
        set_text(document, Side::Target, "le beau chat dormait");
        CHECK(cells(document, path) == cell(2, 2));
        set_text(document, Side::Source, "the black dog");
        CHECK(cells(document, path) == std::vector<CellValue>{});
    }
}

TEST_CASE("set_text: an emptied side loses its pins, the other side keeps them") {
    Document document = translation(AlignmentMechanism::Cross);
    set_cell(document, "source.embed", 1, 0, 1);
    set_cell(document, "target.embed", 1, 0, 1);
    set_text(document, Side::Source, "");
    CHECK(cells(document, "source.embed").empty());
    CHECK(cells(document, "target.embed") == cell(1, 0));
}

TEST_CASE("set_text: a study of another kind, or invalid UTF-8, is refused") {
    Document document = built_in_graph();
    CHECK_THROWS_AS(set_text(document, "a"), Error);
    CHECK_THROWS_AS(set_text(document, Side::Source, "a"), Error);
    Document alignment = translation(AlignmentMechanism::Cross);
    CHECK_THROWS_AS(set_text(alignment, Side::Source, "\xff"), Error);
    CHECK(alignment == translation(AlignmentMechanism::Cross));
}

TEST_CASE("set_settings: it copies only settings, and only from the same kind of study") {
    Document document = translation(AlignmentMechanism::Cross);
    AlignmentStudy changed;
    changed.mechanism = AlignmentMechanism::Transformer;
    changed.layer.attention.n_heads = 2;
    changed.recurrent.cell_type = RecurrentCellType::Lstm;
    set_settings(document, changed);
    CHECK(document.alignment()->source == "the cat slept");
    CHECK(document.alignment()->layer.attention.n_heads == 2);
    CHECK(document.alignment()->recurrent.cell_type == RecurrentCellType::Lstm);
    CHECK_THROWS_AS(set_settings(document, SentenceStudy{}), Error);

    Document image = built_in_image();
    ImageStudy other;
    other.layer.patch = 5;
    set_settings(image, other);
    CHECK(image.image()->layer.patch == 5);
    CHECK(image.image()->pixels == built_in_image().image()->pixels);
}

}  // namespace headlight::text_edits_test
