#include "io/file.h"

#include <cerrno>
#include <fcntl.h>
#include <random>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "core/error.h"
#include "io/printable.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& what) {
    throw Error(path_text(path), what);
}

/// "cannot be opened: Permission denied", from errno.
[[noreturn]] void fail_errno(const fs::path& path, const std::string& what) {
    const std::string reason = std::generic_category().message(errno);
    fail(path, what + ": " + reason);
}

class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor() {
        if (fd_ >= 0) ::close(fd_);
    }
    Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int get() const { return fd_; }
    bool is_open() const { return fd_ >= 0; }

    /// Some file systems report a failed write only here.
    bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

  private:
    int fd_;
};

/// What a file that holds no bytes of its own is called; null for a regular file.
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

/// Reads until `buffer` is full or the file ends; returns how many bytes came.
std::size_t read_up_to(const Descriptor& file, const fs::path& path, std::string& buffer) {
    std::size_t done = 0;
    while (done < buffer.size()) {
        const ssize_t count = ::read(file.get(), buffer.data() + done, buffer.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail_errno(path, "cannot be read");
        if (count == 0) break;
        done += static_cast<std::size_t>(count);
    }
    return done;
}

struct OpenedFile {
    Descriptor descriptor;
    std::uintmax_t size_bytes;
};

OpenedFile open_regular(const fs::path& path) {
    // O_NONBLOCK: opening a pipe that nobody writes to would wait for ever.
    const int flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY;
    OpenedFile file{Descriptor(::open(path.c_str(), flags)), 0};
    if (!file.descriptor.is_open()) fail_errno(path, "cannot be opened");
    struct stat status {};
    if (::fstat(file.descriptor.get(), &status) != 0) fail_errno(path, "cannot be read");
    if (const char* kind = special_kind(status.st_mode))
        fail(path, std::string("cannot be read: it is ") + kind + ", not a file");
    file.size_bytes = static_cast<std::uintmax_t>(status.st_size);
    return file;
}

/// The file that links lead to; it need not exist.
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

/// A new file beside the one it is to replace; removed again unless it took its place.
class TemporaryFile {
  public:
    TemporaryFile(const fs::path& target, mode_t mode)
        : path_(target.parent_path() / unused_name()),
          target_(target),
          file_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)) {
        if (!file_.is_open()) fail_errno(target_, "cannot be written: no new file in its folder");
    }
    ~TemporaryFile() {
        if (!is_in_place_) ::unlink(path_.c_str());
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    /// Owner and permissions of the file to replace. Only root can keep a foreign owner, and some
    /// file systems know no permissions: there they need no change either.
    void look_like(const struct stat& old) {
        [[maybe_unused]] const int owner = ::fchown(file_.get(), old.st_uid, old.st_gid);
        struct stat now {};
        const bool is_known = ::fstat(file_.get(), &now) == 0;
        const mode_t mode = old.st_mode & 07777;
        if (is_known && (now.st_mode & 07777) == mode) return;
        if (::fchmod(file_.get(), mode) != 0)
            fail_errno(target_, "cannot be written: its permissions cannot be kept");
    }

    void write(std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t count = ::write(file_.get(), bytes.data(), bytes.size());
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) fail_errno(target_, "cannot be written");
            bytes.remove_prefix(static_cast<std::size_t>(count));
        }
    }

    void take_place() {
        if (::fsync(file_.get()) != 0) fail_errno(target_, "cannot be flushed to the disk");
        if (!file_.close()) fail_errno(target_, "cannot be written");
        if (::rename(path_.c_str(), target_.c_str()) != 0)
            fail_errno(target_, "cannot be replaced");
        is_in_place_ = true;
    }

  private:
    /// Short, so that it fits wherever the target's own name does.
    static std::string unused_name() {
        std::random_device random;
        return ".headlight-" + std::to_string(random()) + "-" + std::to_string(::getpid());
    }

    fs::path path_, target_;
    Descriptor file_;
    bool is_in_place_ = false;
};

/// Makes the rename itself survive a power cut. Where it cannot, the file is whole all the same.
void flush_folder(const fs::path& file) {
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (descriptor.is_open()) ::fsync(descriptor.get());
}

}  // namespace

std::string read_file(const fs::path& path, std::size_t max_bytes) {
    const OpenedFile file = open_regular(path);
    if (file.size_bytes > max_bytes)
        fail(path, "is too large: " + std::to_string(file.size_bytes) + " bytes; at most " +
                       std::to_string(max_bytes) + " are read");
    // One byte more than promised: a file that grows, or hides its size, shows itself.
    std::string bytes(static_cast<std::size_t>(file.size_bytes) + 1, '\0');
    const std::size_t count = read_up_to(file.descriptor, path, bytes);
    if (count != file.size_bytes) fail(path, "changed while it was read, or hides its size");
    bytes.resize(count);
    return bytes;
}

std::string read_beginning(const fs::path& path, std::size_t max_bytes) {
    const OpenedFile file = open_regular(path);
    std::string bytes(max_bytes, '\0');
    bytes.resize(read_up_to(file.descriptor, path, bytes));
    return bytes;
}

void write_file(const fs::path& path, std::string_view bytes) {
    const fs::path target = follow_links(path);
    struct stat old {};
    const bool exists = ::stat(target.c_str(), &old) == 0;
    if (!exists && errno != ENOENT) fail_errno(path, "cannot be written");
    if (exists) {
        if (const char* kind = special_kind(old.st_mode))
            fail(path, std::string("cannot be written: it is ") + kind + ", not a file");
        if (::access(target.c_str(), W_OK) != 0) fail_errno(path, "cannot be written");
    }

    constexpr mode_t kNewFileMode = 0666;  // less the umask
    TemporaryFile temporary(target, kNewFileMode);
    if (exists) temporary.look_like(old);
    temporary.write(bytes);
    temporary.take_place();
    flush_folder(target);
}

void make_folder_of(const fs::path& path) {
    if (!path.has_parent_path()) return;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error) fail(path.parent_path(), "this folder cannot be made: " + error.message());
}

std::string path_text(const fs::path& path) {
    return printable(path.native());
}

}  // namespace headlight
