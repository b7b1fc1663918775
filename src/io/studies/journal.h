// The journal of a window: its open works that are not saved, with their whole history, so that
// nothing is lost when the program is killed.
//
// A title line that names the format, then one record a line: a checksum, a blank, an object with
// the changes since the record before. A program that is killed leaves at most one broken record,
// at the end; reading stops there.
//
// Weights are in files of their own beside it, each written once; a training that goes on is in
// another one, which is written anew.
//
// Goals: a record is as small as the change; the file is never without a whole state.
// Not goals: time and threads (ui/window/recovery.h).
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "io/files/open_file.h"
#include "io/studies/document_change.h"
#include "io/studies/recipe_file.h"
#include "io/studies/study.h"
#include "model/history.h"

namespace headlight {

/// Something that is open and not saved.
template <class State>
struct OpenWorkOf {
    HistoryOf<State> history;
    std::shared_ptr<const State> saved;          // the state in its file, or as it began
    std::string file = {};                       // empty: none
    std::optional<std::uint64_t> contents = {};  // checksum of the file when it was read or written
    ViewWords view = {};                         // the view when it was last shown
};
using OpenWork = OpenWorkOf<Document>;
/// A lecture, each of its states as a text from which it can be read.
using OpenText = OpenWorkOf<std::string>;

/// The open works by the number of their study, which is less than this.
inline constexpr std::size_t kMostOpenWorks = 64;
using OpenWorks = std::map<std::size_t, OpenWork>;

/// All unsaved work of a window, and the number of the study that is shown, whether or not it is
/// one of the works.
struct UnsavedWork {
    OpenWorks works = {};
    std::shared_ptr<const OpenText> lecture = nullptr;
    std::shared_ptr<const InterruptedTraining> training = nullptr;  // of one of the works
    std::optional<std::size_t> shown = {};

    bool is_empty() const { return works.empty() && !lecture; }
};

/// Writes a journal, and holds a lock on it as long as it lives.
class Journal {
  public:
    /// The file need not exist, nor its folder.
    explicit Journal(std::filesystem::path file) : file_(std::move(file)) {}

    /// Brings the file up to date with the works and the lecture, and flushes it to the disk;
    /// without any there is no file. If it throws Error, the file has its old contents or fewer,
    /// and the next call tries again. A training has a file beside it.
    void write(const UnsavedWork& work);

    const std::filesystem::path& file() const { return file_; }

  private:
    void keep_weights(const OpenWorks& works);
    void drop_weights(const std::set<std::uint64_t>& needed);
    void keep_training(const std::shared_ptr<const InterruptedTraining>& training);
    void begin(const UnsavedWork& work);
    void append(const UnsavedWork& work);
    void remove();
    bool is_in_place() const;

    std::filesystem::path file_;
    std::optional<Descriptor> open_;  // absent: there is no journal, or it has to be begun again
    UnsavedWork written_;
    std::map<std::uint64_t, Descriptor> weights_;  // their files, locked, by checksum
    std::size_t size_bytes_ = 0, first_bytes_ = 0;
    std::shared_ptr<const InterruptedTraining> training_;  // the one in its file
};

/// A journal whose window is gone. Nobody else can take it as long as this lives.
struct LeftJournal {
    std::filesystem::path file;
    Descriptor lock;
    UnsavedWork unsaved;       // a training that cannot be read is none
    std::string problem = {};  // why the journal, or its end, could not be read; empty: it could
    bool is_foreign = false;   // of another version of the program, which can read it
};

/// Returns all journals in the folder. Unreadable files are reported in the result, not thrown.
std::vector<LeftJournal> find_left_journals(const std::filesystem::path& folder);

/// Removes a journal whose work has been taken over or given up. A journal that could not be read
/// is kept under another name, a foreign one under its own; that name is returned.
std::filesystem::path put_away(const LeftJournal& journal);

/// The contents of a journal's bytes, and what is wrong with them; only for tests.
struct JournalContents {
    UnsavedWork unsaved = {};  // without the training
    std::string problem = {};
    bool is_foreign = false;
};
JournalContents read_journal(std::string_view bytes, const FindWeights& find = {});

/// "41-17.0123456789abcdef.weights" beside "41-17.journal"
std::filesystem::path journal_weights_file(const std::filesystem::path& journal,
                                           std::uint64_t checksum);

/// "41-17.training" beside "41-17.journal"
std::filesystem::path journal_training_file(const std::filesystem::path& journal);

/// The first line of a journal, with its end. It names the version. Journals of version 2, which
/// name no shown study, are read as well.
inline constexpr int kJournalVersion = 3;
inline constexpr std::string_view kJournalTitle = "Headlight journal 3: unsaved work\n";

}  // namespace headlight
