// Several studies in one workspace, each in a tab.
#include <doctest/doctest.h>

#include "../temporary_folder.h"
#include "app/driver.h"
#include "app_state/studies.h"
#include "io/files/file.h"
#include "io/studies/ready_studies.h"
#include "io/studies/study.h"

namespace headlight::program_tabs_test {
namespace {

std::string study_of(const std::string& text) {
    Document document = built_in_sentence();
    document.sentence()->text = text;
    return write_study(document);
}

const std::string& text(Driver& d) {
    return d.document().sentence()->text;
}

bool has_row(Driver& d) {
    return d.has("bar tabs");
}

void quit(Driver& d) {
    d.push(make_event(InputEvent::Kind::Quit));
    d.settle();
}

/// Presses Ctrl+S, and answers where to.
void save(Driver& d, const std::string& file) {
    d.press(Key::S, Modifier::Ctrl);
    d.answer_dialog(file);
}

}  // namespace

TEST_CASE("tabs: Find opens after Ctrl+T and Ctrl+Tab while a text is being typed") {
    for (const bool goes_on : {false, true}) {
        Driver d;
        d.replace_sentence("the cat was tired");
        d.press(Key::T, Modifier::Ctrl);
        if (goes_on) d.press(Key::Tab, Modifier::Ctrl);
        const std::string seen = d.texts();
        CHECK(seen.find("(Popup)") == std::string::npos);
        d.press(Key::K, Modifier::Ctrl);
        REQUIRE(d.types_into_field());
        d.type("no-positions");
        d.press(Key::Enter);
        CHECK(d.undo_label() == "Start the study no-positions");
        d.press(Key::Tab, Modifier::Ctrl);  // with Find, and with a field, behind it
        d.press(Key::K, Modifier::Ctrl);
        d.press(Key::Tab, Modifier::Ctrl);
        d.press(Key::Escape);
        d.press(Key::K, Modifier::Ctrl);
        CHECK(d.types_into_field());
    }
}

TEST_CASE("tabs: files open in tabs of their own; the row is there when there are two") {
    const TemporaryFolder folder;
    const std::string a = folder.with("a.headlight", study_of("of a"));
    const std::string b = folder.with("b.headlight", study_of("of b"));
    Driver d;
    d.drop(a);
    CHECK(text(d) == "of a");
    CHECK(!has_row(d));  // it has taken the place of the built-in one
    d.drop(b);
    CHECK(text(d) == "of b");
    CHECK(has_row(d));
    d.click("study a.headlight");
    CHECK(text(d) == "of a");
    d.click("tab Graph");
    CHECK(!has_row(d));
    d.click("tab Sentence");
    CHECK(text(d) == "of a");
    d.drop(b);  // open already
    CHECK(text(d) == "of b");
    CHECK(d.message() == "");
    d.click("close b.headlight");
    CHECK(text(d) == "of a");
    CHECK(!has_row(d));
}

TEST_CASE("tabs: what is held and edited in one does not touch the other") {
    Driver d;
    const CellPlace cell{"blocks.0.attn.heads.0.pattern", 3, 1};
    d.click(cell);
    const Pick held = d.selection().held();
    d.press(Key::T, Modifier::Ctrl);
    CHECK(d.selection().held() == held);
    d.replace_sentence("one two");
    d.press(Key::Tab, Modifier::CtrlShift);
    CHECK(d.document() == built_in_sentence());
    CHECK(d.selection().held() == held);
    CHECK(!d.session().history().can_undo());
    // The field that was typed into does not write its text into this study.
    d.type("x");
    CHECK(d.document() == built_in_sentence());
    d.press(Key::Tab, Modifier::Ctrl);
    CHECK(text(d) == "one two");
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.document() == built_in_sentence());
}

TEST_CASE("tabs: closing one asks about unsaved work: save, give up, or stay") {
    const TemporaryFolder folder;
    Driver d;
    d.replace_sentence("first");
    d.press(Key::T, Modifier::Ctrl);
    d.replace_sentence("second");
    d.press(Key::W, Modifier::Ctrl);
    CHECK(d.texts().find("“second” has changes that are not saved.") != std::string::npos);
    d.click("button Stay");
    CHECK(text(d) == "second");
    CHECK(has_row(d));
    d.press(Key::W, Modifier::Ctrl);
    d.click("button Save…");
    d.press(Key::Escape);  // it is not saved after all, and stays
    CHECK(has_row(d));
    d.press(Key::W, Modifier::Ctrl);
    d.click("button Save…");
    d.answer_dialog(folder.file("b.headlight"));
    CHECK(read_study(read_file(folder.file("b.headlight")), "b").sentence()->text == "second");
    CHECK(!has_row(d));
    CHECK(text(d) == "first");
    d.press(Key::W, Modifier::Ctrl);
    d.click("button Close without saving");
    CHECK(d.document() == find_ready_study(kFirstStudy)->make());
    CHECK(!d.session().history().can_undo());
}

TEST_CASE("tabs: a save that closes nothing leaves the tab") {
    const TemporaryFolder folder;
    Driver d;
    d.press(Key::T, Modifier::Ctrl);
    d.replace_sentence("second");
    d.press(Key::W, Modifier::Ctrl);
    d.click("button Stay");
    save(d, folder.file("b.headlight"));
    CHECK(has_row(d));
    CHECK(text(d) == "second");
}

TEST_CASE("tabs: a middle click closes, and the name is cut where it has no room") {
    const TemporaryFolder folder;
    const std::string name = "a study with a name that is much longer than any tab";
    Driver d;
    d.resize(1280, 720);
    d.drop(folder.with(name + ".headlight", study_of("long")));
    d.press(Key::T, Modifier::Ctrl);
    const auto box = d.regions().find("study " + name + ".headlight");
    REQUIRE(box);
    CHECK(box->width < 240);
    d.click(d.locate("study " + name + ".headlight"), Button::Middle);
    CHECK(!has_row(d));
    CHECK(d.program().state({}).files[0].names.empty());
}

TEST_CASE("tabs: those that have no room in the row are in a list") {
    Driver d;
    d.resize(1280, 720);
    for (int k = 0; k < 14; ++k) d.press(Key::T, Modifier::Ctrl);
    d.replace_sentence("the last one");
    CHECK(d.has("study the last one"));
    CHECK(d.has("button All tabs"));
    std::size_t n_seen = 0;
    for (const auto& [name, box] : d.regions().boxes()) {
        if (!name.starts_with("study ")) continue;
        ++n_seen;
        CHECK(box.right() < 1280);
    }
    CHECK(n_seen < 15);
    d.click("button All tabs");
    const std::string first = "entry " + built_in_sentence().sentence()->text.substr(0, 39) + "…";
    CHECK(d.has(first));
    d.click(first);
    CHECK(d.document() == built_in_sentence());
}

TEST_CASE("tabs: there are none where nothing is opened") {
    Driver d;
    d.click("tab Train");
    d.press(Key::T, Modifier::Ctrl);
    CHECK(d.message().find("There are none here") != std::string::npos);
    CHECK(!has_row(d));
}

TEST_CASE("tabs: quitting asks about every unsaved study, one after the other") {
    const TemporaryFolder folder;
    Driver d;
    d.replace_sentence("first");
    d.press(Key::T, Modifier::Ctrl);
    d.replace_sentence("second");
    d.click("tab Graph");
    d.choose("Self-loops", "off");
    quit(d);
    CHECK(!d.program().loop().has_quit());
    CHECK(d.texts().find("“first” has changes that are not saved.") != std::string::npos);
    CHECK(d.texts().find("2 more studies are asked about after it.") != std::string::npos);
    d.click("button Close without saving");
    CHECK(d.texts().find("“second” has changes that are not saved.") != std::string::npos);
    d.click("button Stay");
    CHECK(!d.program().loop().has_quit());
    CHECK(text(d) == "second");
    quit(d);
    d.click("button Close without saving");  // "first" is asked about once more
    d.click("button Save…");
    d.answer_dialog(folder.file("b.headlight"));
    CHECK(read_study(read_file(folder.file("b.headlight")), "b").sentence()->text == "second");
    CHECK(!d.program().loop().has_quit());
    CHECK(d.texts().find("karate club” has changes") != std::string::npos);
    d.click("button Close without saving");
    CHECK(d.program().loop().has_quit());
}

TEST_CASE("tabs: all open files are there at the next start, and the shown one is shown") {
    const TemporaryFolder folder;
    WindowState state;
    {
        Driver d;
        for (const char* name : {"a", "b", "c"})
            d.drop(folder.with(std::string(name) + ".headlight", study_of(name)));
        d.drop(folder.with("one.edges", "ann bob\n"));
        d.drop(folder.with("two.edges", "ann cem\n"));
        d.click("tab Sentence");
        d.click("study b.headlight");
        state = d.program().state({});
    }
    CHECK(state.files[0].names.size() == 3);
    CHECK(state.files[0].shown == 1);
    CHECK(state.files[2].names.size() == 2);
    Driver d;
    d.program().restore(state);
    d.settle();
    CHECK(d.message() == "");
    CHECK(text(d) == "b");
    CHECK(d.program().state({}).files == state.files);
    d.click("tab Graph");
    CHECK(d.has("node cem"));
    d.click("study one.edges");
    CHECK(d.has("node bob"));
}

TEST_CASE("tabs: an edge list that is open is read again, where nothing is lost") {
    const TemporaryFolder folder;
    const std::string file = folder.with("one.edges", "ann bob\n");
    Driver d;
    d.drop(file);
    folder.with("one.edges", "ann bob\nbob cem\n");
    d.drop(file);
    CHECK(!has_row(d));
    CHECK(d.has("node cem"));
    d.choose("Self-loops", "off");
    folder.with("one.edges", "ann bob\nbob dan\n");
    d.drop(file);
    CHECK(d.has("node cem"));
    CHECK(d.message().find("one.edges is open with changes that are not saved") !=
          std::string::npos);
}

TEST_CASE("tabs: another one is B by its name, as it is now") {
    const TemporaryFolder folder;
    Driver d;
    d.drop(folder.with("a.headlight", study_of("one two three")));
    d.drop(folder.with("b.headlight", study_of("one two four")));
    d.press(Key::B, Modifier::Ctrl);
    d.click("choice a.headlight");
    CHECK(d.texts().find("a.headlight") != std::string::npos);
    REQUIRE(d.program().workbench().comparison().now().document);
    CHECK(d.program().workbench().comparison().now().document->sentence()->text == "one two three");
    d.click("study a.headlight");
    d.replace_sentence("one two five");
    d.click("study b.headlight");
    CHECK(d.program().workbench().comparison().now().document->sentence()->text == "one two five");
}

}  // namespace headlight::program_tabs_test
