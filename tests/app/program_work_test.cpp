// Background work: its progress, its cancellation, and newer edits.
#include <chrono>
#include <doctest/doctest.h>
#include <fstream>
#include <thread>

#include "app/driver.h"
#include "io/files/file.h"

namespace headlight::program_work_test {
namespace {

/// A study that takes seconds to compute on any machine.
void start_long_study(Driver& d) {
    d.session().apply({.label = "Start a long study", .change = [](Document& document) {
                           SentenceStudy& study = *document.sentence();
                           study.text.clear();
                           for (int i = 0; i < 2000; ++i)
                               study.text += "w" + std::to_string(i) + " ";
                           study.layer.n_layers = 24;
                           study.layer.attention.n_heads = 16;
                       }});
}

/// Draws a frame without waiting for the evaluation.
void pass(Driver& d, double secs) {
    d.program().loop().let_pass(secs);
    d.push(make_event(InputEvent::Kind::Refresh));
    d.program().loop().run_until_idle();
}

std::string path_of(int n_nodes) {
    const auto file = std::filesystem::temp_directory_path() / "headlight_long_path.edges";
    std::ofstream out(file);
    for (int i = 1; i < n_nodes; ++i) out << i - 1 << ' ' << i << '\n';
    return path_text(file);
}

}  // namespace

TEST_CASE("work: a long evaluation names what it computes, and Esc cancels it") {
    Driver d;
    const auto before = d.session().trace();
    start_long_study(d);
    pass(d, 0);
    CHECK(!d.has("bar computing"));
    pass(d, 1);
    pass(d, 1);
    REQUIRE(d.has("bar computing"));
    CHECK(d.has("button Cancel"));
    d.press(Key::Escape);
    CHECK(d.session().is_stopped());
    CHECK(d.has("bar not computed"));
    CHECK(d.session().trace() == before);
    CHECK(d.document().sentence()->layer.n_layers == 24);
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(!d.has("bar not computed"));
    CHECK(d.document() == built_in_sentence());
}

TEST_CASE("work: Compute resumes a cancelled evaluation") {
    Driver d;
    start_long_study(d);
    pass(d, 0);
    pass(d, 1);
    pass(d, 1);
    d.press(Key::Escape);
    REQUIRE(d.has("button Compute"));
    const Point at = d.locate("button Compute");
    d.move_to(at);
    for (const bool is_down : {true, false}) {
        InputEvent press = make_event(InputEvent::Kind::MouseButton);
        press.down = is_down;
        d.push(press);
    }
    d.program().loop().run_until_idle();
    CHECK(d.session().is_busy());
    CHECK(!d.session().is_stopped());
    d.session().cancel();
}

TEST_CASE("work: typing works meanwhile, and the typed text is shown") {
    Driver d;
    start_long_study(d);
    pass(d, 0);
    REQUIRE(d.session().is_busy());
    d.session().apply({.label = "Type", .change = [](Document& document) {
                           document = built_in_sentence();
                           document.sentence()->text = "it was tired";
                       }});
    d.push(make_event(InputEvent::Kind::Refresh));
    d.settle();
    CHECK(d.trace().items().size() == 3);
    CHECK(!d.has("bar computing"));
}

TEST_CASE("work: short work has no bar, and Esc still releases the cell") {
    Driver d;
    d.click(CellPlace{"blocks.0.attn.heads.0.pattern", 7, 3});
    CHECK(!d.has("bar computing"));
    d.press(Key::Escape);
    CHECK(d.selection().held().is_empty());
    CHECK(!d.session().is_stopped());
}

TEST_CASE("work: a graph is laid out in the background, and shown when done") {
    Driver d;
    const std::string file = path_of(300);
    d.drop(file);
    REQUIRE(d.document().graph());
    CHECK(d.document().graph()->graph.nodes.size() == 300);
    CHECK(!d.session().history().can_undo());
}

TEST_CASE("work: opening a large graph can be cancelled without effect") {
    Driver d;
    InputEvent dropped = make_event(InputEvent::Kind::Drop);
    dropped.path = path_of(60000);
    d.push(dropped);
    d.program().loop().run_until_idle();
    pass(d, 1);
    // On a busy machine the file is still being read.
    for (int k = 0; k < 1000 && d.texts().find("60000") == std::string::npos; ++k) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        pass(d, 1);
    }
    REQUIRE(d.has("bar computing"));
    CHECK(d.texts().find("60000") != std::string::npos);
    d.press(Key::Escape);
    CHECK(d.document() == built_in_sentence());
    CHECK(d.message().find("not opened") != std::string::npos);
}

}  // namespace headlight::program_work_test
