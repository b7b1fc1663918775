// Zip archives for tests.
#pragma once

#include <string>
#include <utility>
#include <vector>
#include <zip.h>

namespace headlight {

/// A zip archive with these entries.
inline std::string zip_of(const std::vector<std::pair<std::string, std::string>>& entries,
                          zip_int32_t method = ZIP_CM_DEFLATE) {
    zip_source_t* source = zip_source_buffer_create(nullptr, 0, 0, nullptr);
    zip_source_keep(source);
    zip_t* archive = zip_open_from_source(source, ZIP_CREATE, nullptr);
    for (const auto& [name, bytes] : entries) {
        zip_source_t* entry = zip_source_buffer(archive, bytes.data(), bytes.size(), 0);
        const zip_int64_t index = zip_file_add(archive, name.c_str(), entry, 0);
        zip_set_file_compression(archive, static_cast<zip_uint64_t>(index), method, 0);
    }
    zip_close(archive);
    zip_stat_t status;
    zip_source_stat(source, &status);
    std::string bytes(status.size, '\0');
    zip_source_open(source);
    zip_source_read(source, bytes.data(), bytes.size());
    zip_source_close(source);
    zip_source_free(source);
    return bytes;
}

}  // namespace headlight
