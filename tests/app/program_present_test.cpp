// Presenting: slides, steps, guesses, the text field, the laser and the magnifying glass.
#include <array>
#include <cctype>
#include <doctest/doctest.h>

#include "../temporary_folder.h"
#include "app/driver.h"
#include "model/presets.h"
#include "ui/presentation/presentation.h"
#include "views/walk.h"

namespace headlight::program_present_test {
using namespace std::string_literals;

namespace {

const std::string kHead = "blocks.0.attn.heads.0.";
const std::string kPattern = kHead + "pattern";

/// A window that presents a preset.
struct Presenter : Driver {
    explicit Presenter(const char* preset = nullptr) {
        if (preset) program().workbench().open(find_preset(preset)->make(), {});
        move_to({5, 5});
        press(Key::F5);
    }

    float zoom() { return program().workbench().zoom(); }
    bool presents(const std::string& path) { return has("slide " + path); }
};

/// The pixels of a box; the box is in points.
std::vector<std::uint8_t> cut(const Pixels& pixels, Box box, float zoom) {
    std::vector<std::uint8_t> cut;
    for (int y = int(box.y * zoom) + 1; y < int(box.bottom() * zoom) - 1; ++y)
        for (int x = int(box.x * zoom) + 1; x < int(box.right() * zoom) - 1; ++x)
            for (int k = 0; k < 4; ++k)
                cut.push_back(pixels.rgba[std::size_t(4 * (y * pixels.width + x) + k)]);
    return cut;
}

constexpr Key kForwards[] = {Key::Right, Key::Space, Key::PageDown};

}  // namespace

TEST_CASE("present: F5 hides the panels and shows the chosen tensor; F5 and Esc bring them back") {
    Driver d;
    const std::string chosen = d.selection().chosen;
    d.press(Key::F5);
    CHECK(d.has("slide " + chosen));
    CHECK(!d.has("tab Sentence"));
    CHECK(!d.has("field Heads"));
    // 480 points high: forty lines of the smallest text.
    CHECK(d.program().workbench().zoom() == doctest::Approx(800.0 / 480));
    d.press(Key::F5);
    CHECK(d.has("tab Sentence"));
    CHECK(d.program().workbench().zoom() == 1);
    d.click("button Present");
    CHECK(d.has("slide " + chosen));
    d.press(Key::Escape);
    CHECK(d.has("field Heads"));
    CHECK(d.selection().held().cell);  // Esc was the slide's
}

TEST_CASE("present: Esc lets go of what was held on the slide, and leaves when nothing is") {
    Presenter d;
    d.click(CellPlace{d.selection().chosen, 2, 1});
    d.click(CellPlace{d.selection().chosen, 3, 1});
    REQUIRE(d.selection().held().cell);
    d.press(Key::Escape);
    CHECK(d.selection().held().is_empty());
    CHECK(!d.has("tab Sentence"));
    d.press(Key::Escape);
    CHECK(d.has("tab Sentence"));
}

TEST_CASE("present: on a page Esc lets go of what was held by hand, not of the page's own row") {
    const TemporaryFolder folder;
    Driver d;
    d.drop(folder.with("row.lecture",
                       "# L\n\n## P\n\n```headlight\nstudy: who-is-it\ntensor: "
                       "blocks.1.attn.heads.0.pattern\nrow: it\n```\n"));
    d.press(Key::F5);
    const Pick own = d.selection().held();
    REQUIRE(!own.is_empty());
    d.click(CellPlace{d.selection().chosen, 2, 1});
    REQUIRE(d.selection().held() != own);
    d.press(Key::Escape);
    CHECK(d.selection().held() == own);
    CHECK(d.has("button Leave"));
    d.press(Key::Escape);
    CHECK(d.has("tab Lecture"));
}

TEST_CASE("present: the text size depends only on the window and the user's setting") {
    // If it were computed from a size that already includes it, its last bit could change in every
    // frame, and all glyphs with it.
    Presenter d;
    for (const Point size : {Point{1024, 768}, Point{1280, 720}, Point{1000, 750}}) {
        d.resize(size.x, size.y);
        d.press(Key::Zero, Modifier::Ctrl);
        float text = 1;
        for (int k = 0; k < 5; ++k, text = std::min(1.5f, text * 1.125f)) {
            CHECK(d.zoom() == text * slide_zoom(size));
            d.press(Key::Plus, Modifier::Ctrl);
        }
    }
}

TEST_CASE(
    "present: keys go to the next, previous, first and last step, and to other parts and heads") {
    Presenter d("encoder");
    CHECK(d.presents(kPattern));
    for (const Key key : kForwards) d.press(key);
    CHECK(d.presents("blocks.0.attn.out"));
    d.press(Key::Left);
    d.press(Key::PageUp);
    CHECK(d.presents(kHead + "z"));
    d.press(Key::Down);
    CHECK(d.presents("blocks.0.attn.heads.1.z"));
    d.press(Key::Up);
    d.press(Key::Home);
    CHECK(d.presents("blocks.0.resid_pre"));
    d.press(Key::End);
    CHECK(d.selection().component == "blocks.0.attn");
    d.press(Key::Right);
    CHECK(d.selection().component == "blocks.0.mlp");
    CHECK(d.trace().at(d.selection().chosen).value);
    d.press(Key::Left);
    CHECK(d.selection().component == "blocks.0.attn");
    d.press(Key::Right, Modifier::Shift);
    CHECK(d.selection().component == "blocks.0.mlp");
    const std::string end = d.selection().chosen;
    d.press(Key::Escape);
    CHECK(d.selection().chosen == end);
    CHECK(d.has("card " + end));
}

TEST_CASE("present: only the steps so far have a card; a click on one goes back to it") {
    Presenter d;
    CHECK(d.has("card " + kHead + "masked_scores"));
    CHECK(!d.has("card " + kHead + "z"));
    CHECK(!d.has("card " + kPattern));
    const Box card = *d.regions().find("card " + kHead + "masked_scores");
    d.click(Point{card.x + 10, card.y + 10});
    CHECK(d.presents(kHead + "masked_scores"));
    d.click("button Next");
    CHECK(d.presents(kPattern));
    d.click("button Back");
    CHECK(d.presents(kHead + "masked_scores"));
}

TEST_CASE("present: cells can be dragged, undone and explained as in the window") {
    Presenter d;
    d.press(Key::Left);
    d.press(Key::Left);
    const CellPlace cell{kHead + "scores", 2, 1};
    const Scalar before = d.value(cell);
    d.hover(cell);
    CHECK(d.has("slide arithmetic"));
    d.drag(cell, 0, -30);
    CHECK(d.value(cell) > before);
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.value(cell) == before);
    // The held cell is carried to matrices that have the same cell.
    d.move_to({5, 5});
    REQUIRE(d.selection().held().cell);
    d.press(Key::Right);
    CHECK(d.selection().held().cell->path == kHead + "masked_scores");
    CHECK(d.selection().held().cell->row == 2);
}

TEST_CASE("present: the footer has the arithmetic of the slide's own matrix, or none") {
    Presenter d;
    const CellPlace cell{kHead + "pattern", 2, 1};
    d.click(cell);
    d.move_to({5, 5});
    CHECK(d.has("slide arithmetic"));
    d.press(Key::End);
    CHECK(!d.presents(kHead + "pattern"));
    REQUIRE(d.selection().held().cell);
    CHECK(d.selection().held().cell->path == kHead + "pattern");
    CHECK(!d.has("slide arithmetic"));
}

TEST_CASE("present: its commands are found by name, too, and start the slides") {
    Driver d;
    const auto find = [&](const char* name) {
        d.press(Key::K, Modifier::Ctrl);
        d.type(name);
        d.press(Key::Enter);
    };
    find("predict");
    CHECK(d.has("slide " + kPattern));
    CHECK(d.texts().find("Predict: patterns") != std::string::npos);
    CHECK(d.texts().find("Which key is read most?") != std::string::npos);
    find("reveal");
    CHECK(d.texts().find("Which key is read most?") == std::string::npos);
    find("change the text");
    CHECK(d.has("text Sentence"));
}

TEST_CASE("present: T opens the sentence, the slide follows the typing, Enter and Esc close it") {
    Presenter d;
    // As a keyboard does: the key, and the letter that it types.
    for (const bool down : {true, false}) {
        InputEvent key = make_event(InputEvent::Kind::Key);
        key.key = Key::T;
        key.down = down;
        d.push(key);
        if (!down) continue;
        InputEvent letter = make_event(InputEvent::Kind::Character);
        letter.character = U't';
        d.push(letter);
    }
    d.settle();
    REQUIRE(d.has("text Sentence"));
    d.press(Key::A, Modifier::Ctrl);
    d.type("the river was wide");
    CHECK(d.document().sentence()->text == "the river was wide");
    CHECK(d.trace().items()[3] == "wide");
    d.press(Key::Enter);
    CHECK(!d.has("text Sentence"));
    CHECK(d.document().sentence()->text == "the river was wide");
    CHECK(d.presents(kPattern));
    d.press(Key::T);
    d.press(Key::Escape);
    CHECK(!d.has("text Sentence"));
    CHECK(d.presents(kPattern));  // Esc was the field's
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.document().sentence()->text != "the river was wide");
}

TEST_CASE("predict: a covered pattern takes guesses and gives nothing away until revealed") {
    Presenter d;
    REQUIRE(d.selection().held().cell);  // the strongest key of a row
    const Index n = d.trace().at(kPattern).rows().size;
    const auto cells = [&] {
        const Box first = *d.regions().find_cell(kPattern, 0, 0),
                  last = *d.regions().find_cell(kPattern, n - 1, n - 1);
        return cut(d.screenshot(),
                   {first.x, first.y, last.right() - first.x, last.bottom() - first.y}, d.zoom());
    };
    const auto open = cells();
    d.press(Key::P);
    CHECK(!d.selection().held().cell);
    const auto covered = cells();
    CHECK(covered != open);
    // The slide shows no number with decimals.
    const std::string texts = d.texts();
    for (std::size_t i = 1; i + 1 < texts.size(); ++i)
        if (texts[i] == '.') CHECK(!(std::isdigit(texts[i - 1]) && std::isdigit(texts[i + 1])));
    // The cover does not depend on the values.
    d.session().apply(
        {.label = "Change the seed", .change = [](Document& document) { document.seed = 7; }});
    d.settle();
    CHECK(cells() == covered);
    d.hover(CellPlace{kPattern, 2, 1});
    CHECK(!d.has("slide arithmetic"));
    CHECK(!d.selection().hovered().cell);
    d.click(CellPlace{kPattern, 2, 1});
    CHECK(!d.selection().held().cell);
    const auto guessed = cells();
    CHECK(guessed != covered);
    d.press(Key::Right);  // reveals
    CHECK(d.presents(kPattern));
    CHECK(cells() != guessed);
    d.hover(CellPlace{kPattern, 2, 1});
    CHECK(d.has("slide arithmetic"));
    d.press(Key::R);  // covered again
    CHECK(!d.has("slide arithmetic"));
    // Nor does a card show it on the neighbouring steps.
    d.press(Key::Down);
    d.press(Key::End);
    CHECK(d.has("card " + "blocks.0.attn.heads.1.z"s));
    CHECK(!d.has("card blocks.0.attn.heads.1.pattern"));
    d.press(Key::P);
    d.press(Key::P);
    CHECK(d.has("card blocks.0.attn.heads.1.pattern"));
}

TEST_CASE("predict: the numbers of a covered step are not copied") {
    Presenter d;
    const auto is_refused = [&] {
        d.press(Key::C, Modifier::Ctrl);
        return d.texts().find("The slide covers its numbers until they are revealed") !=
               std::string::npos;
    };
    CHECK(!is_refused());
    d.press(Key::P);
    CHECK(is_refused());
}

TEST_CASE("predict: it ends with the presentation") {
    Presenter d;
    const auto is_covered = [&] { return d.texts().find("click per row") != std::string::npos; };
    for (const Key leave : {Key::Escape, Key::F5}) {
        d.press(Key::P);
        REQUIRE(is_covered());
        d.press(leave);
        REQUIRE(d.has("tab Sentence"));
        d.press(Key::F5);
        CHECK(!is_covered());
    }
}

TEST_CASE("predict: the mark of a guess stays inside its cell") {
    using Cells = std::array<std::vector<std::uint8_t>, 3>;
    const auto revealed = [](bool guesses) -> Cells {
        Presenter d;
        d.press(Key::P);
        if (guesses) d.click(CellPlace{kPattern, 2, 1});
        d.press(Key::Right);
        d.move_to({5, 5});
        const Pixels picture = d.screenshot();
        const auto cell = [&](Index row, Index column) {
            return cut(picture, *d.regions().find_cell(kPattern, row, column), d.zoom());
        };
        return {cell(2, 1), cell(1, 1), cell(1, 2)};
    };
    const Cells with = revealed(true), without = revealed(false);
    CHECK(with[0] != without[0]);
    CHECK(with[1] == without[1]);
    CHECK(with[2] == without[2]);
}

TEST_CASE("predict: an edge of a graph can be guessed") {
    Presenter graph("gat");
    REQUIRE(graph.has("canvas Graph"));
    graph.press(Key::P);
    const Box canvas = *graph.regions().find("canvas Graph");
    const auto before = cut(graph.screenshot(), canvas, graph.zoom());
    // Halfway between two nodes with an edge.
    const Edges& edges = *graph.trace().edges();
    std::size_t e = 0;
    while (edges.row[e] == edges.neighbour[e]) ++e;
    const auto& names = graph.trace().items();
    const Point a = graph.locate("node " + names[std::size_t(edges.row[e])]),
                b = graph.locate("node " + names[std::size_t(edges.neighbour[e])]);
    graph.click(Point{(a.x + b.x) / 2, (a.y + b.y) / 2});
    CHECK(!graph.selection().held().cell);
    graph.move_to({5, 5});
    CHECK(cut(graph.screenshot(), canvas, graph.zoom()) != before);
}

TEST_CASE("predict: in an image the patch that the query reads can be guessed") {
    Presenter image("image");
    image.press(Key::P);
    image.click("canvas Image");  // the query patch
    REQUIRE(image.selection().held().indices.query);
    const Index query = *image.selection().held().indices.query;
    const Box attention = *image.regions().find("canvas Attention");
    image.move_to({5, 5});
    const auto unguessed = cut(image.screenshot(), attention, image.zoom());
    image.click(Point{attention.x + 5, attention.y + 5});
    image.move_to({5, 5});
    CHECK(image.selection().held().indices.query == query);
    CHECK(cut(image.screenshot(), attention, image.zoom()) != unguessed);
}

TEST_CASE("present: every workspace and study has slides at every size, and then rests") {
    for (const char* preset : {"attention", "bahdanau", "cross-attention", "gat", "image",
                               "language-model", "batch", "kv-cache"}) {
        CAPTURE(preset);
        Presenter d(preset);
        for (const auto& [width, height] :
             {std::pair(1024.f, 640.f), std::pair(1920.f, 1080.f), std::pair(320.f, 200.f)}) {
            d.resize(width, height);
            d.press(Key::Right);
            CHECK(d.presents(d.selection().chosen));
        }
    }
}

TEST_CASE("present: without anything to present there is a message, and typing still works") {
    Driver d;
    d.replace_sentence("");
    d.press(Key::Escape);
    d.press(Key::F5);
    CHECK(!d.has("tab Sentence"));
    for (const Key key : {Key::Right, Key::Left, Key::Down, Key::Home, Key::R, Key::P})
        d.press(key);
    d.press(Key::T);
    d.type("two words");
    d.press(Key::Enter);
    CHECK(d.has("slide " + d.selection().chosen));
}

TEST_CASE("present: a view names its heads and has its options on the slide, a step has none") {
    Presenter d;
    d.press(Key::V);
    CHECK(!d.has("form options"));
    CHECK(!d.has("button Options"));
    d.press(Key::F5);
    d.selection().view = ViewId::Heads;
    d.press(Key::F5);
    REQUIRE(d.has("slide heads"));
    CHECK(d.texts().find("Layer 0 · head 0") == std::string::npos);
    d.hover("head blocks.0.attn.heads.0");
    CHECK(d.texts().find("Layer 0 · head 0") != std::string::npos);
    d.click("button Options");
    CHECK(d.has("form options"));
    CHECK(d.has("slide heads"));
}

TEST_CASE("laser: it is drawn while it is on, and the window rests when the pointer rests") {
    Driver d;
    d.move_to({500, 400});
    const Pixels without = d.screenshot();
    d.press(Key::L);
    d.move_to({600, 400});
    d.move_to({500, 400});  // settles: the trail has faded
    CHECK(d.screenshot().rgba != without.rgba);
    d.press(Key::L);
    d.settle();
    CHECK(d.screenshot().rgba == without.rgba);
}

TEST_CASE("laser: a typed l does not turn it on") {
    Driver d;
    d.replace_sentence("l");
    const Pixels before = d.screenshot();
    d.press(Key::L);
    CHECK(d.screenshot().rgba == before.rgba);
}

TEST_CASE("magnify: the point under the pointer stays, and a click hits it") {
    Driver d;
    const Point card = d.locate("button Save");
    d.move_to({640, 400});
    const Pixels plain = d.screenshot();
    d.press(Key::Z);
    const Pixels twice = d.screenshot();
    CHECK(twice.width == plain.width);
    CHECK(twice.rgba != plain.rgba);
    d.wheel({640, 400}, 3);
    CHECK(d.screenshot().rgba != twice.rgba);
    d.move_to(card);
    d.click("tab Graph");
    CHECK(d.document().graph());
    d.click("tab Sentence");
    d.move_to({640, 400});
    d.press(Key::Z);
    CHECK(d.screenshot().rgba == plain.rgba);
}

TEST_CASE("magnify: around the pointer each pixel of the plain picture is twice as large") {
    Driver d;
    d.replace_sentence("");  // large plain areas
    d.press(Key::Escape);
    d.move_to({0, 0});
    const Pixels plain = d.screenshot();
    d.press(Key::Z);
    const Pixels twice = d.screenshot();
    int same = 0, all = 0;
    for (int y = 1; y < plain.height / 2; y += 7)
        for (int x = 1; x < plain.width / 2; x += 7) {
            const auto at = [](const Pixels& p, int i, int j) {
                return p.rgba[std::size_t(4 * (j * p.width + i))];
            };
            same += at(plain, x, y) == at(twice, 2 * x, 2 * y);
            ++all;
        }
    CHECK(same > 0.9 * all);
}

}  // namespace headlight::program_present_test
