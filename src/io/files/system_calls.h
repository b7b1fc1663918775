// The system calls that files are read and written with. Tests replace them by failing ones.
#pragma once

#include <cstddef>
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

}  // namespace headlight
