#include "io/files/open_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <memory>
#include <random>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "core/error.h"
#include "io/files/file.h"
#include "io/files/folder.h"

namespace headlight {

const SystemCalls kSystemCalls = {
    [](const char* path, int flags, mode_t mode) { return ::open(path, flags, mode); },
    ::pread,
    ::write,
    ::fsync,
    ::close,
    ::rename,
    ::link,
};

SystemCalls system_calls = kSystemCalls;

namespace {

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
    const timespec &changed_at = now.st_mtim, &before = opened_.st_mtim;
    if (now.st_size != opened_.st_size || changed_at.tv_sec != before.tv_sec ||
        changed_at.tv_nsec != before.tv_nsec)
        throw Error(path_text(path_), "changed while it was open; open it again");
}

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = ".headlight-";

fs::path folder_above(const fs::path& file) {
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// Returns an unused name, short enough to fit wherever the target's own name does.
fs::path unused_name(const fs::path& target) {
    std::random_device random;
    return target.parent_path() / (fmt::format("{}{}-{}", kPrefix, random(), ::getpid()));
}

bool is_temporary_name(std::string_view name) {
    if (!name.starts_with(kPrefix)) return false;
    name.remove_prefix(kPrefix.size());
    return std::ranges::all_of(name, [](char c) { return c == '-' || (c >= '0' && c <= '9'); });
}

/// Makes an open, locked file. Before it is locked, another program may take it for a stale file
/// and remove it: then the result is not open, and the caller tries the next name.
Descriptor make_locked(const fs::path& path, mode_t mode) {
    Descriptor file(system_calls.open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (!file.is_open()) return file;
    ::flock(file.get(), LOCK_EX);  // not every file system has locks
    struct stat status {};
    const bool is_gone = ::fstat(file.get(), &status) == 0 && status.st_nlink == 0;
    if (!is_gone) return file;
    errno = EEXIST;
    return Descriptor(-1);
}

const char* plain_reason(int error) {
    switch (error) {
        case ENOSPC:
        case EDQUOT:
            return "the disk is full";
        case EROFS:
            return "the disk can only be read";
        default:
            return nullptr;
    }
}

}  // namespace

void fail_errno(const fs::path& path, const std::string& what) {
    const char* plain = plain_reason(errno);
    const std::string reason = std::generic_category().message(errno);
    throw Error(path_text(path), "{}: {}", what, plain ? plain : reason);
}

void write_all(const Descriptor& file, const fs::path& path, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = system_calls.write(file.get(), bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail_errno(path, "cannot be written");
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
}

TemporaryFile::TemporaryFile(const fs::path& target, mode_t mode) : target_(target), file_(-1) {
    constexpr int kTries = 10;
    errno = EEXIST;
    for (int i = 0; i < kTries && !file_.is_open() && errno == EEXIST; ++i) {
        path_ = unused_name(target);
        file_ = make_locked(path_, mode);
    }
    if (file_.is_open()) return;
    fail_errno(target, errno == ENOENT ? "cannot be written, its folder does not exist"
                                       : "cannot be written, its folder takes no new file");
}

TemporaryFile::~TemporaryFile() {
    if (!is_in_place_) ::unlink(path_.c_str());
}

/// Gives the file the owner and the permissions of the old one. Only root can keep a foreign owner,
/// and some file systems know no permissions: there they need no change either.
void TemporaryFile::look_like(const struct stat& old) {
    [[maybe_unused]] const int owner = ::fchown(file_.get(), old.st_uid, old.st_gid);
    struct stat now {};
    const bool is_known = ::fstat(file_.get(), &now) == 0;
    const mode_t mode = old.st_mode & 07777;
    if (is_known && (now.st_mode & 07777) == mode) return;
    if (::fchmod(file_.get(), mode) != 0)
        fail_errno(target_, "cannot be written, its permissions cannot be kept");
}

void TemporaryFile::write(std::string_view bytes) {
    write_all(file_, target_, bytes);
}

void TemporaryFile::flush() {
    if (system_calls.fsync(file_.get()) != 0) fail_errno(target_, "cannot be flushed to the disk");
}

Descriptor TemporaryFile::take_place() {
    if (system_calls.rename(path_.c_str(), target_.c_str()) != 0)
        fail_errno(target_, "cannot be replaced");
    is_in_place_ = true;
    return std::move(file_);
}

fs::path own_file(const fs::path& folder, std::string_view extension) {
    std::random_device random;
    return folder / (fmt::format("{}-{}{}", ::getpid(), random(), extension));
}

Descriptor write_own_file(const fs::path& file, std::string_view bytes) {
    constexpr mode_t kOnlyForMe = 0600;
    TemporaryFile temporary(file, kOnlyForMe);
    temporary.write(bytes);
    temporary.flush();
    return temporary.take_place();
}

std::optional<Descriptor> take_left_file(const fs::path& file) {
    Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    if (!descriptor.is_open() || ::flock(descriptor.get(), LOCK_EX | LOCK_NB) != 0)
        return std::nullopt;
    struct stat own {
    }, found{};
    // The owning process may have written it anew meanwhile.
    const bool is_same = ::fstat(descriptor.get(), &own) == 0 &&
                         ::stat(file.c_str(), &found) == 0 && own.st_ino == found.st_ino;
    return is_same ? std::optional(std::move(descriptor)) : std::nullopt;
}

bool link_file(const fs::path& file, const fs::path& copy) {
    const fs::path name = unused_name(copy);
    const bool is_linked = system_calls.link(file.c_str(), name.c_str()) == 0;
    const bool is_done = is_linked && system_calls.rename(name.c_str(), copy.c_str()) == 0;
    // If both are the same file already, rename() leaves both names.
    if (is_linked) ::unlink(name.c_str());
    return is_done;
}

void flush_folder(const fs::path& file) {
    const Descriptor folder(
        system_calls.open(folder_above(file).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0));
    if (folder.is_open()) system_calls.fsync(folder.get());
}

void remove_stale_files(const fs::path& file) {
    std::error_code error;
    for (const fs::path& name : names_in(folder_above(file), error)) {
        if (!is_temporary_name(name.native())) continue;
        const fs::path path = folder_above(file) / name;
        const Descriptor stale(
            ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW));
        if (stale.is_open() && ::flock(stale.get(), LOCK_EX | LOCK_NB) == 0) ::unlink(path.c_str());
    }
}

std::string ByteSource::bytes(std::uint64_t begin, std::uint64_t count) const {
    if (begin > size || count > size - begin)
        throw Error(name,
                    "ends after {} bytes, where byte {} and {} more were to be read; the file is "
                    "incomplete",
                    size, begin, count);
    std::string text(static_cast<std::size_t>(count), '\0');
    if (count > 0) read(begin, text);
    return text;
}

ByteSource bytes_in_memory(std::string_view bytes, std::string name) {
    return {std::move(name), bytes.size(), [bytes](std::uint64_t begin, std::span<char> into) {
                std::ranges::copy(bytes.substr(begin, into.size()), into.begin());
            }};
}

ByteSource bytes_of_file(const std::filesystem::path& path) {
    const auto file = std::make_shared<const RegularFile>(path);
    return {path_text(path), file->size(), [file](std::uint64_t begin, std::span<char> into) {
                file->check_unchanged();
                if (file->read_up_to(begin, into) != into.size())
                    throw Error(path_text(file->path()),
                                "ended while it was read; it was changed, open it again");
            }};
}

ByteSource part_of(const ByteSource& whole, std::uint64_t begin, std::uint64_t size) {
    return {whole.name, size, [read = whole.read, begin](std::uint64_t at, std::span<char> into) {
                read(begin + at, into);
            }};
}

}  // namespace headlight
