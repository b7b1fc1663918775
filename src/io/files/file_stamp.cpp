#include "io/files/file_stamp.h"

#include <chrono>
#include <sys/stat.h>

#include "core/error.h"
#include "io/files/checksum.h"
#include "io/files/file.h"

namespace headlight {
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
