#include "io/files/file.h"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "core/error.h"
#include "io/files/checksum.h"
#include "io/files/limits.h"
#include "io/files/open_file.h"
#include "io/host.h"
#include "text/strings.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& what) {
    throw Error(path_text(path), what);
}

/// Returns the file that links lead to; it need not exist.
fs::path follow_links(fs::path path) {
    constexpr int kMaxLinks = 40;
    std::error_code error;
    for (int i = 0; i < kMaxLinks; ++i) {
        if (!fs::is_symlink(fs::symlink_status(path, error))) return path;
        const fs::path target = fs::read_symlink(path, error);
        if (error) fail(path, "cannot be followed: " + error.message());
        path = path.parent_path() / target;
    }
    fail(path, "cannot be written: its links lead in a circle");
}

/// Keeps the current file under a second name. If the folder does not allow one, the study is saved
/// without a backup.
void keep_backup(const fs::path& target) {
    const fs::path backup = backup_path(target);
    if (link_file(target, backup)) return;
    try {
        write_file(backup, read_file(target));
    } catch (const Error&) {
        return;
    }
}

}  // namespace

std::string read_file(const fs::path& path) {
    return read_file(path, limits().file_bytes);
}

std::string read_dense_file(const fs::path& path) {
    return read_file(path, limits().dense_file_bytes);
}

std::string read_file(const fs::path& path, std::uint64_t max_bytes) {
    const RegularFile file(path);
    const std::uint64_t size = file.size();
    if (size > max_bytes)
        fail(path, fmt::format("is too large: {} bytes; at most {} are read; {}", size, max_bytes,
                               kRaiseLimit));
    // One byte more than promised is read, so that a file that grows or hides its size is noticed.
    std::string bytes(static_cast<std::size_t>(size) + 1, '\0');
    const std::size_t count = file.read_up_to(0, bytes);
    if (count != size) fail(path, "changed while it was read, or hides its size");
    bytes.resize(count);
    return bytes;
}

std::string read_beginning(const fs::path& path, std::size_t max_bytes) {
    const RegularFile file(path);
    std::string bytes(max_bytes, '\0');
    bytes.resize(file.read_up_to(0, bytes));
    return bytes;
}

void write_file(const fs::path& path, std::string_view bytes, Backup backup) {
    const fs::path target = follow_links(path);
    struct stat old {};
    const bool exists = ::stat(target.c_str(), &old) == 0;
    if (!exists && errno != ENOENT) fail_errno(path, "cannot be written");
    if (exists) {
        if (const char* kind = special_kind(old.st_mode))
            fail(path, fmt::format("cannot be written: it is {}, not a file", kind));
        if (::access(target.c_str(), W_OK) != 0) fail_errno(path, "cannot be written");
    }

    constexpr mode_t kNewFileMode = 0666;  // less the umask
    TemporaryFile temporary(target, kNewFileMode);
    if (exists) temporary.look_like(old);
    temporary.write(bytes);
    temporary.flush();
    if (exists && backup == Backup::Keep) keep_backup(target);
    temporary.take_place();
    flush_folder(target);
    if (backup == Backup::Keep) remove_stale_files(target);
    if (host().give_file) host().give_file(path);
}

bool is_there(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::exists(std::filesystem::symlink_status(path, ignored));
}

fs::path backup_path(const fs::path& file) {
    return file.native() + "~";
}

void make_parent_folder(const fs::path& path) {
    if (!path.has_parent_path()) return;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error) fail(path.parent_path(), "this folder cannot be made: " + error.message());
}

void check_is_no_input(const fs::path& output, std::span<const fs::path> inputs) {
    for (const fs::path& input : inputs) {
        std::error_code ignored;
        if (!input.empty() && fs::equivalent(output, input, ignored))
            fail(output, "is what is read here, and would be lost; choose another name");
    }
}

std::string path_text(const fs::path& path) {
    return printable(path.native());
}

namespace {

std::optional<FileStamp::Look> look_at(const std::filesystem::path& file) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0) return std::nullopt;
    return FileStamp::Look{status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec,
                           static_cast<std::uint64_t>(status.st_size), status.st_ino};
}

/// True if the file was not changed just now. Clocks of file systems are coarse: a fresh file may
/// change once more and look the same.
bool is_settled(const FileStamp::Look& look) {
    using namespace std::chrono;
    const auto now = duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count();
    constexpr std::int64_t kCoarsest_ns = 2'000'000'000;
    return now - look.changed_at_ns > kCoarsest_ns;
}

}  // namespace

FileStamp make_stamp(std::string_view bytes) {
    return {checksum(bytes), std::nullopt};
}

FileStamp read_stamp(const std::filesystem::path& file) {
    const auto look = look_at(file);
    try {
        FileStamp stamp = make_stamp(read_file(file));
        if (look && is_settled(*look)) stamp.look = look;
        return stamp;
    } catch (const Error&) {
        return {};
    }
}

bool is_changed(const std::filesystem::path& file, FileStamp& known) {
    if (known.look && look_at(file) == known.look) return false;
    const FileStamp now = read_stamp(file);
    if (now.contents && now.contents != known.contents) return true;
    known.look = now.look;
    return false;
}

}  // namespace headlight
