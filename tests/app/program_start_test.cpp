// Ready-made studies, started over a study that has a file.
#include <doctest/doctest.h>

#include "../temporary_folder.h"
#include "app/driver.h"
#include "io/files/file.h"
#include "io/studies/study.h"

namespace headlight::program_start_test {

TEST_CASE("files: a ready-made study starts as a new one, and one undo goes back") {
    const TemporaryFolder folder;
    Document lecture = built_in_sentence();
    lecture.sentence()->text = "my lecture";
    const std::string text = write_study(lecture);
    const std::string file = folder.with("lecture.headlight", text);
    Driver d;
    d.drop(file);
    const auto start = [&] {
        d.press(Key::K, Modifier::Ctrl);
        d.type("no-positions");
        d.press(Key::Enter);
    };
    start();
    const Document started = d.document();
    CHECK(started != lecture);
    CHECK(d.undo_label() == "Start the study no-positions");
    d.press(Key::S, Modifier::Ctrl);
    CHECK(d.has("text File"));
    CHECK(read_file(file) == text);
    d.press(Key::Escape);

    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.document() == lecture);
    d.replace_sentence("my better lecture");
    d.press(Key::S, Modifier::Ctrl);
    CHECK(!d.has("text File"));  // it is the file's study again
    CHECK(read_study(read_file(file), file).sentence()->text == "my better lecture");

    start();
    d.press(Key::Z, Modifier::Ctrl);
    d.press(Key::Y, Modifier::Ctrl);
    CHECK(d.document() == started);
    d.press(Key::S, Modifier::Ctrl);
    CHECK(d.has("text File"));
    d.answer_dialog(folder.file("mine.headlight"));
    CHECK(read_study(read_file(folder.file("mine.headlight")), file) == started);
    CHECK(read_study(read_file(file), file).sentence()->text == "my better lecture");
}

TEST_CASE("files: closing asks about unsaved work behind a ready-made study") {
    Driver d;
    d.replace_sentence("unsaved");
    d.press(Key::K, Modifier::Ctrl);
    d.type("no-positions");
    d.press(Key::Enter);
    d.push(make_event(InputEvent::Kind::Quit));
    d.settle();
    CHECK(d.has("button Close without saving"));
}

}  // namespace headlight::program_start_test
