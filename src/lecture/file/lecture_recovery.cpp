#include "lecture/file/lecture_recovery.h"

#include <algorithm>
#include <limits>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "io/files/file.h"
#include "io/files/open_file.h"

namespace headlight {
namespace {

constexpr double kBetween_secs = 1;
constexpr const char* kExtension = ".kept";

/// Returns false as well for a file that cannot be read.
bool belongs_to(const std::filesystem::path& kept, const std::filesystem::path& file) {
    std::error_code ignored;
    try {
        const KeptLecture left = read_lecture_history(read_file(kept), path_text(kept));
        return std::filesystem::equivalent(left.file, file, ignored);
    } catch (const Error&) {
        return false;
    }
}

/// True if nothing of it is unsaved: it was killed after it was saved, or somebody has saved the
/// same since.
bool is_in_its_file(const KeptLecture& left) {
    if (left.file.empty()) return false;
    try {
        return read_lecture(read_file(left.file), path_text(left.file)) == left.history.now();
    } catch (const Error&) {
        return false;
    }
}

}  // namespace

void LectureRecovery::start(const std::filesystem::path& folder) {
    folder_ = folder;
    own_ = own_file(folder, kExtension);
}

bool LectureRecovery::is_due(const LectureBook& book) const {
    if (own_.empty() || given_up_ == book.version()) return false;
    if (!book.has_changes()) return written_ != 0;
    return written_ != book.version() || written_page_ != book.at();
}

double LectureRecovery::secs_until_due(const LectureBook& book) const {
    if (!is_due(book)) return std::numeric_limits<double>::infinity();
    const std::chrono::duration<double> since = Clock::now() - written_at_;
    return std::max(0.01, kBetween_secs - since.count());
}

void LectureRecovery::follow(const LectureBook& book) {
    if (!is_due(book)) return;
    if (!book.has_changes()) return remove();
    const std::chrono::duration<double> since = Clock::now() - written_at_;
    if (written_ && since.count() < kBetween_secs) return;
    write_now(book);
}

void LectureRecovery::write_now(const LectureBook& book) {
    if (own_.empty() || !book.has_changes()) return;
    written_ = book.version();
    written_page_ = book.at();
    written_at_ = Clock::now();
    try {
        make_parent_folder(own_);
        std::error_code ignored;
        const std::filesystem::path file =
            book.file().empty() ? book.file() : std::filesystem::absolute(book.file(), ignored);
        lock_ = write_own_file(
            own_, writer_.write(book.history(), file, book.at(), book.on_disk().contents));
    } catch (const Error& error) {
        problem_ = error.what();
    }
}

void LectureRecovery::remove() {
    std::error_code ignored;
    std::filesystem::remove(own_, ignored);
    lock_.reset();
    written_ = 0;
}

void LectureRecovery::drop(const LectureBook& book) {
    if (own_.empty()) return;
    remove();
    given_up_ = book.version();
}

std::optional<LectureRecovery::Left> LectureRecovery::find_left(
    const std::filesystem::path& of_file) const {
    std::error_code ignored;
    std::optional<Left> newest;
    std::filesystem::file_time_type newest_at{};
    for (const auto& entry : std::filesystem::directory_iterator(folder_, ignored)) {
        if (entry.path().extension() != kExtension) continue;
        std::optional<Descriptor> lock = take_left_file(entry.path());
        if (!lock || (!of_file.empty() && !belongs_to(entry.path(), of_file))) continue;
        const auto at = entry.last_write_time(ignored);
        if (!newest || at > newest_at) newest = {entry.path(), std::move(*lock)}, newest_at = at;
    }
    return newest;
}

std::optional<KeptLecture> LectureRecovery::take_left(const std::filesystem::path& of_file) {
    std::error_code ignored;
    while (std::optional<Left> newest = find_left(of_file)) {
        try {
            KeptLecture left =
                read_lecture_history(read_file(newest->file), path_text(newest->file));
            if (is_in_its_file(left) && std::filesystem::remove(newest->file, ignored)) continue;
            std::filesystem::rename(newest->file, own_, ignored);
            lock_ = std::move(newest->lock);
            written_ = 0;
            return left;
        } catch (const Error& error) {
            problem_ = error.what();
            std::filesystem::rename(newest->file, newest->file.string() + ".broken", ignored);
            return std::nullopt;
        }
    }
    return std::nullopt;
}

}  // namespace headlight
