#include "io/studies/journal.h"

#include <algorithm>
#include <iterator>
#include <sys/stat.h>
#include <system_error>

#include "io/arrays/stored_path.h"
#include "io/arrays/weights_file.h"
#include "io/files/checksum.h"
#include "io/files/temporary_file.h"
#include "io/studies/document_change.h"
#include "io/text/json_text.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

using Steps = std::deque<HistoryStep>;

/// A journal is begun again when it is so much larger than it was at its beginning.
constexpr std::size_t kSmall_bytes = 4 << 20, kGrowth = 4;

bool is_same_step(const HistoryStep& a, const HistoryStep& b) {
    return a.document == b.document && a.label == b.label;
}

/// How the written steps become the current ones: the number of steps that are dropped first, and
/// the number of the rest that stay.
struct Common {
    std::size_t dropped = 0, kept = 0;
};

Common common_steps(const Steps& written, const Steps& now) {
    const auto first = std::ranges::find_if(
        written, [&](const HistoryStep& step) { return is_same_step(step, now.front()); });
    const auto end = std::mismatch(first, written.end(), now.begin(), now.end(), is_same_step);
    return {static_cast<std::size_t>(first - written.begin()),
            static_cast<std::size_t>(end.first - first)};
}

std::string steps_text(const Steps& steps, std::size_t first) {
    std::string text;
    for (std::size_t k = first; k < steps.size(); ++k) {
        const Document* before = k == 0 ? nullptr : steps[k - 1].document.get();
        text += (text.empty() ? "" : ", ");
        text += "{\"label\": " + json_string(steps[k].label) +
                ", \"change\": " + write_change(before, *steps[k].document) + "}";
    }
    return "[" + text + "]";
}

/// [["tensor", "embed"], …]
std::string view_text(const ViewWords& view) {
    std::string text;
    for (const ViewWord& word : view)
        text += (text.empty() ? "[" : ", [") + json_string(word.name) + ", " +
                json_string(word.value) + "]";
    return "[" + text + "]";
}

bool has_same_file(const OpenWork& a, const OpenWork& b) {
    return a.saved == b.saved && a.file == b.file && a.contents == b.contents;
}

/// What has become of a work; `written` is null for a new one. Empty if nothing has.
std::string work_text(const OpenWork* written, const OpenWork& now) {
    const Steps& steps = now.history.steps();
    const Common common = written ? common_steps(written->history.steps(), steps) : Common{};
    const std::size_t n_written = written ? written->history.steps().size() : 0;
    const bool has_other_file = !written || !has_same_file(*written, now);
    const bool has_other_view = written ? written->view != now.view : !now.view.empty();
    const bool is_same = !has_other_file && !has_other_view && common.dropped == 0 &&
                         common.kept == n_written && common.kept == steps.size() &&
                         written->history.at() == now.history.at();
    if (is_same) return "";
    std::string text = "{\"drop\": " + std::to_string(common.dropped) +
                       ", \"keep\": " + std::to_string(common.kept) +
                       ", \"steps\": " + steps_text(steps, common.kept) +
                       ", \"at\": " + std::to_string(now.history.at());
    if (has_other_file) {
        text += ", \"file\": " + json_string(stored_path(now.file)) +
                ", \"saved\": " + write_change(steps.front().document.get(), *now.saved);
        if (now.contents) text += ", \"contents\": " + json_string(checksum_text(*now.contents));
    }
    if (has_other_view) text += ", \"view\": " + view_text(now.view);
    return text + "}";
}

/// What has become of the works, as a line; empty if nothing has.
std::string record(const OpenWorks& written, const OpenWorks& now) {
    std::string members;
    const auto add = [&](std::size_t place, const std::string& json) {
        members += (members.empty() ? "\"" : ", \"") + std::to_string(place) + "\": " + json;
    };
    for (const auto& [place, work] : now) {
        const auto it = written.find(place);
        const std::string text = work_text(it == written.end() ? nullptr : &it->second, work);
        if (!text.empty()) add(place, text);
    }
    for (const auto& [place, work] : written)
        if (!now.contains(place)) add(place, "false");
    if (members.empty()) return "";
    const std::string object = "{" + members + "}";
    return checksum_text(checksum(object)) + " " + object + "\n";
}

/// Each once, those that are here.
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
        for (const HistoryStep& step : work.history.steps()) add(step.document->weights);
        add(work.saved->weights);
    }
    return all;
}

}  // namespace

fs::path journal_weights_file(const fs::path& journal, std::uint64_t checksum) {
    return journal.parent_path() /
           (journal.stem().native() + "." + checksum_text(checksum) + ".weights");
}

void Journal::write(const OpenWorks& works) {
    if (works.empty()) return remove();
    const bool is_long = size_bytes_ > std::max(kSmall_bytes, kGrowth * first_bytes_);
    keep_weights(works);
    open_ && !is_long && is_in_place() ? append(works) : begin(works);
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
void Journal::begin(const OpenWorks& works) {
    std::error_code ignored;  // the file says what is wrong
    fs::create_directories(file_.parent_path(), ignored);
    constexpr mode_t kOnlyForMe = 0600;
    TemporaryFile temporary(file_, kOnlyForMe);
    const std::string text = std::string(kJournalTitle) + record({}, works);
    temporary.write(text);
    temporary.flush();
    OpenWorks written = works;
    open_ = temporary.take_place();
    written_ = std::move(written);
    size_bytes_ = first_bytes_ = text.size();
    flush_folder(file_);
    std::set<std::uint64_t> needed;
    for (const SharedWeights& weights : list_weights(works)) needed.insert(weights->checksum);
    drop_weights(needed);
}

/// Half a record would hide all that comes after it: then the journal is begun again.
void Journal::append(const OpenWorks& works) {
    const std::string text = record(written_, works);
    if (text.empty()) return;
    OpenWorks written = works;
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
    written_.clear();
    drop_weights({});
}

/// Nobody has removed it.
bool Journal::is_in_place() const {
    struct stat own {
    }, found{};
    return ::fstat(open_->get(), &own) == 0 && ::stat(file_.c_str(), &found) == 0 &&
           own.st_ino == found.st_ino && own.st_dev == found.st_dev;
}

}  // namespace headlight
