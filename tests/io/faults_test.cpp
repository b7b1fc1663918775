// Every system call and every allocation of opening, saving and the journal fails once. The failure
// is reported or harmless, files are complete, and nothing is left behind.
#include <cerrno>
#include <doctest/doctest.h>
#include <memory>
#include <new>

#include "../temporary_folder.h"
#include "core/error.h"
#include "fault.h"
#include "io/files/file.h"
#include "io/open_document.h"
#include "io/studies/journal.h"
#include "io/studies/study.h"
#include "model/changes.h"
#include "system_calls_in_place.h"

namespace headlight::faults_test {

namespace fs = std::filesystem;

namespace {

Fault call_fault;

/// Makes the real call, or fails with EIO.
template <auto SystemCalls::*call, typename... Arguments>
auto faulty(Arguments... arguments) {
    using Result = decltype((kSystemCalls.*call)(arguments...));
    if (!call_fault.strikes()) return (kSystemCalls.*call)(arguments...);
    errno = EIO;
    return Result(-1);
}

/// While it lives, every call except close() may fail.
struct FaultyCalls : SystemCallsInPlace {
    FaultyCalls() {
        system_calls.open = faulty<&SystemCalls::open, const char*, int, mode_t>;
        system_calls.pread = faulty<&SystemCalls::pread, int, void*, std::size_t, off_t>;
        system_calls.write = faulty<&SystemCalls::write, int, const void*, std::size_t>;
        system_calls.fsync = faulty<&SystemCalls::fsync, int>;
        system_calls.rename = faulty<&SystemCalls::rename, const char*, const char*>;
        system_calls.link = faulty<&SystemCalls::link, const char*, const char*>;
    }
};

enum class Outcome { Done, Told };

/// Runs the action with the n-th call or allocation failing.
template <typename Action>
Outcome try_with(Fault& fault, long n, Action action) {
    fault = {n, false};
    Outcome outcome = Outcome::Done;
    try {
        action();
    } catch (const Error&) {
        outcome = Outcome::Told;
    } catch (const std::bad_alloc&) {
        outcome = Outcome::Told;
    }
    fault.countdown = 0;
    return outcome;
}

/// Runs `action` and `check(outcome)` for every n until nothing fails; at least `at_least` times.
template <typename Action, typename Check>
void for_every_fault(Fault& fault, long at_least, Action action, Check check) {
    const FaultyCalls calls;
    long n = 1;
    for (; n < 100'000; ++n) {
        const Outcome outcome = try_with(fault, n, action);
        if (!fault.has_struck) break;
        INFO("the failing one was number ", n);
        check(outcome);
    }
    CHECK(n > at_least);
}

Document study_of(const std::string& text) {
    Document document = built_in_sentence();
    document.sentence()->text = text;
    set_cell(document, "blocks.0.attn.heads.0.W_Q", 3, 2, 0.5f);
    return document;
}

/// Saves over a study that has a backup.
void check_saving(Fault& fault, long at_least) {
    const TemporaryFolder folder;
    const std::string file = folder.file("a.headlight");
    const std::string oldest = write_study(study_of("oldest")), old = write_study(study_of("old")),
                      now = write_study(study_of("now"));
    const auto start_again = [&] {
        write_file(file, oldest);
        write_file(file, old, Backup::Keep);
    };
    start_again();
    for_every_fault(
        fault, at_least, [&] { write_file(file, write_study(study_of("now")), Backup::Keep); },
        [&](Outcome outcome) {
            const std::string left = read_file(file), backup = read_file(backup_path(file));
            // A failed save may still be complete: the folder is flushed after the file is in
            // place.
            REQUIRE((left == now || (left == old && outcome == Outcome::Told)));
            REQUIRE((backup == old || backup == oldest));
            REQUIRE(folder.count() == 2);
            start_again();
        });
}

void check_opening(Fault& fault, long at_least) {
    const TemporaryFolder folder;
    const Document saved = study_of("saved");
    const std::string file = folder.with("a.headlight", write_study(saved));
    std::optional<Document> open;
    for_every_fault(
        fault, at_least,
        [&] {
            open.reset();
            FileStamp stamp = read_stamp(file);
            open = open_document(file).document;
            is_changed(file, stamp);
        },
        [&](Outcome outcome) {
            REQUIRE((outcome == Outcome::Told || open == saved));
            REQUIRE(folder.count() == 1);
        });
}

OpenWorks works_of(const History& history) {
    OpenWorks works;
    works.emplace(0, OpenWork{.history = history,
                              .saved = std::make_shared<const Document>(built_in_sentence())});
    return works;
}

/// A journal that has the text "old", and a history that goes on to "new".
class Writing {
  public:
    Writing() : history_(study_of("first")), journal_(file_) {
        edit("old");
        write();
        edit("new");
    }

    void write() { journal_.write({works_of(history_)}); }
    std::string text_in_file() const {
        const JournalContents contents = read_journal(read_file(file_));
        return contents.unsaved.works.at(0).history.state().sentence()->text;
    }
    std::ptrdiff_t count_files() const { return folder_.count(); }

  private:
    void edit(const std::string& text) {
        history_.apply({"Type " + text, [&](Document& d) { d.sentence()->text = text; }});
    }

    TemporaryFolder folder_;
    std::string file_ = folder_.file("a.journal");
    History history_;
    Journal journal_;
};

/// Checks that the journal has the state before or after, and that the next record is complete.
void check_journal(Fault& fault, long at_least) {
    auto writing = std::make_unique<Writing>();
    for_every_fault(
        fault, at_least, [&] { writing->write(); },
        [&](Outcome outcome) {
            const std::string left = writing->text_in_file();
            REQUIRE((left == "new" || (left == "old" && outcome == Outcome::Told)));
            writing->write();
            REQUIRE(writing->text_in_file() == "new");
            REQUIRE(writing->count_files() == 1);
            writing = std::make_unique<Writing>();
        });
}

void check_editing(Fault& fault, long at_least) {
    History history(study_of("first"));
    history.apply({"Type", [](Document& d) { d.sentence()->text = "second"; }});
    history.undo();
    const Document before = history.state();
    for_every_fault(
        fault, at_least,
        [&] {
            history.apply({"Type", [](Document& d) { set_text(d, "a longer text than that"); }});
        },
        [&](Outcome outcome) {
            if (outcome == Outcome::Done) history.undo();
            REQUIRE(history.state() == before);
        });
}

}  // namespace

TEST_CASE(
    "faults: if any call of a save fails, the file is old or new, complete, and nothing is left "
    "behind") {
    check_saving(call_fault, 7);
}

TEST_CASE("faults: any allocation of a save may fail") {
    check_saving(memory_fault, 20);
}

TEST_CASE("faults: any call of opening a study may fail") {
    check_opening(call_fault, 5);
}

TEST_CASE("faults: any allocation of opening a study may fail") {
    check_opening(memory_fault, 20);
}

TEST_CASE("faults: any call of writing the journal may fail") {
    check_journal(call_fault, 1);
}

TEST_CASE("faults: any allocation of writing the journal may fail") {
    check_journal(memory_fault, 20);
}

TEST_CASE("faults: any allocation of an edit may fail") {
    check_editing(memory_fault, 5);
}

}  // namespace headlight::faults_test
