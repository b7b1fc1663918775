#include "io/files/file.h"

#include <chrono>
#include <csignal>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../temporary_folder.h"
#include "broken_input.h"
#include "system_calls_in_place.h"

namespace headlight::file_test {

namespace fs = std::filesystem;

namespace {

/// While it lives, files cannot grow beyond `bytes`, as on a full disk.
class FullDisk {
  public:
    explicit FullDisk(rlim_t bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        ::getrlimit(RLIMIT_FSIZE, &old_);
        const rlimit low{bytes, old_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &low);
    }
    ~FullDisk() {
        ::setrlimit(RLIMIT_FSIZE, &old_);
        std::signal(SIGXFSZ, old_handler_);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

  private:
    rlimit old_{};
    void (*old_handler_)(int);
};

std::string read_error(const fs::path& path) {
    return error_of([&] { read_file(path); });
}

std::string write_error(const fs::path& path) {
    return error_of([&] { write_file(path, "new"); });
}

mode_t mode_of(const fs::path& path) {
    struct stat status {};
    ::stat(path.c_str(), &status);
    return status.st_mode & 07777;
}

}  // namespace

TEST_CASE("file: written bytes are read back, whatever they are and however often") {
    const TemporaryFolder folder;
    const std::string all_bytes =
        std::string("\0\r\n\xFF\x1A text", 10) + std::string(3'000'000, 'x');
    for (const std::string& bytes : {all_bytes, std::string(), std::string("short")}) {
        write_file(folder.file("a"), bytes);
        CHECK(read_file(folder.file("a")) == bytes);
    }
    CHECK(folder.count() == 1);
}

TEST_CASE("file: anything but a file is refused with its kind, without waiting") {
    const TemporaryFolder folder;
    CHECK(contains(read_error("/"), "[/] cannot be read: it is a folder, not a file"));
    CHECK(contains(read_error("/dev/zero"), "it is a device"));
    ::mkfifo(folder.file("pipe").c_str(), 0600);
    CHECK(contains(read_error(folder.file("pipe")), "it is a pipe"));
    CHECK(contains(write_error(folder.file("pipe")), "cannot be written: it is a pipe"));
    CHECK(contains(write_error(folder.file("")), "it is a folder"));
    CHECK(
        contains(read_error(folder.file("absent")), "cannot be opened: No such file or directory"));
    CHECK(contains(read_error("/proc/self/maps"), "changed while it was read, or hides its size"));
}

TEST_CASE("file: circular and dangling links are errors") {
    const TemporaryFolder folder;
    fs::create_symlink("loop", folder.file("loop"));
    CHECK(contains(read_error(folder.file("loop")), "cannot be opened: "));
    CHECK(contains(write_error(folder.file("loop")), "its links lead in a circle"));
    fs::create_symlink("target", folder.file("link"));
    write_file(folder.file("link"), "through");
    CHECK(fs::is_symlink(folder.file("link")));
    CHECK(read_file(folder.file("target")) == "through");
}

TEST_CASE("file: a file above the limit is refused before it is read") {
    const TemporaryFolder folder;
    write_file(folder.file("a"), "12345");
    CHECK(read_file(folder.file("a"), 5) == "12345");
    CHECK(contains(error_of([&] { read_file(folder.file("a"), 4); }),
                   "is too large: 5 bytes; at most 4"));
    write_file(folder.file("sparse"), "");
    fs::resize_file(folder.file("sparse"), std::uintmax_t{17} << 30);
    CHECK(contains(read_error(folder.file("sparse")), "is too large: 18253611008 bytes"));
}

TEST_CASE("file: permissions are kept; a new file follows the umask") {
    const TemporaryFolder folder;
    const mode_t before = ::umask(0027);
    write_file(folder.file("a"), "old");
    ::umask(before);
    CHECK(mode_of(folder.file("a")) == 0640);
    fs::permissions(folder.file("a"), fs::perms(0600));
    write_file(folder.file("a"), "new");
    CHECK(mode_of(folder.file("a")) == 0600);
}

TEST_CASE("file: a full disk leaves the old file and nothing else") {
    const TemporaryFolder folder;
    write_file(folder.file("a"), "old");
    std::string error;
    {
        const FullDisk full(1000);
        error = error_of([&] { write_file(folder.file("a"), std::string(5000, 'n')); });
    }
    CHECK(contains(error, "a] cannot be written: File too large"));
    CHECK(read_file(folder.file("a")) == "old");
    CHECK(folder.count() == 1);
}

TEST_CASE(
    "file: a missing folder, a missing permission and too long a name give the reason and leave "
    "nothing") {
    const TemporaryFolder folder;
    CHECK(contains(write_error(folder.file("no/such/folder")), "No such file or directory"));
    CHECK(contains(write_error(folder.file(std::string(300, 'n'))), "File name too long"));
    write_file(folder.file(std::string(255, 'n')), "longest");
    CHECK(folder.count() == 1);
    if (::geteuid() == 0) return;  // root may do everything
    write_file(folder.file("a"), "old");
    fs::permissions(folder.file("a"), fs::perms(0400));
    CHECK(contains(write_error(folder.file("a")), "Permission denied"));
    fs::permissions(folder.file("a"), fs::perms(0));
    CHECK(contains(read_error(folder.file("a")), "Permission denied"));
}

TEST_CASE("file: the version before a save stays as a backup") {
    const TemporaryFolder folder;
    write_file(folder.file("a"), "1", Backup::Keep);
    CHECK(folder.count() == 1);
    write_file(folder.file("a"), "2", Backup::Keep);
    write_file(folder.file("a"), "3", Backup::Keep);
    CHECK(read_file(folder.file("a")) == "3");
    CHECK(read_file(folder.file("a~")) == "2");
    CHECK(folder.count() == 2);
    write_file(folder.file("a"), "4");
    CHECK(read_file(folder.file("a~")) == "2");
}

TEST_CASE("file: a save that was killed halfway is completed by the next one") {
    const TemporaryFolder folder;
    write_file(folder.file("a"), "1");
    fs::create_hard_link(folder.file("a"),
                         folder.file("a~"));  // the backup was made, and nothing else
    write_file(folder.file("a"), "2", Backup::Keep);
    CHECK(read_file(folder.file("a~")) == "1");
    CHECK(folder.count() == 2);
}

TEST_CASE("file: without hard links the backup is a copy, or the save goes without") {
    const TemporaryFolder folder;
    const SystemCallsInPlace no_links;
    system_calls.link = [](const char*, const char*) { return errno = EPERM, -1; };
    write_file(folder.file("a"), "1");
    write_file(folder.file("a"), "2", Backup::Keep);
    CHECK(read_file(folder.file("a~")) == "1");
    fs::remove(folder.file("a~"));
    fs::create_directory(folder.file("a~"));
    write_file(folder.file("a"), "3", Backup::Keep);
    CHECK(read_file(folder.file("a")) == "3");
}

TEST_CASE("file: a save removes what killed saves left behind, and nothing else") {
    const TemporaryFolder folder;
    for (const char* name : {".headlight-12-34", ".headlight-notes", "headlight-1-2"})
        write_file(folder.file(name), "left");
    write_file(folder.file(".headlight-56-78"), "being written");
    const int file = ::open(folder.file(".headlight-56-78").c_str(), O_RDONLY | O_CLOEXEC);
    ::flock(file, LOCK_EX);
    write_file(folder.file("a"), "1");
    CHECK(fs::exists(folder.file(".headlight-12-34")));
    write_file(folder.file("a"), "2", Backup::Keep);
    CHECK_FALSE(fs::exists(folder.file(".headlight-12-34")));
    CHECK(fs::exists(folder.file(".headlight-notes")));
    CHECK(fs::exists(folder.file("headlight-1-2")));
    CHECK(fs::exists(folder.file(".headlight-56-78")));
    ::close(file);
}

TEST_CASE(
    "file stamp: different contents are noticed, whatever the clock says; equal ones are not") {
    const TemporaryFolder folder;
    const fs::path file = folder.file("a");
    FileStamp absent = read_stamp(file);
    CHECK_FALSE(absent.contents);
    CHECK_FALSE(is_changed(file, absent));
    write_file(file, "one");
    CHECK(is_changed(file, absent));
    FileStamp known = make_stamp("one");
    CHECK_FALSE(is_changed(file, known));
    write_file(file, "two");
    CHECK(is_changed(file, known));
    CHECK(is_changed(file, known));
    write_file(file, "one");
    CHECK_FALSE(is_changed(file, known));
    fs::remove(file);
    CHECK_FALSE(is_changed(file, known));
}

TEST_CASE("file stamp: a file with an unchanged status is not read again") {
    const TemporaryFolder folder;
    const fs::path file = folder.file("a");
    write_file(file, "one");
    FileStamp known = make_stamp("one");
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(1));
    CHECK_FALSE(is_changed(file, known));
    const SystemCallsInPlace unreadable;
    system_calls.open = [](const char*, int, mode_t) { return errno = EIO, -1; };
    CHECK_FALSE(is_changed(file, known));
    CHECK(known.look);
}

TEST_CASE("file: a bare name refers to the current folder") {
    const TemporaryFolder folder;
    const fs::path before = fs::current_path();
    fs::current_path(folder.file(""));
    write_file("bare", "here");
    CHECK(read_file("bare") == "here");
    fs::current_path(before);
}

TEST_CASE("file: names are shown on one line, as valid text") {
    CHECK(path_text("a\nb\x1b[31m\xFF%n.txt") == "a\\nb\\x1b[31m\xEF\xBF\xBD%n.txt");
    CHECK(path_text("\xE2\x80\xAE"
                    "evil") == "\\u202eevil");
    CHECK(path_text(std::string(2000, 'x')).size() < 250);
}

}  // namespace headlight::file_test
