#include "lecture/file/lecture_recovery.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <limits>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "core/error.h"
#include "io/files/file.h"

namespace headlight {
namespace {

constexpr double kBetween_secs = 1;
constexpr const char* kExtension = ".kept";

/// False as well for what cannot be read.
bool belongs_to(const std::filesystem::path& kept, const std::filesystem::path& file) {
    std::error_code ignored;
    try {
        const KeptLecture left = read_lecture_history(read_file(kept), path_text(kept));
        return std::filesystem::equivalent(left.file, file, ignored);
    } catch (const Error&) {
        return false;
    }
}

/// The window that writes "1234.kept" is still there.
bool is_running(const std::filesystem::path& file) {
    const std::string stem = file.stem().string();
    int process = 0;
    std::from_chars(stem.data(), stem.data() + stem.size(), process);
    return process > 0 && (::kill(process, 0) == 0 || errno == EPERM);
}

}  // namespace

void LectureRecovery::start(const std::filesystem::path& folder) {
    folder_ = folder;
    own_ = folder / (std::to_string(::getpid()) + kExtension);
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
    if (!book.has_changes()) {
        std::error_code ignored;
        std::filesystem::remove(own_, ignored);
        written_ = 0;
        return;
    }
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
        write_file(own_, writer_.write(book.history(), file, book.at(), book.on_disk().contents));
    } catch (const Error& error) {
        problem_ = error.what();
    }
}

void LectureRecovery::drop(const LectureBook& book) {
    if (own_.empty()) return;
    std::error_code ignored;
    std::filesystem::remove(own_, ignored);
    written_ = 0;
    given_up_ = book.version();
}

std::filesystem::path LectureRecovery::find_left(const std::filesystem::path& of_file) const {
    std::error_code ignored;
    std::filesystem::path newest;
    std::filesystem::file_time_type newest_at{};
    for (const auto& entry : std::filesystem::directory_iterator(folder_, ignored)) {
        if (entry.path().extension() != kExtension || is_running(entry.path())) continue;
        if (!of_file.empty() && !belongs_to(entry.path(), of_file)) continue;
        const auto at = entry.last_write_time(ignored);
        if (newest.empty() || at > newest_at) newest = entry.path(), newest_at = at;
    }
    return newest;
}

std::optional<KeptLecture> LectureRecovery::take_left(const std::filesystem::path& of_file) {
    std::error_code ignored;
    const std::filesystem::path newest = find_left(of_file);
    if (newest.empty()) return std::nullopt;
    try {
        KeptLecture left = read_lecture_history(read_file(newest), path_text(newest));
        std::filesystem::rename(newest, own_, ignored);
        written_ = 0;
        return left;
    } catch (const Error& error) {
        problem_ = error.what();
        std::filesystem::rename(newest, newest.string() + ".broken", ignored);
        return std::nullopt;
    }
}

}  // namespace headlight
