// Exports by the dialog, driven by events.
#include <doctest/doctest.h>

#include "../temporary_folder.h"
#include "app/driver.h"
#include "io/arrays/npy.h"
#include "io/files/file.h"

namespace headlight::program_export_test {
namespace {

const std::string kExported = "blocks.0.attn.heads.0.pattern";

bool is_dialog_open(Driver& d) {
    return d.has("text File");
}

}  // namespace

TEST_CASE("files: the large picture is exported as PNG, CSV and NPY") {
    const TemporaryFolder folder;
    Driver d;
    for (const char* name : {"a.png", "a.csv", "a.npy"}) {
        d.click("button Export…");
        if (std::string(name) == "a.png") CHECK(d.texts().find(" mm · ") != std::string::npos);
        d.answer_dialog(folder.file(name));
        CHECK(d.message() == "Exported to " + folder.file(name));
        d.click("button Dismiss");
    }
    CHECK(read_file(folder.file("a.png")).starts_with("\x89PNG"));
    CHECK(read_file(folder.file("a.csv")).find("didn't") != std::string::npos);
    CHECK(read_npy(read_file(folder.file("a.npy")), "a.npy") == *d.trace().at(kExported).value);
}

TEST_CASE("files: two exports in a row are two files, without a name being typed") {
    const TemporaryFolder folder;
    Driver d;
    d.press(Key::E, Modifier::Ctrl);
    d.answer_dialog(folder.file("a.csv"));
    d.press(Key::E, Modifier::Ctrl);
    d.press(Key::Enter);
    CHECK(!is_dialog_open(d));
    CHECK(d.message() == "Exported to " + folder.file("a-2.csv"));
    d.press(Key::E, Modifier::Ctrl);
    d.press(Key::Enter);
    CHECK(d.message() == "Exported to " + folder.file("a-3.csv"));
    // Another ending: the proposed name is free again.
    folder.with("a.tsv", "mine");
    d.press(Key::E, Modifier::Ctrl);
    d.choose("Format", "TSV with labels");
    d.click("button Export");
    CHECK(d.message() == "Exported to " + folder.file("a-2.tsv"));
    CHECK(read_file(folder.file("a.tsv")) == "mine");
    // The last export once more goes into its own file, whatever was proposed since.
    d.press(Key::E, Modifier::Ctrl);
    d.press(Key::Escape);
    d.press(Key::Escape);
    d.press(Key::E, Modifier::CtrlShift);
    CHECK(d.message() == "Exported to " + folder.file("a-2.tsv"));
    CHECK(folder.count() == 5);
}

TEST_CASE("files: an export overwrites a file only after it was said") {
    const TemporaryFolder folder;
    Driver d;
    folder.with("mine.csv", "mine");
    d.press(Key::E, Modifier::Ctrl);
    CHECK(d.texts().find("Exists already") == std::string::npos);
    d.press(Key::A, Modifier::Ctrl);
    d.type(folder.file("mine.csv"));
    CHECK(d.texts().find("Exists already: mine.csv") != std::string::npos);
    CHECK(d.texts().find("Overwrite") != std::string::npos);
    d.press(Key::Enter);
    CHECK(is_dialog_open(d));
    CHECK(d.texts().find("mine.csv exists already. Enter once more overwrites it.") !=
          std::string::npos);
    CHECK(read_file(folder.file("mine.csv")) == "mine");
    d.press(Key::Enter);
    CHECK(!is_dialog_open(d));
    CHECK(read_file(folder.file("mine.csv")).find("didn't") != std::string::npos);

    // The button says what it does.
    folder.with("mine.csv", "mine");
    d.press(Key::E, Modifier::Ctrl);
    d.press(Key::A, Modifier::Ctrl);
    d.type(folder.file("mine.csv"));
    d.click("button Export");
    CHECK(!is_dialog_open(d));
    CHECK(read_file(folder.file("mine.csv")) != "mine");
}

TEST_CASE("files: an unknown export format is refused with a list of formats") {
    const TemporaryFolder folder;
    Driver d;
    d.press(Key::E, Modifier::Ctrl);
    d.answer_dialog(folder.file("a.jpeg"));
    CHECK(is_dialog_open(d));
    CHECK(folder.is_empty());
}

}  // namespace headlight::program_export_test
