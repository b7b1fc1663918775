#include "download/file_source.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>

#include "core/error.h"
#include "download/http.h"
#include "download/known_models.h"
#include "io/files/file.h"
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

/// Returns a name as huggingface_hub keeps models: "models--openai-community--gpt2".
std::string cache_name(const KnownModel& model) {
    return replaced_all("models/" + model.repository, "/", "--");
}

fs::path folder_of(const KnownModel& model, const fs::path& from) {
    const std::array<fs::path, 4> places = {from / model.repository, from / model.name,
                                            from / cache_name(model) / "snapshots" / model.revision,
                                            from};
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

}  // namespace headlight
