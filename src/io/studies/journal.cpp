#include "io/studies/journal.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <new>
#include <sys/stat.h>
#include <system_error>

#include "core/error.h"
#include "io/arrays/weights_file.h"
#include "io/files/checksum.h"
#include "io/files/file.h"
#include "io/files/folder.h"
#include "io/files/open_file.h"
#include "io/studies/document_change.h"
#include "io/text/json_text.h"
#include "text/strings.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

/// A journal is begun again when it is so much larger than it was at its beginning.
constexpr std::size_t kSmall_bytes = 4 << 20, kGrowth = 4;

template <class State>
using StepsOf = typename HistoryOf<State>::Steps;

template <class State>
bool is_same_step(const StepOf<State>& a, const StepOf<State>& b) {
    return a.state == b.state && a.label == b.label;
}

/// The two numbers that turn the written steps into the current ones: how many are dropped first,
/// and how many of the rest stay.
struct Common {
    std::size_t dropped = 0, kept = 0;
};

template <class State>
Common common_steps(const StepsOf<State>& written, const StepsOf<State>& now) {
    const auto first = std::ranges::find_if(
        written, [&](const auto& step) { return is_same_step(step, now.front()); });
    const auto end =
        std::mismatch(first, written.end(), now.begin(), now.end(), is_same_step<State>);
    return {static_cast<std::size_t>(first - written.begin()),
            static_cast<std::size_t>(end.first - first)};
}

template <class State>
std::string steps_text(const StepsOf<State>& steps, std::size_t first) {
    std::string text;
    for (std::size_t k = first; k < steps.size(); ++k) {
        const State* before = k == 0 ? nullptr : steps[k - 1].state.get();
        append_part(text, ", ",
                    "{\"label\": " + json_string(steps[k].label) +
                        ", \"change\": " + write_change(before, *steps[k].state) + "}");
    }
    return fmt::format("[{}]", text);
}

/// [["tensor", "embed"], …]
std::string view_text(const ViewWords& view) {
    std::string text;
    for (const ViewWord& word : view)
        text += fmt::format("{}{}, {}]", text.empty() ? "[" : ", [", json_string(word.name),
                            json_string(word.value));
    return fmt::format("[{}]", text);
}

bool has_same_file(const auto& a, const auto& b) {
    return a.saved == b.saved && a.file == b.file && a.contents == b.contents;
}

/// Writes the change of a work; `written` is null for a new one. Returns "" if nothing changed.
template <class State>
std::string work_text(const OpenWorkOf<State>* written, const OpenWorkOf<State>& now) {
    const StepsOf<State>& steps = now.history.steps();
    const Common common = written ? common_steps<State>(written->history.steps(), steps) : Common{};
    const std::size_t n_written = written ? written->history.steps().size() : 0;
    const bool has_other_file = !written || !has_same_file(*written, now);
    const bool has_other_view = written ? written->view != now.view : !now.view.empty();
    const bool is_same = !has_other_file && !has_other_view && common.dropped == 0 &&
                         common.kept == n_written && common.kept == steps.size() &&
                         written->history.at() == now.history.at();
    if (is_same) return "";
    std::string text =
        fmt::format(R"({{"drop": {}, "keep": {}, "steps": {}, "at": {})", common.dropped,
                    common.kept, steps_text<State>(steps, common.kept), now.history.at());
    if (has_other_file) {
        text += fmt::format(R"(, "file": {}, "saved": {})", json_string(stored_path(now.file)),
                            write_change(steps.front().state.get(), *now.saved));
        if (now.contents) text += ", \"contents\": " + json_string(checksum_text(*now.contents));
    }
    if (has_other_view) text += ", \"view\": " + view_text(now.view);
    return text + "}";
}

constexpr const char *kLecture = "lecture", *kShown = "shown";

/// Writes the changes of the works, of the lecture and of what is shown as a line; returns "" if
/// nothing changed.
std::string record(const UnsavedWork& written, const UnsavedWork& now) {
    std::string members;
    const auto add = [&](const auto& key, const std::string& json) {
        append_part(members, ", ", fmt::format("\"{}\": {}", key, json));
    };
    for (const auto& [place, work] : now.works) {
        const auto it = written.works.find(place);
        const std::string text = work_text(it == written.works.end() ? nullptr : &it->second, work);
        if (!text.empty()) add(place, text);
    }
    for (const auto& [place, work] : written.works)
        if (!now.works.contains(place)) add(place, "false");
    if (written.lecture && !now.lecture) add(kLecture, "false");
    if (now.lecture && now.lecture != written.lecture)
        if (const std::string text = work_text(written.lecture.get(), *now.lecture); !text.empty())
            add(kLecture, text);
    if (now.shown && now.shown != written.shown) add(kShown, std::to_string(*now.shown));
    if (members.empty()) return "";
    const std::string object = "{" + members + "}";
    return fmt::format("{} {}\n", checksum_text(checksum(object)), object);
}

/// Lists each of the weights once, except those that are missing or belong to a model.
std::vector<SharedWeights> list_weights(const OpenWorks& works) {
    std::vector<SharedWeights> all;
    const auto add = [&](const SharedWeights& weights) {
        if (!weights || weights->is_model || !weights->problem.empty() ||
            (!all.empty() && all.back() == weights))
            return;
        const auto is_it = [&](const SharedWeights& other) { return are_same(other, weights); };
        if (std::ranges::none_of(all, is_it)) all.push_back(weights);
    };
    for (const auto& [place, work] : works) {
        for (const HistoryStep& step : work.history.steps()) add(step.state->weights);
        add(work.saved->weights);
    }
    return all;
}

}  // namespace

fs::path journal_weights_file(const fs::path& journal, std::uint64_t checksum) {
    return journal.parent_path() /
           (fmt::format("{}.{}.weights", journal.stem().native(), checksum_text(checksum)));
}

fs::path journal_training_file(const fs::path& journal) {
    return fs::path(journal).replace_extension(".training");
}

void Journal::write(const UnsavedWork& work) {
    if (work.is_empty()) return remove();
    const bool is_long = size_bytes_ > std::max(kSmall_bytes, kGrowth * first_bytes_);
    keep_weights(work.works);
    open_ && !is_long && is_in_place() ? append(work) : begin(work);
    keep_training(work.training);
}

void Journal::keep_training(const std::shared_ptr<const InterruptedTraining>& training) {
    if (training == training_) return;
    const fs::path file = journal_training_file(file_);
    std::error_code ignored;  // an old one is offered, which is not wrong
    if (training) {
        // Its permissions stay when it is replaced: nobody else can read it, not even for a moment.
        if (!fs::exists(file, ignored)) static_cast<void>(write_own_file(file, ""));
        write_interrupted(file, *training);
    } else {
        fs::remove(file, ignored);
    }
    training_ = training;
}

/// Writes the weights before the records that name them. Weights that are no longer needed are
/// removed when the journal is begun anew.
void Journal::keep_weights(const OpenWorks& works) {
    for (const SharedWeights& weights : list_weights(works)) {
        if (weights_.contains(weights->checksum)) continue;
        std::error_code ignored;  // the file says what is wrong
        fs::create_directories(file_.parent_path(), ignored);
        const fs::path file = journal_weights_file(file_, weights->checksum);
        weights_.emplace(weights->checksum, write_own_weights(file, *weights));
    }
}

void Journal::drop_weights(const std::set<std::uint64_t>& needed) {
    std::error_code ignored;  // the next start finds them once more
    for (auto it = weights_.begin(); it != weights_.end();) {
        const bool is_needed = needed.contains(it->first);
        if (!is_needed) fs::remove(journal_weights_file(file_, it->first), ignored);
        it = is_needed ? std::next(it) : weights_.erase(it);
    }
}

/// A new file takes the place of the old one, which stays whole until then.
void Journal::begin(const UnsavedWork& work) {
    std::error_code ignored;  // the file says what is wrong
    fs::create_directories(file_.parent_path(), ignored);
    const std::string text = std::string(kJournalTitle) + record({}, work);
    UnsavedWork written = work;
    open_ = write_own_file(file_, text);
    written_ = std::move(written);
    size_bytes_ = first_bytes_ = text.size();
    flush_folder(file_);
    std::set<std::uint64_t> needed;
    for (const SharedWeights& weights : list_weights(work.works)) needed.insert(weights->checksum);
    drop_weights(needed);
}

/// Appends a record. Half a record would hide all later ones: if writing fails, the journal is
/// begun again.
void Journal::append(const UnsavedWork& work) {
    const std::string text = record(written_, work);
    if (text.empty()) return;
    UnsavedWork written = work;
    Descriptor file = std::move(*open_);
    open_.reset();
    write_all(file, file_, text);
    if (system_calls.fsync(file.get()) != 0) fail_errno(file_, "cannot be flushed to the disk");
    open_ = std::move(file);
    written_ = std::move(written);
    size_bytes_ += text.size();
}

void Journal::remove() {
    if (open_ && is_in_place()) {
        std::error_code ignored;  // an old journal is offered once more, no work is lost
        fs::remove(file_, ignored);
    }
    open_.reset();
    written_ = {};
    drop_weights({});
    keep_training(nullptr);
}

/// True if nobody has removed or replaced the file.
bool Journal::is_in_place() const {
    struct stat own {
    }, found{};
    return ::fstat(open_->get(), &own) == 0 && ::stat(file_.c_str(), &found) == 0 &&
           own.st_ino == found.st_ino && own.st_dev == found.st_dev;
}

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostSteps = 1 << 30;
/// A limit for the program's own work, which is never too large for it.
constexpr std::uint64_t kMostBytes = std::numeric_limits<std::int64_t>::max();
constexpr JsonLimits kOwnJson{.values = std::numeric_limits<std::size_t>::max()};

/// A work while its records are read.
template <class State>
struct ReadWork {
    StepsOf<State> steps;
    std::size_t at = 0;
    std::shared_ptr<const State> saved;
    std::string file;
    std::optional<std::uint64_t> contents;
    ViewWords view;

    OpenWorkOf<State> finished() const {
        return {.history = HistoryOf<State>(steps, at),
                .saved = saved,
                .file = file,
                .contents = contents,
                .view = view};
    }
};
struct ReadWorks {
    std::map<std::size_t, ReadWork<Document>> studies;
    std::optional<ReadWork<std::string>> lecture;
    std::optional<std::size_t> shown;
};

std::size_t count(const JsonView& number, std::size_t at_most) {
    const auto most = std::min(static_cast<std::int64_t>(at_most), kMostSteps);
    return static_cast<std::size_t>(number.integer(0, most));
}

std::uint64_t checksum_from(const JsonView& text) {
    std::uint64_t sum = 0;
    const std::string& digits = text.text();
    const char* end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, sum, 16);
    if (error != std::errc() || rest != end) text.fail("is no checksum");
    return sum;
}

template <class State>
void read_steps(ReadWork<State>& work, const JsonView& change, const FindWeights& find) {
    const std::size_t dropped = count(change.at("drop"), work.steps.size());
    work.steps.erase(work.steps.begin(), work.steps.begin() + static_cast<std::ptrdiff_t>(dropped));
    work.steps.resize(count(change.at("keep"), work.steps.size()));
    change.at("steps").for_each_element([&](const JsonView& step) {
        step.expect_keys({"label", "change"});
        const State* before = work.steps.empty() ? nullptr : work.steps.back().state.get();
        auto state = std::make_shared<const State>(read_change(before, step.at("change"), find));
        work.steps.push_back({step.at("label").text(), std::move(state)});
    });
    if (work.steps.empty()) change.fail("has no step");
    work.at = count(change.at("at"), work.steps.size() - 1);
}

ViewWords read_view_words(const JsonView& list) {
    ViewWords view;
    list.for_each_element([&](const JsonView& word) {
        if (word.size() != 2) word.fail("is no name and value");
        view.push_back({word[0].text(), word[1].text()});
    });
    return view;
}

template <class State>
void read_work(ReadWork<State>& work, const JsonView& change, const FindWeights& find) {
    change.expect_keys({"drop", "keep", "steps", "at", "file", "saved", "contents", "view"});
    read_steps(work, change, find);
    if (const auto file = change.find("file")) {
        work.file = path_from_stored(file->text()).native();
        work.saved = std::make_shared<const State>(
            read_change(work.steps.front().state.get(), change.at("saved"), find));
        const auto contents = change.find("contents");
        work.contents = contents ? std::optional(checksum_from(*contents)) : std::nullopt;
    }
    if (const auto view = change.find("view")) work.view = read_view_words(*view);
    if (!work.saved) change.fail("does not say what was saved");
}

/// Applies a record. If it is broken, the works stay as the earlier records left them.
void read_record(ReadWorks& works, std::string_view object, const std::string& name,
                 const FindWeights& find) {
    const JsonSource source{name, parse_json(object, name, kOwnJson)};
    ReadWorks changed = works;
    JsonView(source).for_each_member([&](const std::string& key, const JsonView& change) {
        if (key == kLecture) {
            if (!change.is_object()) return changed.lecture.reset();
            if (!changed.lecture) changed.lecture.emplace();
            return read_work(*changed.lecture, change, find);
        }
        if (key == kShown) {
            changed.shown = count(change, kMostOpenWorks - 1);
            return;
        }
        std::size_t place = 0;
        const auto [rest, error] = std::from_chars(key.data(), key.data() + key.size(), place);
        if (error != std::errc() || *rest != '\0' || place >= kMostOpenWorks)
            change.fail("is no workspace");
        if (change.is_object())
            read_work(changed.studies[place], change, find);
        else
            changed.studies.erase(place);
    });
    works = std::move(changed);
}

/// Returns the object of a line; nothing if the line is damaged.
std::optional<std::string_view> checked(std::string_view line) {
    constexpr std::size_t kStart = 17;  // after the checksum and a blank
    if (line.size() < kStart || line[kStart - 1] != ' ') return std::nullopt;
    const std::string_view object = line.substr(kStart);
    if (checksum_text(checksum(object)) != line.substr(0, kStart - 1)) return std::nullopt;
    return object;
}

/// Reads records until one is broken, and says which one. A part at the end without a line end,
/// which a killed program leaves, is not reported.
std::string read_records(ReadWorks& works, std::string_view bytes, const FindWeights& find) {
    for (int number = 2; !bytes.empty(); ++number) {
        const std::string name = fmt::format("line {}", number);
        const std::size_t end = bytes.find('\n');
        if (end == std::string_view::npos)
            return works.studies.empty() && !works.lecture ? name + " is cut off" : "";
        const auto object = checked(bytes.substr(0, end));
        if (!object) return name + " is damaged";
        try {
            read_record(works, *object, name, find);
        } catch (const Error& error) {
            return error.what();
        }
        bytes.remove_prefix(end + 1);
    }
    return "";
}

constexpr int kOldestVersion = 2;

/// Returns the version that the title of a journal names; nothing for other files.
std::optional<int> version_of(std::string_view bytes) {
    constexpr std::string_view kBefore = "Headlight journal ";
    static_assert(kJournalTitle.starts_with(kBefore));
    if (!bytes.starts_with(kBefore)) return std::nullopt;
    int version = 0;
    const char *begin = bytes.data() + kBefore.size(), *end = bytes.data() + bytes.size();
    const auto [rest, error] = std::from_chars(begin, end, version);
    const bool is_version = error == std::errc() && version >= 0 && rest != end && *rest == ':';
    return is_version ? std::optional(version) : std::nullopt;
}

/// Reads each file of weights beside the journal once.
FindWeights weights_beside(const fs::path& journal) {
    const auto known = std::make_shared<std::map<std::uint64_t, SharedWeights>>();
    return [journal, known](std::uint64_t checksum) {
        const auto [at, is_new] = known->try_emplace(checksum);
        if (!is_new) return at->second;
        try {
            at->second = read_weights(journal_weights_file(journal, checksum), checksum);
        } catch (const Error&) {
            at->second = nullptr;  // the work is not lost with them
        }
        return at->second;
    };
}

/// Reads the training beside a journal; also null if it cannot be read, since the study that it
/// trains is kept all the same.
std::shared_ptr<const InterruptedTraining> training_beside(const fs::path& journal) {
    const fs::path file = journal_training_file(journal);
    std::error_code ignored;
    if (!fs::exists(file, ignored)) return nullptr;
    try {
        return std::make_shared<const InterruptedTraining>(read_interrupted(file));
    } catch (const Error&) {
        return nullptr;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

/// Returns the journal that a file of weights or a training belongs to, by its name without an
/// ending.
fs::path journal_stem(const fs::path& beside) {
    const fs::path stem = fs::path(beside).replace_extension();
    return beside.extension() == ".weights" ? fs::path(stem).replace_extension() : stem;
}

bool is_beside_journal(const fs::path& file) {
    return file.extension() == ".weights" || file.extension() == ".training";
}

bool exists(fs::path stem, const char* ending) {
    std::error_code ignored;
    return fs::exists(stem += ending, ignored);
}

/// Removes weights and trainings of journals that no longer exist, unless a window is about to
/// begin one.
void remove_lost_files(const fs::path& folder) {
    std::error_code error;
    for (const fs::path& name : names_in(folder, error)) {
        if (!is_beside_journal(name)) continue;
        const fs::path stem = journal_stem(folder / name);
        if (exists(stem, ".journal") || exists(stem, ".bad")) continue;
        if (take_left_file(folder / name)) fs::remove(folder / name, error);
    }
}

void remove_files_beside(const fs::path& journal) {
    std::error_code error;
    for (const fs::path& name : names_in(journal.parent_path(), error))
        if (is_beside_journal(name) && journal_stem(name) == journal.stem())
            fs::remove(journal.parent_path() / name, error);
}

JournalContents read_contents(const fs::path& file) {
    try {
        return read_journal(read_file(file, kMostBytes), weights_beside(file));
    } catch (const Error& error) {
        return {.problem = error.what()};
    } catch (const std::bad_alloc&) {
        return {.problem = "there is not enough memory to read it"};
    }
}

}  // namespace

JournalContents read_journal(std::string_view bytes, const FindWeights& find) {
    const std::optional<int> version = version_of(bytes);
    if (version && (*version < kOldestVersion || *version > kJournalVersion))
        return {.problem = fmt::format("it is a journal of version {}, and this program reads {}; "
                                       "start the Headlight that wrote it",
                                       *version, kJournalVersion),
                .is_foreign = true};
    const std::string_view end = kJournalTitle.substr(kJournalTitle.find(':'));
    const std::size_t at = std::min(bytes.find(':'), bytes.size());
    if (!version || !bytes.substr(at).starts_with(end))
        return {.problem = "it does not begin as a journal of Headlight does"};
    ReadWorks works;
    JournalContents contents;
    contents.problem = read_records(works, bytes.substr(at + end.size()), find);
    UnsavedWork& unsaved = contents.unsaved;
    unsaved.shown = works.shown;
    for (const auto& [place, work] : works.studies) unsaved.works.emplace(place, work.finished());
    if (works.lecture)
        unsaved.lecture = std::make_shared<const OpenText>(works.lecture->finished());
    return contents;
}

std::vector<LeftJournal> find_left_journals(const fs::path& folder) {
    remove_lost_files(folder);
    std::vector<fs::path> files;
    std::error_code error;
    for (const fs::path& name : names_in(folder, error))
        if (name.extension() == ".journal") files.push_back(folder / name);
    std::ranges::sort(files);
    std::vector<LeftJournal> journals;
    for (const fs::path& file : files) {
        auto held = take_left_file(file);
        if (!held) continue;
        JournalContents contents = read_contents(file);
        contents.unsaved.training = training_beside(file);
        journals.push_back({.file = file,
                            .lock = std::move(*held),
                            .unsaved = std::move(contents.unsaved),
                            .problem = std::move(contents.problem),
                            .is_foreign = contents.is_foreign});
    }
    return journals;
}

fs::path put_away(const LeftJournal& journal) {
    std::error_code ignored;  // it is found once more at the next start
    if (journal.problem.empty()) {
        fs::remove(journal.file, ignored);
        remove_files_beside(journal.file);
        return {};
    }
    if (journal.is_foreign) return journal.file;
    fs::path kept = journal.file;
    kept.replace_extension(".bad");
    fs::rename(journal.file, kept, ignored);
    return kept;
}

}  // namespace headlight
