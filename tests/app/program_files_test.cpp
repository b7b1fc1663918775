// Opening, saving and exporting, driven by events.
#include <doctest/doctest.h>

#include "../temporary_folder.h"
#include "app/driver.h"
#include "io/files/file.h"
#include "io/studies/study.h"

namespace headlight::program_files_test {
namespace {

const std::string kPattern = "blocks.0.attn.heads.0.pattern";
const CellPlace kWeight{"blocks.0.attn.heads.0.W_Q", 3, 2};

bool is_dialog_open(Driver& d) {
    return d.has("text File");
}

void open_by_keyboard(Driver& d, const std::string& file) {
    d.press(Key::O, Modifier::Ctrl);
    d.answer_dialog(file);
}

}  // namespace

TEST_CASE("files: a study saved by keyboard opens again, bit for bit") {
    const TemporaryFolder folder;
    const std::string file = folder.file("a study.headlight");
    Document saved;
    Scalar changed = 0;
    {
        Driver d;
        d.replace_sentence("Привет, мир: L'accord");
        d.drag(kWeight, 0, -30);
        d.press(Key::S, Modifier::Ctrl);
        CHECK(is_dialog_open(d));
        d.answer_dialog(file);
        CHECK(!is_dialog_open(d));
        saved = d.document();
        changed = d.value(kWeight);
        CHECK(read_study(read_file(file), file) == saved);

        d.click("button Reset all");
        d.replace_sentence("something else");
        open_by_keyboard(d, file);  // it is open, and has changes
        CHECK(!is_dialog_open(d));
        CHECK(d.document().sentence()->text == "something else");
        CHECK(d.message().find("a study.headlight is open with changes") != std::string::npos);
    }
    Driver next;
    open_by_keyboard(next, file);
    CHECK(!is_dialog_open(next));
    CHECK(next.document() == saved);
    CHECK(next.value(kWeight) == changed);
}

TEST_CASE("files: a name that has no room in the bar is shortened") {
    const TemporaryFolder folder;
    const std::string name = "a study with a name that is longer than the bar of any window";
    Driver d;
    d.drop(folder.with(name + ".headlight", write_study(built_in_sentence())));
    d.resize(1600, 800);
    CHECK(d.texts().find(name) == std::string::npos);
    CHECK(d.texts().find("a stu") != std::string::npos);
}

TEST_CASE(
    "files: a study opened beside unsaved work has a tab of its own, and the work is not taken for "
    "the file") {
    const TemporaryFolder folder;
    Document other = built_in_sentence();
    other.sentence()->text = "other";
    const std::string file = folder.with("other.headlight", write_study(other));
    Driver d;
    d.replace_sentence("unsaved");
    const Document unsaved = d.document();
    d.drop(file);
    CHECK(d.document() == other);
    CHECK(!d.session().history().can_undo());
    d.press(Key::Tab, Modifier::Ctrl);
    CHECK(d.document() == unsaved);
    CHECK(d.session().history().can_undo());
    d.press(Key::S, Modifier::Ctrl);
    CHECK(is_dialog_open(d));  // the study is not the file's
    d.press(Key::Escape);
    CHECK(read_study(read_file(file), file) == other);
}

TEST_CASE("files: a dialog asks before it replaces a file") {
    const TemporaryFolder folder;
    const std::string file = folder.with("a.headlight", "mine");
    Driver d;
    d.press(Key::S, Modifier::Ctrl);
    d.answer_dialog(file);
    CHECK(d.has("button Replace"));
    CHECK(read_file(file) == "mine");
    d.click("button Cancel");
    CHECK(read_file(file) == "mine");
    d.press(Key::S, Modifier::Ctrl);
    d.answer_dialog(file);
    d.press(Key::Enter);
    CHECK(!is_dialog_open(d));
    CHECK(read_study(read_file(file), file) == d.document());
    CHECK(read_file(file + "~") == "mine");
}

TEST_CASE("files: the dialog works with Tab, arrows and Enter") {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.file("studies"));
    Document study = built_in_sentence();
    for (const char* text : {"one", "two"}) {
        study.sentence()->text = text;
        folder.with("studies/" + std::string(text) + ".headlight", write_study(study));
    }
    folder.with("studies/notes.doc", "");
    folder.with("studies/.hidden.headlight", "");
    Driver d;
    d.press(Key::O, Modifier::Ctrl);
    d.press(Key::A, Modifier::Ctrl);
    d.type(folder.file("stu"));
    d.press(Key::Tab);
    d.press(Key::Enter);
    CHECK(d.has("entry one.headlight"));
    CHECK(!d.has("entry notes.doc"));
    CHECK(!d.has("entry .hidden.headlight"));
    d.click("switch All files");
    d.click("switch Hidden");
    CHECK(d.has("entry notes.doc"));
    CHECK(d.has("entry .hidden.headlight"));
    d.click("switch All files");
    d.click("switch Hidden");
    d.click("text File");
    d.press(Key::Down);  // ..
    d.press(Key::Down);
    d.press(Key::Down);
    d.press(Key::Enter);
    CHECK(!is_dialog_open(d));
    CHECK(d.document().sentence()->text == "two");
}

TEST_CASE("files: recent files are listed in the dialog and in Find") {
    const TemporaryFolder folder;
    Document study = built_in_sentence();
    study.sentence()->text = "seen before";
    const std::string file = folder.with("seen.headlight", write_study(study));
    {
        Driver d;
        d.program().workbench().use_state_folder(folder.file("state"));
        d.drop(file);
    }
    {
        Driver d;
        d.program().workbench().use_state_folder(folder.file("state"));
        d.press(Key::O, Modifier::Ctrl);
        d.click("entry recent seen.headlight");
        d.click("button Open");
        CHECK(d.document().sentence()->text == "seen before");
    }
    Driver d;
    d.program().workbench().use_state_folder(folder.file("state"));
    d.press(Key::K, Modifier::Ctrl);
    d.type("open seen");
    d.press(Key::Enter);
    CHECK(d.document().sentence()->text == "seen before");
}

TEST_CASE("files: the window works after a dialog, whether answered or cancelled") {
    const TemporaryFolder folder;
    Driver d;
    d.press(Key::S, Modifier::Ctrl);
    d.answer_dialog(folder.file("a.headlight"));
    d.drag(kWeight, 0, -30);
    CHECK(d.undo_label().starts_with("Set W_Q"));
    d.click("button Open…");
    CHECK(is_dialog_open(d));
    d.click("button Cancel");
    CHECK(!is_dialog_open(d));
    d.click("button Open…");
    d.press(Key::Escape);
    CHECK(!is_dialog_open(d));
    d.click("button ↶");
    CHECK(d.document() == built_in_sentence());
}

TEST_CASE("files: nothing behind an open dialog reacts to pointer or keyboard") {
    Driver d;
    const CellPlace cell{kPattern, 0, 0};
    d.click("step W_Q");
    const Pick held = d.selection().held();
    d.press(Key::O, Modifier::Ctrl);
    d.drag(CellPlace{"blocks.0.attn.heads.0.W_Q", 0, 0}, 0, -40);
    d.click("tab Graph");
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.document() == built_in_sentence());
    CHECK(d.selection().held() == held);
    CHECK(is_dialog_open(d));
}

TEST_CASE("files: saving again does not ask") {
    const TemporaryFolder folder;
    const std::string file = folder.file("a.headlight");
    Driver d;
    d.press(Key::S, Modifier::Ctrl);
    d.answer_dialog(file);
    d.replace_sentence("two words");
    d.press(Key::S, Modifier::Ctrl);
    CHECK(!is_dialog_open(d));
    CHECK(read_study(read_file(file), file).sentence()->text == "two words");
}

TEST_CASE("files: if saving fails, the study stays open and the dialog says why") {
    const TemporaryFolder folder;
    Driver d;
    d.replace_sentence("not lost");
    d.press(Key::S, Modifier::Ctrl);
    d.answer_dialog(folder.file("no/such/folder/a.headlight"));
    CHECK(is_dialog_open(d));
    d.click("button Cancel");
    CHECK(d.document().sentence()->text == "not lost");
    CHECK(folder.is_empty());
}

TEST_CASE("files: a broken, foreign or missing file does not change the open study") {
    const TemporaryFolder folder;
    Driver d;
    d.replace_sentence("still here");
    const Document before = d.document();
    const std::string good = write_study(before);
    const std::string nan = R"({"headlight": 1, "sentence": {"text": "a"}, "seed": NaN})";
    for (const std::string& file :
         {folder.file("missing.headlight"), folder.file(""), folder.with("empty.headlight", ""),
          folder.with("truncated.headlight", good.substr(0, good.size() / 2)),
          folder.with("binary.headlight", std::string("\x00\xff\xfe\x01", 4)),
          folder.with("types.headlight", R"({"headlight": 1, "sentence": 7})"),
          folder.with("keys.headlight", R"({"headlight": 1, "sentense": {}})"),
          folder.with("nan.headlight", nan), folder.with("empty.edges", ""),
          folder.with("latin1.headlight", good.substr(0, 5) + "\xe9\xe8" + good.substr(5)),
          folder.with("picture.png", "\x89PNG\r\n")}) {
        INFO(file);
        open_by_keyboard(d, file);
        CHECK(is_dialog_open(d));
        d.click("button Cancel");
        CHECK(d.document() == before);
        d.drop(file);
        CHECK(d.message() != "");
        CHECK(d.document() == before);
        d.click("button Dismiss");
    }
    CHECK(d.session().history().can_undo());
}

TEST_CASE("files: a dropped study opens, and a dropped edge list becomes a graph") {
    const TemporaryFolder folder;
    Driver d;
    d.drop(folder.with("friends.edges", "ann bob\nbob cem\n"));
    CHECK(d.message() == "");
    REQUIRE(d.document().graph());
    CHECK(d.document().graph()->graph.nodes.size() == 3);
    CHECK(d.has("node ann"));
    d.click("tab Sentence");
    CHECK(d.document() == built_in_sentence());
}

TEST_CASE("files: graphs of self-edges only, of duplicate edges and of one node open") {
    const TemporaryFolder folder;
    Driver d;
    d.drop(folder.with("self.edges", "a a\nb b\n"));
    CHECK(d.document().graph()->graph.nodes.size() == 2);
    CHECK(d.trace().at("gat.0.out").value->allFinite());
    d.click("node a");
    d.drop(folder.with("twice.edges", "a b\na b\nb a\n"));
    CHECK(d.document().graph()->graph.edges.size() == 1);
    d.choose("Self-loops", "off");
    d.drop(folder.with("one.edges", "a a\n"));
    d.choose("Self-loops", "off");
    d.click("node a");
    CHECK(d.session().trace());
}

TEST_CASE("files: closing with unsaved work asks, and can be cancelled") {
    Driver d;
    d.replace_sentence("unsaved");
    d.push(make_event(InputEvent::Kind::Quit));
    d.settle();
    CHECK(!d.program().loop().has_quit());
    d.click("button Stay");
    CHECK(!d.program().loop().has_quit());
    CHECK(d.document().sentence()->text == "unsaved");
    d.push(make_event(InputEvent::Kind::Quit));
    d.settle();
    d.program().loop().let_pass(1);
    d.hover("button Close without saving");
    CHECK(!d.program().loop().has_quit());
    d.click(d.locate("button Close without saving"));
    CHECK(d.program().loop().has_quit());
}

TEST_CASE("files: closing without unsaved work does not ask") {
    const TemporaryFolder folder;
    Driver d;
    d.replace_sentence("saved");
    d.press(Key::S, Modifier::Ctrl);
    d.answer_dialog(folder.file("a.headlight"));
    d.push(make_event(InputEvent::Kind::Quit));
    d.settle();
    CHECK(d.program().loop().has_quit());
}

TEST_CASE("files: theme, text size, workspace and files are restored at the next start") {
    const TemporaryFolder folder;
    const std::string file = folder.file("kept.headlight");
    WindowState state;
    {
        Driver d;
        d.replace_sentence("kept for tomorrow");
        d.press(Key::S, Modifier::Ctrl);
        d.answer_dialog(file);
        d.click("tab Graph");
        d.press(Key::Plus, Modifier::Ctrl);
        d.program().workbench().set_theme(ThemeName::Dark);
        state = d.program().state({});
    }
    CHECK(state.files[0] == OpenFiles{{file}, 0});
    CHECK(state.theme == ThemeName::Dark);
    CHECK(state.workspace == 2);
    CHECK(state.width == 1280);

    Driver d;
    d.program().restore(state);
    d.settle();
    CHECK(d.document().graph());
    CHECK(d.program().workbench().zoom() == state.zoom);
    d.click("tab Sentence");
    CHECK(d.document().sentence()->text == "kept for tomorrow");
    CHECK(d.message() == "");
}

TEST_CASE("files: of two graphs that are laid out the one that was asked for last is opened") {
    const TemporaryFolder folder;
    Driver d;
    d.program().open_file(folder.with("first.edges", "a b\nb c\n"));
    d.program().open_file(folder.with("second.edges", "ann bob\nbob cem\n"));
    d.settle();
    CHECK(d.document().graph()->graph.nodes.front().name == "ann");
}

TEST_CASE("files: a study that is missing at the next start is reported, and the window opens") {
    Driver d;
    WindowState state;
    state.files[0].names = {"/nowhere/gone.headlight"};
    d.program().restore(state);
    d.settle();
    CHECK(d.message().find("gone.headlight") != std::string::npos);
    CHECK(d.document() == built_in_sentence());
}

TEST_CASE("files: the first start suggests what to try, until something is changed") {
    Driver d;
    CHECK(!d.has("greeting"));
    d.program().workbench().greet();
    d.program().loop().wake();
    d.settle();
    CHECK(d.has("greeting"));
    d.drag(kWeight, 0, -30);
    CHECK(!d.has("greeting"));
}

}  // namespace headlight::program_files_test
