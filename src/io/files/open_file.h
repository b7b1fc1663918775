// Open files: those that are read where their bytes are needed, and the new one that is to replace
// another, through system calls that tests replace by failing ones.
//
// Goals: a file of any size opens at once, and only what is looked at is read; the readers of
// formats need not know where the bytes are; no folder, pipe or device hangs the program. Not
// goals: memory mapping (a mapped file that shrinks kills the program).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <sys/types.h>
#include <utility>

namespace headlight {

struct SystemCalls {
    int (*open)(const char* path, int flags, mode_t mode);
    ssize_t (*pread)(int fd, void* bytes, std::size_t size, off_t begin);
    ssize_t (*write)(int fd, const void* bytes, std::size_t size);
    int (*fsync)(int fd);
    int (*close)(int fd);
    int (*rename)(const char* from, const char* to);
    int (*link)(const char* from, const char* to);
};

extern const SystemCalls kSystemCalls;  // the real ones
extern SystemCalls system_calls;        // those in use

/// An open file, closed with its owner.
class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor() {
        if (fd_ >= 0) system_calls.close(fd_);
    }
    Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }

    int get() const { return fd_; }
    bool is_open() const { return fd_ >= 0; }

  private:
    int fd_;
};

/// The name of a special kind of file (folder, pipe, device); null for a regular file.
const char* special_kind(mode_t mode);

class RegularFile {
  public:
    /// Throws Error, naming the file and the reason, if it cannot be opened or is none.
    explicit RegularFile(std::filesystem::path path);

    const std::filesystem::path& path() const { return path_; }
    std::uint64_t size() const { return static_cast<std::uint64_t>(opened_.st_size); }

    /// Reads from `begin` until `into` is full or the file ends; returns how many bytes came. May
    /// be called from several threads. Throws Error if the file cannot be read.
    std::size_t read_up_to(std::uint64_t begin, std::span<char> into) const;

    /// Throws Error if the file is not the one that was opened any more: changed, replaced or
    /// removed.
    void check_unchanged() const;

  private:
    std::filesystem::path path_;
    Descriptor file_;
    struct stat opened_ {};
};

/// A temporary file, removed again unless it took the place of its target. It is locked while it is
/// written, so that the stale file of a killed program can be recognised. Throws Error, in the name
/// of the target.
class TemporaryFile {
  public:
    TemporaryFile(const std::filesystem::path& target, mode_t mode);
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    /// Takes over owner and permissions of the file to replace.
    void look_like(const struct stat& old);
    void write(std::string_view bytes);
    void flush();
    /// Flushes the file and moves it to its target. The open and locked file is given away.
    Descriptor take_place();

  private:
    std::filesystem::path target_, path_;
    Descriptor file_;
    bool is_in_place_ = false;
};

/// Returns a path in that folder under a name that no other process gets, even where process
/// numbers come again, as they do in containers.
std::filesystem::path own_file(const std::filesystem::path& folder, std::string_view extension);

/// Writes the file, which only this user can read, in a single step. It is locked as long as the
/// result lives, at most as long as the process. Throws Error.
Descriptor write_own_file(const std::filesystem::path& file, std::string_view bytes);

/// Returns the file, locked, if the process that wrote it is gone; else nothing.
std::optional<Descriptor> take_left_file(const std::filesystem::path& file);

/// Gives the file a second name, in place of whatever `copy` was; false if that cannot be.
bool link_file(const std::filesystem::path& file, const std::filesystem::path& copy);

/// Makes a rename in the file's folder survive a power cut. Where it cannot, the file is whole all
/// the same.
void flush_folder(const std::filesystem::path& file);

/// Removes temporary files that a killed program has left in the file's folder.
void remove_stale_files(const std::filesystem::path& file);

/// Writes all bytes. Throws Error in the name of `path`.
void write_all(const Descriptor& file, const std::filesystem::path& path, std::string_view bytes);

/// Throws Error with `what` and the reason in errno.
[[noreturn]] void fail_errno(const std::filesystem::path& path, const std::string& what);

struct ByteSource {
    std::string name;  // its name in messages
    std::uint64_t size = 0;
    /// Fills `into` with the bytes that begin at `begin`; the caller has checked that they are
    /// within the size. May be called from several threads. Throws Error if they cannot be read.
    std::function<void(std::uint64_t begin, std::span<char> into)> read;

    /// Returns `count` bytes from `begin`; throws Error if they are not all within the size.
    std::string bytes(std::uint64_t begin, std::uint64_t count) const;
};

/// A source of bytes in memory, which must outlive it.
ByteSource bytes_in_memory(std::string_view bytes, std::string name);

/// A regular file, kept open. Reading it throws Error once it was changed, replaced or removed.
ByteSource bytes_of_file(const std::filesystem::path& path);

/// Returns a part of a source, which must be within it.
ByteSource part_of(const ByteSource& whole, std::uint64_t begin, std::uint64_t size);

}  // namespace headlight
