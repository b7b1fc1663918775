// Unsaved work after a crash.
#include <chrono>
#include <cstdlib>
#include <doctest/doctest.h>
#include <iterator>
#include <thread>
#include <vector>

#include "crashing_window.h"
#include "io/arrays/weights_file.h"
#include "io/files/file.h"
#include "io/studies/ready_studies.h"
#include "io/studies/recipe_file.h"
#include "io/studies/study.h"

namespace headlight::program_recovery_test {

namespace fs = std::filesystem;

namespace {

const CellPlace kWeight{"blocks.0.attn.heads.0.W_Q", 3, 2};

using Window = CrashingWindow;

std::ptrdiff_t count_journals(const TemporaryFolder& folder) {
    std::error_code error;
    const fs::directory_iterator files(folder.file("state/unsaved"), error);
    return error ? 0 : std::distance(files, fs::directory_iterator());
}

}  // namespace

TEST_CASE("recovery: the next start offers the state with its undo and redo steps") {
    const TemporaryFolder folder;
    const std::string file = folder.file("a.headlight");
    Document last, before;
    std::string undo, redo;
    {
        Window d(folder);
        CHECK(!d.is_offered());
        d.save(file);
        d.replace_sentence("one two three");
        d.drag(kWeight, 0, -30);
        before = d.document();
        undo = d.undo_label();
        d.drag(kWeight, 0, -20);
        d.press(Key::Z, Modifier::Ctrl);
        CHECK(d.document() == before);
        last = d.document();
        redo = d.session().history().redo_label();
    }
    CHECK(count_journals(folder) == 1);
    Window d(folder);
    CHECK(d.is_offered());
    CHECK(d.document() == built_in_sentence());
    d.click("button Restore");
    CHECK(!d.is_offered());
    CHECK(d.document() == last);
    CHECK(d.undo_label() == undo);
    CHECK(d.session().history().redo_label() == redo);
    CHECK(d.session().history().steps().size() == 4);
    d.press(Key::Z, Modifier::Ctrl);
    CHECK(d.document().sentence()->text == "one two three");
    CHECK(d.document().interventions.empty());
    d.press(Key::S, Modifier::Ctrl);  // where it was
    CHECK(read_study(read_file(file), file) == d.document());
    CHECK(count_journals(folder) == 1);
}

TEST_CASE("recovery: what was looked at comes back with the work") {
    const TemporaryFolder folder;
    std::string chosen;
    {
        Window d(folder);
        d.replace_sentence("one two three");
        d.press(Key::Escape);
        d.click("card blocks.0.attn.heads.0.z");
        chosen = d.selection().chosen;
    }
    Window d(folder);
    d.click("button Restore");
    CHECK(chosen == "blocks.0.attn.heads.0.z");
    CHECK(d.selection().chosen == chosen);
    CHECK(d.message() == "");
}

namespace {

/// A window with unsaved work of a sentence and a training of ten steps, that was killed.
void leave_training(const TemporaryFolder& folder) {
    Window d(folder);
    d.replace_sentence("never saved");
    d.click("tab Train");
    d.set_number("Batch", "8");
    d.set_number("Learning rate", "0.004");
    d.click("button +10");
    for (int k = 0; k < 40 && d.program().workbench().training().is_ahead_of_kept(); ++k)
        d.rest(0.1);
}

/// The files beside the journals.
std::vector<fs::path> files_of_trainings(const TemporaryFolder& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder.file("state/unsaved")))
        if (entry.path().extension() == ".training") files.push_back(entry.path());
    return files;
}

}  // namespace

TEST_CASE("recovery: a training goes on at its step, with its rate and curve, beside other work") {
    const TemporaryFolder folder;
    leave_training(folder);
    REQUIRE(files_of_trainings(folder).size() == 1);
    const fs::path file = files_of_trainings(folder).front();
    CHECK(fs::status(file).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
    const InterruptedTraining left = read_interrupted(file);
    {
        Window d(folder);
        CHECK(d.is_offered());
        CHECK(d.texts().find("at step 10 of ") != std::string::npos);
        CHECK(d.texts().find("gone are the tests, the checkpoints and the heads over time before "
                             "it, and the curves of earlier runs") != std::string::npos);
        d.click("button Restore");
        CHECK(d.has("button +10"));  // Train was shown
        d.click("tab Sentence");
        CHECK(d.document().sentence()->text == "never saved");
        d.click("tab Train");
        const TrainingView& training = d.program().workbench().training();
        CHECK(training.snapshot().step == 10);
        CHECK(training.snapshot().learning_rate == 0.004);
        CHECK(training.recipe().batch == 8);
        CHECK(training.snapshot().curve.size() == left.state.curve.size());
        REQUIRE(d.document().weights);
        for (const auto& [path, weight] : left.state.parameters)
            CHECK(*d.document().weights->matrices.at(path).values == *weight.values);
        // It is written beside the work, on a busy machine a little later.
        for (int k = 0; k < 1000 && files_of_trainings(folder).empty(); ++k) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            d.program().loop().run_until_idle();
        }
        CHECK(files_of_trainings(folder).size() == 1);  // that of this window
        d.click("button Step");
        CHECK(training.snapshot().step == 11);
    }
    Window d(folder);
    CHECK(d.is_offered());
    d.click("button Discard");
    CHECK(count_journals(folder) == 0);
}

TEST_CASE("recovery: a training is saved as a study, and as one that a command goes on with") {
    const TemporaryFolder folder;
    const char* home = std::getenv("HOME");
    const std::string home_before = home ? home : "";
    leave_training(folder);
    ::setenv("HOME", folder.file("").c_str(), 1);
    {
        Window d(folder);
        d.click("button Save as a file");
        CHECK(d.message().find("unsaved-recovered") != std::string::npos);
    }
    home ? ::setenv("HOME", home_before.c_str(), 1) : ::unsetenv("HOME");
    const InterruptedTraining saved =
        read_interrupted(folder.file("unsaved-recovered-2.training.safetensors"));
    CHECK(saved.state.step == 10);
    CHECK(saved.recipe.learning_rate == 0.004);
    CHECK(count_journals(folder) == 0);
}

TEST_CASE("recovery: of a training that cannot be read, what is there and what is not is said") {
    const TemporaryFolder folder;
    leave_training(folder);
    write_file(files_of_trainings(folder).front(), "damaged");
    Window d(folder);
    CHECK(d.texts().find("A training") != std::string::npos);
    CHECK(d.texts().find("as a study with weights of an earlier moment (trained: Who is it?, ") !=
          std::string::npos);
    CHECK(d.texts().find("its step, its learning rate and its curves are gone, and it cannot go "
                         "on") != std::string::npos);
    d.click("button Restore");
    REQUIRE(d.document().weights);
    CHECK(d.document().weights->origin.starts_with("trained: Who is it?, "));
    d.press(Key::Tab, Modifier::Ctrl);
    CHECK(d.document().sentence()->text == "never saved");
}

TEST_CASE("recovery: work that stands in its file as it is is not offered") {
    const TemporaryFolder folder;
    const std::string file = folder.file("a.headlight");
    Document last;
    {
        Window d(folder);
        d.save(file);
        d.replace_sentence("saved by another window");
        last = d.document();
    }
    CHECK(count_journals(folder) == 1);
    save_document(file, last);
    Window d(folder);
    CHECK(!d.is_offered());
    CHECK(count_journals(folder) == 0);
}

TEST_CASE("recovery: the offer stays until it is answered, and survives another crash") {
    const TemporaryFolder folder;
    {
        Window d(folder);
        d.replace_sentence("never saved");
        d.click("tab Graph");
        d.click("button Export…");
        d.press(Key::Escape);
    }
    for (int start = 0; start < 3; ++start) {
        Window d(folder);
        CHECK(d.is_offered());
        d.press(Key::Escape);
        d.press(Key::Z, Modifier::Ctrl);
        CHECK(d.is_offered());
        if (start == 1) d.click("button Not now");
        if (start == 1) CHECK(!d.is_offered());
    }
    {
        Window d(folder);
        d.click("button Restore");
        CHECK(d.document().sentence()->text == "never saved");
    }
    {
        Window d(folder);
        CHECK(d.is_offered());
        d.click("button Discard");
        CHECK(d.document() == built_in_sentence());
    }
    CHECK(count_journals(folder) == 0);
    Window d(folder);
    CHECK(!d.is_offered());
}

TEST_CASE("recovery: every workspace with unsaved work is restored, and the others stay") {
    const TemporaryFolder folder;
    {
        Window d(folder);
        d.replace_sentence("of the sentence");
        d.click("tab Graph");
        d.choose("Self-loops", "off");
    }
    Window d(folder);
    d.click("button Restore");
    CHECK(d.document().graph()->self_loops == Switch::Off);  // it was shown
    d.click("tab Sentence");
    CHECK(d.document().sentence()->text == "of the sentence");
    d.click("tab Image");
    CHECK(d.document() == find_ready_study("shapes")->make());
}

TEST_CASE("recovery: two windows that crashed are offered one after the other") {
    const TemporaryFolder folder;
    {
        Window first(folder);
        first.replace_sentence("of the first");
    }
    {
        Window second(folder);
        second.click("button Not now");
        second.replace_sentence("of the second");
    }
    CHECK(count_journals(folder) == 2);
    Window d(folder);
    d.click("button Restore");
    const std::string one = d.document().sentence()->text;
    CHECK(d.is_offered());
    d.click("button Restore");
    CHECK(!d.is_offered());
    CHECK(d.document().sentence()->text != one);
    d.press(Key::Tab, Modifier::Ctrl);
    CHECK(d.document().sentence()->text == one);
    CHECK(count_journals(folder) == 1);
}

TEST_CASE("recovery: every tab comes back, with its file and its steps, in that of its file") {
    const TemporaryFolder folder;
    const std::string file = folder.file("a.headlight");
    WindowState state;
    {
        Window d(folder);
        d.save(file);
        d.replace_sentence("of the file");
        d.press(Key::T, Modifier::Ctrl);
        d.replace_sentence("of the copy");
        d.press(Key::T, Modifier::Ctrl);
        d.replace_sentence("closed");
        d.press(Key::W, Modifier::Ctrl);
        d.click("button Close without saving");
        state = d.program().state({});
    }
    CHECK(state.files[0].names == std::vector<std::string>{file});
    Window d(folder);
    d.program().restore(state);
    d.settle();
    CHECK(!d.has("bar tabs"));
    d.click("button Restore");
    CHECK(d.document().sentence()->text == "of the copy");  // the tab that was shown
    CHECK(d.regions().find("study of the copy"));
    d.click("study a.headlight");
    CHECK(d.document().sentence()->text == "of the file");
    CHECK(d.session().history().can_undo());
    CHECK(d.texts().find("closed") == std::string::npos);
    d.press(Key::S, Modifier::Ctrl);  // where it was
    CHECK(read_study(read_file(file), file).sentence()->text == "of the file");
}

TEST_CASE("recovery: an unreadable journal is reported and kept") {
    const TemporaryFolder folder;
    fs::create_directories(folder.file("state/unsaved"));
    folder.with("state/unsaved/1-2.journal", "not a journal");
    Window d(folder);
    CHECK(!d.is_offered());
    CHECK(d.message().find("cannot be read") != std::string::npos);
    CHECK(d.message().find("1-2.bad") != std::string::npos);
    CHECK(read_file(folder.file("state/unsaved/1-2.bad")) == "not a journal");
}

TEST_CASE("recovery: if the journal cannot be written, this is reported and the window works") {
    const TemporaryFolder folder;
    folder.with("state", "a file where the folder should be");
    Window d(folder);
    d.replace_sentence("not kept");
    for (int k = 0; k < 100 && d.message().empty(); ++k) d.rest(0.05);
    CHECK(d.message().find("not protected against a crash") != std::string::npos);
    CHECK(d.document().sentence()->text == "not kept");
}

TEST_CASE("recovery: closing without saving keeps no journal; nor does closing a saved study") {
    const TemporaryFolder folder;
    {
        Window d(folder);
        d.replace_sentence("not wanted");
        d.push(make_event(InputEvent::Kind::Quit));
        d.settle();
        d.click("button Close without saving");
    }
    CHECK(count_journals(folder) == 0);
    {
        Window d(folder);
        d.replace_sentence("saved");
        d.save(folder.file("a.headlight"));
    }
    CHECK(count_journals(folder) == 0);
}

TEST_CASE("recovery: a state posted during a write is written, too") {
    const TemporaryFolder folder;
    const auto works_of = [](const std::string& text) {
        Document document = built_in_sentence();
        document.sentence()->text = text;
        return OpenWorks{{0, OpenWork{.history = History(document),
                                      .saved = std::make_shared<const Document>(document)}}};
    };
    for (int k = 0; k < 100; ++k) {
        Autosave autosave(folder.file("a.journal"));
        autosave.post({works_of("before")});
        std::this_thread::sleep_for(std::chrono::microseconds(20 * k));
        autosave.post({works_of("after")});
        REQUIRE(autosave.flush());
        const JournalContents contents = read_journal(read_file(folder.file("a.journal")));
        REQUIRE(contents.unsaved.works.at(0).history.state().sentence()->text == "after");
        autosave.post({});
    }
}

TEST_CASE("recovery: the state of a crashed window can be saved as a file without opening it") {
    const TemporaryFolder folder;
    const std::string file = folder.file("marks.headlight");
    Document last;
    {
        Window d(folder);
        d.save(file);
        d.replace_sentence("one two three");
        last = d.document();
    }
    Window d(folder);
    d.click("button Save as a file");
    CHECK(!d.is_offered());
    CHECK(d.document() == built_in_sentence());
    CHECK(read_study(read_file(folder.file("marks-recovered.headlight")), "a") == last);
    CHECK(count_journals(folder) == 0);
}

TEST_CASE("recovery: a study with thousands of combining marks opens and is restored") {
    const TemporaryFolder folder;
    std::string text = "x a";
    for (int k = 0; k < 17000; ++k) text += "\u0301";
    {
        Window d(folder);
        d.click("text Sentence");
        d.press(Key::A, Modifier::Ctrl);
        d.paste(text);
        CHECK(d.document().sentence()->text == text);
        CHECK(d.texts().find("…") != std::string::npos);
    }
    Window d(folder);
    d.click("button Restore");
    CHECK(d.document().sentence()->text == text);
}

}  // namespace headlight::program_recovery_test
