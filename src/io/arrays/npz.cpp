#include "io/arrays/npz.h"

#include <algorithm>
#include <memory>
#include <set>
#include <zip.h>

#include "core/error.h"
#include "io/arrays/npy.h"
#include "io/files/limits.h"
#include "io/files/zip_archive.h"
#include "io/recognise.h"
#include "text/printable.h"

namespace headlight {
namespace {

constexpr std::string_view kEntrySuffix = ".npy";

struct DiscardZip {
    void operator()(zip_t* zip) const { zip_discard(zip); }
    void operator()(zip_source_t* source) const { zip_source_free(source); }
};
using Archive = std::unique_ptr<zip_t, DiscardZip>;
using Source = std::unique_ptr<zip_source_t, DiscardZip>;

void add_entry(zip_t* archive, const std::string& name, const std::string& bytes) {
    ZipError error;
    Source source(zip_source_buffer_create(bytes.data(), bytes.size(), 0, error.get()));
    if (!source) throw Error("npz", error.text());
    const std::string entry = name + std::string(kEntrySuffix);
    const zip_int64_t index = zip_file_add(archive, entry.c_str(), source.get(), ZIP_FL_ENC_UTF_8);
    if (index < 0)
        throw Error("npz", in_quotes(name) + " cannot be added: " + zip_strerror(archive));
    source.release();
    // The time of writing would make every file differ: 1980-01-01, the first that zip knows.
    constexpr zip_uint16_t kFirstDate = 1 << 5 | 1;
    const auto at = static_cast<zip_uint64_t>(index);
    zip_file_set_dostime(archive, at, 0, kFirstDate, 0);
    zip_set_file_compression(archive, at, ZIP_CM_STORE, 0);
}

std::string source_bytes(zip_source_t* source) {
    zip_stat_t status;
    zip_stat_init(&status);
    if (zip_source_stat(source, &status) != 0 || zip_source_open(source) != 0)
        throw Error("npz", zip_error_strerror(zip_source_error(source)));
    std::string bytes(status.size, '\0');
    const zip_int64_t count = zip_source_read(source, bytes.data(), bytes.size());
    zip_source_close(source);
    if (count < 0 || static_cast<std::size_t>(count) != bytes.size())
        throw Error("npz", "the archive cannot be read back from memory");
    return bytes;
}

/// "W.npy" → "W"
std::string label(const std::string& entry, const std::string& source) {
    if (entry.ends_with("data.pkl")) throw Error(source, "is " + std::string(kPickle));
    if (!entry.ends_with(kEntrySuffix) || entry == kEntrySuffix)
        throw Error(source,
                    "holds " + in_quotes(entry) + ", but an NPZ archive holds NPY files only");
    return entry.substr(0, entry.size() - kEntrySuffix.size());
}

/// By what the archive declares, before anything is unpacked.
void check_sizes(const ZipArchive& archive, const std::string& source) {
    const std::uint64_t most = limits().unpacked_bytes;
    std::uint64_t total = 0;
    for (const ZipEntry& entry : archive.entries()) {
        if (!entry.is_compressed) continue;
        total = entry.size > most ? entry.size : total + entry.size;
        if (total > most)
            throw Error(source + ": " + printable(entry.name), "the archive unpacks to more than " +
                                                                   std::to_string(most) +
                                                                   " bytes; " + kRaiseLimit);
    }
}

/// What is damaged need not look like NPY: then the damage is told. Of an entry that is read in
/// place and too large to be read through, that it is no NPY.
StoredArray find_array(const ZipArchive& archive, const ZipEntry& entry) {
    try {
        return find_npy_array(archive.entry_bytes(entry.index));
    } catch (const Error&) {
        if (entry.size <= limits().unpacked_bytes) archive.check(entry.index);
        throw;
    }
}

/// Nothing may be thrown through libzip, which gives up if it is told to.
int is_cancelled(zip_t*, void* steps) {
    try {
        static_cast<const Steps*>(steps)->advance(0);
    } catch (const Cancelled&) {
        return 1;
    }
    return 0;
}

}  // namespace

std::string write_npz(const NamedMatrices& matrices, const Steps& steps) {
    if (matrices.empty()) throw Error("npz", "there is no matrix to write");
    std::vector<std::string> entries;  // until the archive is closed
    for (const auto& [name, matrix] : matrices)
        entries.push_back(
            write_npy(matrix, steps.part(0.5 / static_cast<double>(matrices.size()))));

    ZipError error;
    Source memory(zip_source_buffer_create(nullptr, 0, 0, error.get()));
    if (!memory) throw Error("npz", error.text());
    zip_source_keep(memory.get());  // one for the archive, one to read the result from
    const Source result(memory.get());
    Archive archive(zip_open_from_source(memory.get(), ZIP_CREATE | ZIP_TRUNCATE, error.get()));
    if (!archive) throw Error("npz", error.text());
    memory.release();  // the archive owns it
    for (std::size_t i = 0; i < matrices.size(); ++i)
        add_entry(archive.get(), matrices[i].first, entries[i]);
    zip_register_cancel_callback_with_state(archive.get(), is_cancelled, nullptr,
                                            const_cast<Steps*>(&steps));
    const bool is_closed = zip_close(archive.get()) == 0;
    steps.advance(0.5);
    if (!is_closed) throw Error("npz", zip_strerror(archive.get()));
    archive.release();
    return source_bytes(result.get());
}

NpzArrays find_npz_arrays(const ByteSource& bytes) {
    const std::string begin = bytes.bytes(0, std::min<std::uint64_t>(bytes.size, kRecognisedBytes));
    if (begin.empty()) throw Error(bytes.name, "is empty");
    if (!begin.starts_with("PK"))
        throw Error(bytes.name, "is not a zip archive, as NPZ files are" + recognised_as(begin));
    const ZipArchive archive(bytes);
    check_sizes(archive, bytes.name);
    NpzArrays found;
    std::set<std::string> names;
    for (const ZipEntry& entry : archive.entries()) {
        const std::string name = label(entry.name, bytes.name);
        if (!names.insert(name).second)
            throw Error(bytes.name, "holds two entries named " + in_quotes(name));
        found.arrays.emplace_back(find_array(archive, entry)).name = name;
        if (entry.is_compressed) found.compressed_bytes += entry.size;
    }
    return found;
}

NamedMatrices read_npz(std::string_view bytes, const std::string& source) {
    NamedMatrices matrices;
    for (const StoredArray& array : find_npz_arrays(bytes_in_memory(bytes, source)).arrays)
        matrices.emplace_back(array.name, read_plain_matrix(array));
    return matrices;
}

}  // namespace headlight
