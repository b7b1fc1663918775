#include "io/files/regular_file.h"

#include <cerrno>
#include <fcntl.h>
#include <utility>

#include "core/error.h"
#include "io/files/file.h"
#include "io/files/temporary_file.h"

namespace headlight {
namespace {

bool is_same(const timespec& a, const timespec& b) {
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

void check_is_file(const std::filesystem::path& path, mode_t mode) {
    if (const char* kind = special_kind(mode))
        throw Error(path_text(path), "cannot be read: it is {}, not a file", kind);
}

/// Fails for a file that cannot be opened; sockets, for example, never can.
[[noreturn]] void fail_to_open(const std::filesystem::path& path) {
    const int reason = errno;
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0) check_is_file(path, status.st_mode);
    errno = reason;
    fail_errno(path, "cannot be opened");
}

}  // namespace

const char* special_kind(mode_t mode) {
    switch (mode & S_IFMT) {
        case S_IFREG:
            return nullptr;
        case S_IFDIR:
            return "a folder";
        case S_IFIFO:
            return "a pipe";
        case S_IFSOCK:
            return "a socket";
        default:
            return "a device";
    }
}

// O_NONBLOCK is needed because opening a pipe without a writer would block for ever.
RegularFile::RegularFile(std::filesystem::path path)
    : path_(std::move(path)),
      file_(system_calls.open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0)) {
    if (!file_.is_open()) fail_to_open(path_);
    if (::fstat(file_.get(), &opened_) != 0) fail_errno(path_, "cannot be read");
    check_is_file(path_, opened_.st_mode);
}

std::size_t RegularFile::read_up_to(std::uint64_t begin, std::span<char> into) const {
    std::size_t done = 0;
    while (done < into.size()) {
        const ssize_t count = system_calls.pread(
            file_.get(), into.data() + done, into.size() - done, static_cast<off_t>(begin + done));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail_errno(path_, "cannot be read");
        if (count == 0) break;
        done += static_cast<std::size_t>(count);
    }
    return done;
}

void RegularFile::check_unchanged() const {
    struct stat now {};
    if (::fstat(file_.get(), &now) != 0) fail_errno(path_, "cannot be read any more");
    if (now.st_nlink == 0)
        throw Error(path_text(path_), "was removed or replaced while it was open; open it again");
    if (now.st_size != opened_.st_size || !is_same(now.st_mtim, opened_.st_mtim))
        throw Error(path_text(path_), "changed while it was open; open it again");
}

}  // namespace headlight
