#include "download/model_download.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "core/error.h"
#include "download/http.h"
#include "download/known_models.h"
#include "io/files/file.h"
#include "io/files/folder.h"
#include "io/files/open_file.h"
#include "text/strings.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kCopyBytes = 1 << 20;

// ---- a server ----

std::string address_of(const KnownModel& model, std::string base, std::string_view file) {
    while (base.ends_with('/')) base.pop_back();
    return fmt::format("{}/{}/resolve/{}/{}", base, model.repository, model.revision, file);
}

OfferedFile offered_by_server(const std::string& address, std::string_view file,
                              const HttpAnswer& answer) {
    const auto size = answer.linked_size ? answer.linked_size : answer.length;
    if (!size) throw Error(address, "is not downloaded: its server does not say how large it is");
    OfferedFile offered{std::string(file), address, *size};
    if (is_sha256(answer.linked_tag))
        offered.checksum = answer.linked_tag;
    else if (answer.is_hub && (is_git_blob(answer.tag) || is_sha256(answer.tag)))
        offered.checksum = answer.tag;
    if (!offered.checksum.empty()) offered.checksum_from = ChecksumFrom::Source;
    return offered;
}

/// Returns where a part begins. It must be the one that was asked for, of a file of the size that
/// was offered.
std::uint64_t first_byte_of(const HttpAnswer& answer, const OfferedFile& file,
                            std::uint64_t asked) {
    constexpr long kPart = 206;
    const bool is_part = answer.status == kPart;
    const auto size = is_part ? answer.whole : answer.length;
    if (size && *size != file.size)
        throw Error(
            file.address,
            "is {} bytes now, not the {} that were offered; it has changed, download it again",
            *size, file.size);
    if (!is_part) return 0;
    if (answer.first != asked)
        throw Error(file.address,
                    "cannot be gone on with: another part of it came than that from byte {}",
                    asked);
    return asked;
}

FileSource server(const KnownModel& model, const std::optional<std::string>& from,
                  Progress& progress) {
    const std::string base = from.value_or(std::string(kHub));
    const HttpClient client(from.value_or(""), progress);
    return {base,
            [client, base, model](std::string_view file) {
                const std::string address = address_of(model, base, file);
                return offered_by_server(address, file, client.head(address));
            },
            [client](const OfferedFile& file, std::uint64_t first, const FileReceiver& receiver) {
                client.get(file.address, first,
                           {[&](const HttpAnswer& answer) {
                                receiver.begin(first_byte_of(answer, file, first));
                            },
                            receiver.take});
            }};
}

// ---- a folder ----

bool has_config(const fs::path& folder) {
    std::error_code ignored;
    return fs::is_regular_file(folder / "config.json", ignored);
}

fs::path folder_of(const KnownModel& model, const fs::path& from) {
    // huggingface_hub keeps a model as "models--openai-community--gpt2".
    const std::string in_cache = replaced_all("models/" + model.repository, "/", "--");
    const std::array<fs::path, 4> places = {from / model.repository, from / model.name,
                                            from / in_cache / "snapshots" / model.revision, from};
    const auto found = std::ranges::find_if(places, has_config);
    if (found != places.end()) return *found;
    throw Error(path_text(from),
                "has no {}: there is no config.json in {}, in {}, or in the folder itself",
                model.name, model.repository, model.name);
}

FileSource folder(const fs::path& place) {
    return {path_text(place),
            [place](std::string_view file) {
                const ByteSource bytes = bytes_of_file(place / file);
                return OfferedFile{std::string(file), (place / file).native(), bytes.size};
            },
            [](const OfferedFile& file, std::uint64_t first, const FileReceiver& receiver) {
                const ByteSource bytes = bytes_of_file(file.address);
                receiver.begin(first);
                for (std::uint64_t at = first; at < bytes.size; at += kCopyBytes)
                    receiver.take(bytes.bytes(at, std::min(kCopyBytes, bytes.size - at)));
            }};
}

}  // namespace

std::string usual_source() {
    const char* named = std::getenv(kSourceVariable);
    return named && *named ? named : std::string(kHub);
}

namespace {

/// Returns the source of a model's files. `given`: the address of a server, or a folder: the
/// model's own, or one with folders that have its name, that of its repository, or that of the
/// hub's cache; none: the usual source. Throws Error if the model is in none of them.
FileSource source_of(const KnownModel& model, const std::optional<std::string>& given,
                     Progress& progress) {
    const std::optional<std::string> from =
        given || usual_source() == kHub ? given : usual_source();
    if (!from || from->starts_with("https://") || from->starts_with("http://"))
        return server(model, from, progress);
    if (from->find("://") != std::string::npos)
        throw Error(path_text(*from), "is not asked: models come by https, or from a folder");
    return folder(folder_of(model, *from));
}

constexpr std::uint64_t kLargestSmallFile = std::uint64_t(256) << 20;  // all but the weights

std::string bytes_text(std::uint64_t size) {
    return fmt::format("{} bytes", size);
}

// ---- what is offered ----

/// Throws Error unless the weights are those of the table; without a checksum there, the source's
/// counts.
void check_weights(const KnownModel& model, OfferedFile& weights) {
    if (model.weights_bytes != 0 && weights.size != model.weights_bytes)
        throw Error(weights.address, "is {}, but {} has {}; it is another file, or not all of it",
                    bytes_text(weights.size), model.name, bytes_text(model.weights_bytes));
    if (model.sha256.empty()) return;
    if (is_sha256(weights.checksum) && weights.checksum != model.sha256)
        throw Error(weights.address,
                    "has, its server says, the {}, but {} has {}; it is another file",
                    checksum_name(weights.checksum), model.name, model.sha256);
    weights.checksum = model.sha256;
    weights.checksum_from = ChecksumFrom::Table;
}

std::string checksum_text(const OfferedFile& file) {
    switch (file.checksum_from) {
        case ChecksumFrom::Table:
            return checksum_name(file.checksum) + ", as Headlight knows it";
        case ChecksumFrom::Source:
            return checksum_name(file.checksum) + ", as the server says";
        case ChecksumFrom::Nobody:
            break;
    }
    return "no checksum is known";
}

// ---- what is there ----

std::uint64_t size_of_part(const fs::path& target) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(part_path(target), error);
    return error ? 0 : size;
}

/// Returns how much of a part can be kept: only a checksum can tell whether two halves are of one
/// file.
std::uint64_t bytes_to_keep(const OfferedFile& file, std::uint64_t size_of_part) {
    return file.checksum.empty() || size_of_part > file.size ? 0 : size_of_part;
}

std::string state_text(const OfferedFile& file, const fs::path& target) {
    if (is_there(target)) return ", is there already";
    const std::uint64_t kept = bytes_to_keep(file, size_of_part(target));
    return kept > 0 ? fmt::format(", of which {} are there", size_text(kept)) : "";
}

// ---- downloading ----

/// Returns the file's checksum if it is another one; nothing if it is right, or if nobody knows it.
std::optional<std::string> find_other_sum(const OfferedFile& file, const fs::path& path,
                                          Progress& progress) {
    if (file.checksum.empty()) {
        progress.advance(static_cast<double>(file.size));
        return std::nullopt;
    }
    progress.enter("checking " + file.name);
    std::string found = checksum_of(path, file.checksum, progress);
    return found == file.checksum ? std::nullopt : std::optional(std::move(found));
}

[[noreturn]] void refuse(const fs::path& path, const OfferedFile& file, const std::string& found,
                         const std::string& what_to_do) {
    throw Error(path_text(path), "has the checksum {}, not {}: {}", found, file.checksum,
                what_to_do);
}

/// Throws Error unless a file that is there already is the one that is wanted.
void check_present(const OfferedFile& file, const fs::path& target, Progress& progress) {
    constexpr const char* kOther =
        "it is another file than the model's; remove it, or choose another folder";
    std::error_code error;
    const std::uintmax_t size = fs::file_size(target, error);
    if (error || size != file.size) throw Error(path_text(target), "is there already: {}", kOther);
    progress.advance(static_cast<double>(file.size));
    if (const auto found = find_other_sum(file, target, progress))
        refuse(target, file, *found, kOther);
}

/// Goes on with a part of the file that is there, unless the source sends all of it.
void receive(const OfferedFile& file, const FileSource& source, PartFile& part,
             Progress& progress) {
    progress.enter(file.name);
    progress.advance(static_cast<double>(part.size()));
    if (part.size() == file.size) return;
    source.read(
        file, part.size(),
        {[&](std::uint64_t first) {
             progress.advance(static_cast<double>(first) - static_cast<double>(part.size()));
             part.cut(first);
         },
         [&](std::string_view bytes) {
             if (bytes.size() > file.size - part.size())
                 throw Error(file.address, "sends more than the {} that it said; it is not kept",
                             bytes_text(file.size));
             part.append(bytes);
             progress.advance(static_cast<double>(bytes.size()));
         }});
    if (part.size() != file.size)
        throw Error(file.address, "ended after {} of {}; begun again, it goes on where it stopped",
                    part.size(), bytes_text(file.size));
}

void download_file(const OfferedFile& file, const FileSource& source, const fs::path& target,
                   Progress& progress) {
    if (is_there(target)) return check_present(file, target, progress);
    PartFile part(target);
    part.cut(bytes_to_keep(file, part.size()));
    receive(file, source, part, progress);
    if (const auto found = find_other_sum(file, part.path(), progress)) {
        part.remove();
        refuse(part.path(), file, *found,
               "it is damaged, or another file. It was removed; try again");
    }
    part.take_place();
}

/// Throws Error if the missing bytes have no room.
void check_room(const ModelDownload& download) {
    std::uintmax_t missing = 0;
    for (const OfferedFile& file : download.files) {
        const fs::path target = download.folder / file.name;
        if (!is_there(target)) missing += file.size - bytes_to_keep(file, size_of_part(target));
    }
    std::error_code error;
    const fs::space_info space = fs::space(download.folder, error);
    if (!error && space.available < missing)
        throw Error(path_text(download.folder),
                    "has {} left, but the download needs {}; make room, or choose another folder",
                    size_text(space.available), size_text(missing));
}

}  // namespace

double ModelDownload::size_bytes() const {
    double size = 0;
    for (const OfferedFile& file : files) size += static_cast<double>(file.size);
    return size;
}

ModelDownload ask_for_model(const KnownModel& model, const std::optional<std::string>& from,
                            const fs::path& folder, Progress& progress) {
    ModelDownload download{model, source_of(model, from, progress), folder};
    for (const std::string_view name : kModelFiles) {
        progress.enter("asking for " + std::string(name));
        OfferedFile file = download.source.ask(name);
        if (name == kWeightsFile)
            check_weights(model, file);
        else if (file.size > kLargestSmallFile)
            throw Error(file.address, "is {}, which is too large for {}; it is another file",
                        bytes_text(file.size), file.name);
        download.files.push_back(std::move(file));
    }
    return download;
}

std::string describe(const ModelDownload& download) {
    std::string text;
    for (const OfferedFile& file : download.files)
        text += fmt::format("{}\n    {}{}; {}\n", path_text(file.address), bytes_text(file.size),
                            state_text(file, download.folder / file.name), checksum_text(file));
    return text;
}

void download_model(const ModelDownload& download, Progress& progress) {
    constexpr double kTimesRead = 2;
    make_parent_folder(download.folder / "config.json");
    check_room(download);
    progress.begin(kTimesRead * download.size_bytes());
    for (const OfferedFile& file : download.files)
        download_file(file, download.source, download.folder / file.name, progress);
}

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
