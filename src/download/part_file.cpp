#include "download/part_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "io/files/file.h"
#include "io/files/temporary_file.h"

namespace headlight {
namespace {

constexpr mode_t kMode = 0666;  // less what the user's mask takes away

}  // namespace

std::filesystem::path part_path(const std::filesystem::path& target) {
    return target.native() + ".part";
}

PartFile::PartFile(const std::filesystem::path& target)
    : target_(target),
      path_(part_path(target)),
      file_(system_calls.open(path_.c_str(),
                              O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
                              kMode)) {
    if (!file_.is_open()) fail_errno(path_, "cannot be written");
    struct stat status {};
    if (::fstat(file_.get(), &status) != 0 || !S_ISREG(status.st_mode))
        throw Error(path_text(path_), "is no file that a download could go on with; remove it");
    if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0)
        throw Error(path_text(path_), "is being written by another download");
    size_ = static_cast<std::uint64_t>(status.st_size);
}

void PartFile::cut(std::uint64_t size) {
    if (::ftruncate(file_.get(), static_cast<off_t>(size)) != 0)
        fail_errno(path_, "cannot be begun anew");
    size_ = size;
}

void PartFile::append(std::string_view bytes) {
    write_all(file_, path_, bytes);
    size_ += bytes.size();
}

void PartFile::take_place() {
    if (system_calls.fsync(file_.get()) != 0) fail_errno(path_, "cannot be flushed to the disk");
    if (system_calls.rename(path_.c_str(), target_.c_str()) != 0)
        fail_errno(target_, "cannot be given its name");
    flush_folder(target_);
}

void PartFile::remove() {
    ::unlink(path_.c_str());
}

}  // namespace headlight
