#include "io/npz.h"

#include <memory>
#include <set>
#include <zip.h>

#include "core/error.h"
#include "io/npy.h"
#include "io/printable.h"
#include "io/recognise.h"

namespace headlight {
namespace {

constexpr std::string_view kEntrySuffix = ".npy";
constexpr zip_int64_t kMaxEntries = 10'000;
constexpr std::uint64_t kMaxUnpackedBytes = std::uint64_t{2} << 30;

struct CloseZip {
    void operator()(zip_t* zip) const { zip_discard(zip); }
    void operator()(zip_source_t* source) const { zip_source_free(source); }
    void operator()(zip_file_t* file) const { zip_fclose(file); }
};
using Archive = std::unique_ptr<zip_t, CloseZip>;
using Source = std::unique_ptr<zip_source_t, CloseZip>;
using EntryFile = std::unique_ptr<zip_file_t, CloseZip>;

class ZipError {
  public:
    ZipError() { zip_error_init(&error_); }
    ~ZipError() { zip_error_fini(&error_); }
    ZipError(const ZipError&) = delete;
    ZipError& operator=(const ZipError&) = delete;

    zip_error_t* get() { return &error_; }
    std::string text() { return zip_error_strerror(&error_); }

  private:
    zip_error_t error_;
};

Source memory_source(const void* data, std::size_t size_bytes) {
    ZipError error;
    Source source(zip_source_buffer_create(data, size_bytes, 0, error.get()));
    if (!source) throw Error("npz", error.text());
    return source;
}

/// On success the archive owns the source.
Archive open_archive(Source& source, int flags, const std::string& name) {
    ZipError error;
    Archive archive(zip_open_from_source(source.get(), flags, error.get()));
    if (!archive)
        throw Error(name, "is not a sound zip archive: " + error.text() +
                              "; the file is incomplete or damaged");
    source.release();
    return archive;
}

/// One archive that is read.
class NpzReader {
  public:
    NpzReader(std::string_view bytes, const std::string& source) : source_(source) {
        Source memory = memory_source(bytes.data(), bytes.size());
        archive_ = open_archive(memory, ZIP_RDONLY | ZIP_CHECKCONS, source);
    }

    NamedMatrices read() {
        const zip_int64_t n_entries = zip_get_num_entries(archive_.get(), 0);
        if (n_entries > kMaxEntries)
            throw Error(source_, "holds " + std::to_string(n_entries) + " entries; at most " +
                                     std::to_string(kMaxEntries) + " are read");
        NamedMatrices matrices;
        for (zip_int64_t i = 0; i < n_entries; ++i)
            matrices.push_back(read_entry(static_cast<zip_uint64_t>(i)));
        return matrices;
    }

  private:
    NamedMatrices::value_type read_entry(zip_uint64_t index) {
        zip_stat_t status;
        zip_stat_init(&status);
        if (zip_stat_index(archive_.get(), index, 0, &status) != 0)
            throw Error(source_,
                        std::string("an entry is damaged: ") + zip_strerror(archive_.get()));
        const std::string name = label(status.name);
        const std::string where = source_ + ": " + printable(status.name);
        return {name, read_npy(unpack(index, status.size, where), where)};
    }

    /// "W.npy" → "W"
    std::string label(const std::string& entry) {
        if (entry.find("data.pkl") != std::string::npos)
            throw Error(source_,
                        "is a PyTorch pickle, which can run code; save safetensors or NPZ instead");
        if (!entry.ends_with(kEntrySuffix) || entry == kEntrySuffix)
            throw Error(source_,
                        "holds " + in_quotes(entry) + ", but an NPZ archive holds NPY files only");
        std::string name = entry.substr(0, entry.size() - kEntrySuffix.size());
        if (!names_.insert(name).second)
            throw Error(source_, "holds two entries named " + in_quotes(name));
        return name;
    }

    /// Takes what is produced, never more than the archive declared.
    std::string unpack(zip_uint64_t index, std::uint64_t declared, const std::string& where) {
        total_bytes_ += declared;
        if (declared > kMaxUnpackedBytes || total_bytes_ > kMaxUnpackedBytes)
            throw Error(where, "unpacks to more than " + std::to_string(kMaxUnpackedBytes) +
                                   " bytes in all");
        const EntryFile file(zip_fopen_index(archive_.get(), index, 0));
        if (!file)
            throw Error(where, std::string("cannot be unpacked: ") + zip_strerror(archive_.get()));
        std::string bytes, piece(1 << 20, '\0');
        while (true) {
            const zip_int64_t count = zip_fread(file.get(), piece.data(), piece.size());
            if (count < 0)
                throw Error(where, std::string("is damaged: ") + zip_file_strerror(file.get()));
            if (count == 0) break;
            bytes.append(piece, 0, static_cast<std::size_t>(count));
            if (bytes.size() > declared) break;
        }
        if (bytes.size() != declared)
            throw Error(where, "unpacks to another size than the archive says; it is damaged");
        return bytes;
    }

    const std::string& source_;
    Archive archive_;
    std::set<std::string> names_;
    std::uint64_t total_bytes_ = 0;
};

void add_entry(zip_t* archive, const std::string& name, const std::string& bytes) {
    Source source = memory_source(bytes.data(), bytes.size());
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

}  // namespace

std::string write_npz(const NamedMatrices& matrices) {
    if (matrices.empty()) throw Error("npz", "there is no matrix to write");
    std::vector<std::string> entries;  // until the archive is closed
    for (const auto& [name, matrix] : matrices) entries.push_back(write_npy(matrix));

    Source memory = memory_source(nullptr, 0);
    zip_source_keep(memory.get());  // one for the archive, one to read the result from
    const Source result(memory.get());
    Archive archive = open_archive(memory, ZIP_CREATE | ZIP_TRUNCATE, "npz");
    for (std::size_t i = 0; i < matrices.size(); ++i)
        add_entry(archive.get(), matrices[i].first, entries[i]);
    if (zip_close(archive.get()) != 0) throw Error("npz", zip_strerror(archive.get()));
    archive.release();
    return source_bytes(result.get());
}

NamedMatrices read_npz(std::string_view bytes, const std::string& source) {
    if (bytes.empty()) throw Error(source, "is empty");
    if (!bytes.starts_with("PK"))
        throw Error(source, "is not a zip archive, as NPZ files are" + recognised_as(bytes));
    return NpzReader(bytes, source).read();
}

}  // namespace headlight
