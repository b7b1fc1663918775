#include "io/arrays/npz.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <fmt/format.h>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>
#include <zip.h>

#include "core/error.h"
#include "io/arrays/npy.h"
#include "io/arrays/stored_array.h"
#include "io/files/limits.h"
#include "io/files/open_file.h"
#include "io/recognise.h"
#include "text/strings.h"

namespace headlight {
namespace {

// ZipArchive: a zip file whose entries are read in place, through libzip.
//
// Goals: central directory and local headers must agree before anything is read; nothing is ever
// unpacked beyond the declared size. Not goals: writing, encryption, other methods than deflate.

/// The library's error, freed.
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

struct ZipEntry {
    std::uint64_t index = 0;
    std::string name;
    std::uint64_t size = 0;  // as declared, when unpacked
    bool is_compressed = false;
};

class ZipArchive {
  public:
    /// Throws Error, naming the source, if the archive contradicts itself, has too many entries, or
    /// has an entry that is encrypted or of an unknown method.
    explicit ZipArchive(const ByteSource& bytes);

    const std::vector<ZipEntry>& entries() const;

    /// The bytes of an entry, which outlive this object. Without compression they are read in
    /// place; else all are unpacked when more than the first few are wanted, and kept. The checksum
    /// is compared where an entry is read from its beginning to its end. Reading throws Error if it
    /// is wrong, or if less or more comes out than was declared.
    ByteSource entry_bytes(std::uint64_t index) const;

    /// Reads all of an entry; throws Error if it is cut off or damaged.
    void check(std::uint64_t index) const;

  private:
    class Opened;
    std::shared_ptr<Opened> opened_;
};

using namespace std::string_view_literals;

constexpr std::uint64_t kEndBytes = 22, kMaxCommentBytes = 0xFFFF;
constexpr std::uint64_t kLargeEndBytes = 56, kLocatorBytes = 20;

/// Returns the end of the directory whose size and offset a record gives.
template <typename Number>
std::uint64_t directory_end(std::string_view size_and_offset) {
    return std::uint64_t{load_little_endian<Number>(size_and_offset)} +
           load_little_endian<Number>(size_and_offset.substr(sizeof(Number)));
}

/// True if a locator before `end` leads to the record of a large archive, and the archive's
/// directory ends right where that record begins.    [APPNOTE 4.3.14 f.]
bool is_behind_large_directory(const ByteSource& bytes, std::uint64_t end) {
    if (end < kLocatorBytes + kLargeEndBytes) return false;
    const std::string locator = bytes.bytes(end - kLocatorBytes, kLocatorBytes);
    const auto at = load_little_endian<std::uint64_t>(std::string_view(locator).substr(8));
    if (!locator.starts_with("PK\x06\x07"sv) || at > end - kLocatorBytes - kLargeEndBytes)
        return false;
    const std::string record = bytes.bytes(at, kLargeEndBytes);
    return record.starts_with("PK\x06\x06"sv) &&
           directory_end<std::uint64_t>(std::string_view(record).substr(40)) == at;
}

/// True if the record that starts at `at` is the last of the file, and follows its directory.
bool is_end(const ByteSource& bytes, std::uint64_t at, std::string_view record) {
    if (record.size() < kEndBytes) return false;
    const std::size_t comment = load_little_endian<std::uint16_t>(record.substr(20));
    return record.size() == kEndBytes + comment &&
           (directory_end<std::uint32_t>(record.substr(12)) == at ||
            is_behind_large_directory(bytes, at));
}

/// Throws Error, naming the source, unless exactly one record can be the end of the archive: it
/// must follow right after the directory. With none or two, another program would find other
/// entries in the file.
void check_zip_end(const ByteSource& bytes) {
    const std::uint64_t size = std::min(bytes.size, kEndBytes + kMaxCommentBytes);
    const std::string tail = bytes.bytes(bytes.size - size, size);
    constexpr std::string_view kMark = "PK\x05\x06";
    int n_ends = 0;
    for (std::size_t at = tail.find(kMark); at != std::string::npos; at = tail.find(kMark, at + 1))
        n_ends += is_end(bytes, bytes.size - size + at, std::string_view(tail).substr(at)) ? 1 : 0;
    if (n_ends == 0)
        throw Error(bytes.name,
                    "does not end after its directory; it is damaged, or two archives in one file");
    if (n_ends > 1)
        throw Error(bytes.name, "ends twice, and either end could be its own; save it again");
}

/// The number of bytes at the start of a compressed entry that are read without unpacking all of
/// it: the header of an NPY file is within them.
constexpr std::uint64_t kBeginBytes = kMaxNpyHeaderBytes + 12;

constexpr const char* kGetAgain = "copy it, download it or save it again";

struct CloseZip {
    void operator()(zip_t* zip) const { zip_discard(zip); }
    void operator()(zip_source_t* source) const { zip_source_free(source); }
    void operator()(zip_file_t* file) const { zip_fclose(file); }
};

/// An entry that is being read from its beginning.
struct EntryReader {
    std::uint64_t index = 0;
    std::unique_ptr<zip_file_t, CloseZip> file;
    std::uint64_t position = 0;  // the number of bytes so far
};

/// Gives the library the bytes of a ByteSource.
struct Feed {
    ByteSource bytes;
    std::uint64_t position = 0;
    std::exception_ptr failure;  // keeps an Error, which cannot pass through the library

    zip_int64_t read(void* data, zip_uint64_t size) {
        const std::uint64_t count = std::min<std::uint64_t>(size, bytes.size - position);
        try {
            if (count > 0)
                bytes.read(position, {static_cast<char*>(data), static_cast<std::size_t>(count)});
        } catch (...) {
            failure = std::current_exception();
            return -1;
        }
        position += count;
        return static_cast<zip_int64_t>(count);
    }

    zip_int64_t seek(void* data, zip_uint64_t size) {
        zip_error_t error;
        const zip_int64_t offset =
            zip_source_seek_compute_offset(position, bytes.size, data, size, &error);
        if (offset < 0 || static_cast<std::uint64_t>(offset) > bytes.size) return -1;
        position = static_cast<std::uint64_t>(offset);
        return 0;
    }

    zip_int64_t describe(void* data) const {
        zip_stat_t status;
        zip_stat_init(&status);
        status.valid = ZIP_STAT_SIZE;
        status.size = bytes.size;
        std::memcpy(data, &status, sizeof status);
        return sizeof status;
    }

    static zip_int64_t tell_failure(void* data) {
        const int codes[] = {ZIP_ER_READ, 0};
        std::memcpy(data, codes, sizeof codes);
        return sizeof codes;
    }

    static zip_int64_t answer(void* feed, void* data, zip_uint64_t size, zip_source_cmd_t command) {
        Feed& self = *static_cast<Feed*>(feed);
        switch (command) {
            case ZIP_SOURCE_SUPPORTS:
                return zip_source_make_command_bitmap(
                    ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT,
                    ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, -1);
            case ZIP_SOURCE_OPEN:
                self.position = 0;
                return 0;
            case ZIP_SOURCE_READ:
                return self.read(data, size);
            case ZIP_SOURCE_SEEK:
                return self.seek(data, size);
            case ZIP_SOURCE_TELL:
                return static_cast<zip_int64_t>(self.position);
            case ZIP_SOURCE_STAT:
                return self.describe(data);
            case ZIP_SOURCE_ERROR:
                return tell_failure(data);
            case ZIP_SOURCE_CLOSE:
            case ZIP_SOURCE_FREE:
                return 0;
            default:
                return -1;
        }
    }
};

/// The library's archive. It is not made for several threads: one reads at a time.
class ZipArchive::Opened {
  public:
    explicit Opened(const ByteSource& bytes) : feed_{bytes, 0, nullptr} {
        ZipError error;
        std::unique_ptr<zip_source_t, CloseZip> source(
            zip_source_function_create(Feed::answer, &feed_, error.get()));
        if (!source) throw Error(name(), error.text());
        archive_.reset(zip_open_from_source(source.get(), ZIP_RDONLY | ZIP_CHECKCONS, error.get()));
        if (!archive_) {
            rethrow();
            throw Error(name(), "is not a sound zip archive: {}; the file is incomplete or damaged",
                        error.text());
        }
        source.release();  // the archive owns it
        check_zip_end(bytes);
        const zip_int64_t count = zip_get_num_entries(archive_.get(), 0);
        if (count > static_cast<zip_int64_t>(kMaxEntries))
            throw Error(name(), "holds {} entries; at most {} are read", count, kMaxEntries);
        for (zip_int64_t i = 0; i < count; ++i) list_entry(static_cast<std::uint64_t>(i));
    }

    const std::vector<ZipEntry>& entries() const { return entries_; }

    std::string where(std::uint64_t index) const {
        return fmt::format("{}: {}", name(), printable(entries_[index].name));
    }

    void read(std::uint64_t index, std::uint64_t begin, std::span<char> into) {
        const std::lock_guard lock(mutex_);
        const ZipEntry& entry = entries_[index];
        const std::uint64_t end = begin + into.size();
        const bool is_begin = entry.is_compressed && end <= kBeginBytes;
        if (is_begin || (begin <= kBeginBytes && end == entry.size))
            return read_through(index, begin, into);
        if (entry.is_compressed) {
            const std::string& bytes = unpacked(index);
            std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(begin), into.size(),
                        into.begin());
            return;
        }
        EntryReader reader = open(index);
        if (zip_fseek(reader.file.get(), static_cast<zip_int64_t>(begin), SEEK_SET) != 0)
            fail(index, "cannot be read in place");
        reader.position = begin;
        if (take(reader, into) != into.size()) fail_cut_off(reader);
    }

    void check(std::uint64_t index) {
        const std::lock_guard lock(mutex_);
        EntryReader reader = open(index);
        std::string piece(std::size_t{1} << 16, '\0');
        const std::uint64_t size = entries_[index].size;
        while (reader.position <= size && take(reader, piece) == piece.size()) continue;
        check_end(reader);
    }

  private:
    const std::string& name() const { return feed_.bytes.name; }

    void rethrow() {
        if (feed_.failure) std::rethrow_exception(std::exchange(feed_.failure, nullptr));
    }

    [[noreturn]] void fail(std::uint64_t index, const std::string& what) {
        rethrow();
        throw Error(where(index), what);
    }

    void list_entry(std::uint64_t index) {
        zip_stat_t status;
        zip_stat_init(&status);
        if (zip_stat_index(archive_.get(), index, 0, &status) != 0)
            throw Error(name(), "an entry is damaged: {}", zip_strerror(archive_.get()));
        entries_.push_back({index, status.name, status.size, status.comp_method != ZIP_CM_STORE});
        if (status.encryption_method != ZIP_EM_NONE) fail(index, "is encrypted");
        if (status.comp_method != ZIP_CM_STORE && status.comp_method != ZIP_CM_DEFLATE)
            fail(index,
                 fmt::format("is compressed with method {}; stored and deflated entries are read",
                             status.comp_method));
        if (status.comp_method == ZIP_CM_STORE && status.comp_size != status.size)
            fail(index, "has two different sizes; it is damaged");
    }

    EntryReader open(std::uint64_t index) {
        EntryReader reader{index, {}};
        reader.file.reset(zip_fopen_index(archive_.get(), index, 0));
        if (!reader.file)
            fail(index, std::string("cannot be unpacked: ") + zip_strerror(archive_.get()));
        return reader;
    }

    /// Fills `into` as far as the entry goes; returns how many bytes came.
    std::size_t take(EntryReader& reader, std::span<char> into) {
        std::size_t done = 0;
        while (done < into.size()) {
            const zip_int64_t count =
                zip_fread(reader.file.get(), into.data() + done, into.size() - done);
            if (count < 0) fail_damaged(reader);
            if (count == 0) break;
            done += static_cast<std::size_t>(count);
            reader.position += static_cast<std::uint64_t>(count);
        }
        return done;
    }

    /// The library finds an early end by the checksum.
    [[noreturn]] void fail_damaged(const EntryReader& reader) {
        zip_error_t* error = zip_file_get_error(reader.file.get());
        const int code = zip_error_code_zip(error);
        const bool is_at_end = code == ZIP_ER_CRC || code == ZIP_ER_INCONS;
        const std::uint64_t size = entries_[reader.index].size;
        if (is_at_end && reader.position < size) fail_cut_off(reader);
        if (code == ZIP_ER_CRC)
            fail(reader.index, "does not have the checksum that the archive says; it is damaged: " +
                                   std::string(kGetAgain));
        if (code == ZIP_ER_INCONS) fail_longer(reader);
        fail(reader.index, fmt::format("is damaged after byte {} of {}: {}; {}", reader.position,
                                       size, zip_error_strerror(error), kGetAgain));
    }

    [[noreturn]] void fail_cut_off(const EntryReader& reader) {
        fail(reader.index, fmt::format("is cut off after byte {} of {}; {}", reader.position,
                                       entries_[reader.index].size, kGetAgain));
    }

    [[noreturn]] void fail_longer(const EntryReader& reader) {
        fail(reader.index,
             fmt::format(
                 "unpacks to more than the {} bytes that the archive says; it is damaged: {}",
                 entries_[reader.index].size, kGetAgain));
    }

    /// Nothing may be left of the entry, nor be missing. Here the checksum is compared: the library
    /// does so when it is asked for one byte more.
    void check_end(EntryReader& reader) {
        const std::uint64_t size = entries_[reader.index].size;
        char more = 0;
        if (reader.position > size || take(reader, {&more, 1}) != 0) fail_longer(reader);
        if (reader.position < size) fail_cut_off(reader);
    }

    void read_through(std::uint64_t index, std::uint64_t begin, std::span<char> into) {
        EntryReader reader = open(index);
        std::string before(begin, '\0');
        if (take(reader, before) != begin || take(reader, into) != into.size())
            fail_cut_off(reader);
        if (reader.position == entries_[index].size) check_end(reader);
    }

    const std::string& unpacked(std::uint64_t index) {
        if (unpacked_.empty()) unpacked_.resize(entries_.size());
        std::optional<std::string>& kept = unpacked_[index];
        if (kept) return *kept;
        std::string bytes(entries_[index].size, '\0');
        read_through(index, 0, bytes);
        return kept.emplace(std::move(bytes));
    }

    Feed feed_;
    std::unique_ptr<zip_t, CloseZip> archive_;
    std::vector<ZipEntry> entries_;
    std::vector<std::optional<std::string>> unpacked_;  // compressed entries that were read
    std::mutex mutex_;
};

ZipArchive::ZipArchive(const ByteSource& bytes) : opened_(std::make_shared<Opened>(bytes)) {}

const std::vector<ZipEntry>& ZipArchive::entries() const {
    return opened_->entries();
}

void ZipArchive::check(std::uint64_t index) const {
    opened_->check(index);
}

ByteSource ZipArchive::entry_bytes(std::uint64_t index) const {
    return {opened_->where(index), entries()[index].size,
            [opened = opened_, index](std::uint64_t begin, std::span<char> into) {
                opened->read(index, begin, into);
            }};
}

constexpr std::string_view kEntrySuffix = ".npy";

using Archive = std::unique_ptr<zip_t, CloseZip>;
using Source = std::unique_ptr<zip_source_t, CloseZip>;

void add_entry(zip_t* archive, const std::string& name, const std::string& bytes) {
    ZipError error;
    Source source(zip_source_buffer_create(bytes.data(), bytes.size(), 0, error.get()));
    if (!source) throw Error("npz", error.text());
    const std::string entry = name + std::string(kEntrySuffix);
    const zip_int64_t index = zip_file_add(archive, entry.c_str(), source.get(), ZIP_FL_ENC_UTF_8);
    if (index < 0)
        throw Error("npz", "{} cannot be added: {}", in_quotes(name), zip_strerror(archive));
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
    if (entry.ends_with("data.pkl")) throw Error(source, "is {}", kTorchPickle);
    if (!entry.ends_with(kEntrySuffix) || entry == kEntrySuffix)
        throw Error(source, "holds {}, but an NPZ archive holds NPY files only", in_quotes(entry));
    return entry.substr(0, entry.size() - kEntrySuffix.size());
}

/// Checks the sizes that the archive declares, before anything is unpacked.
void check_sizes(const ZipArchive& archive, const std::string& source) {
    const std::uint64_t most = limits().unpacked_bytes;
    std::uint64_t total = 0;
    for (const ZipEntry& entry : archive.entries()) {
        if (!entry.is_compressed) continue;
        total = entry.size > most ? entry.size : total + entry.size;
        if (total > most)
            throw Error(fmt::format("{}: {}", source, printable(entry.name)),
                        "the archive unpacks to more than {} bytes; {}", most, kRaiseLimit);
    }
}

/// Finds the array of an entry. A damaged entry need not look like NPY, so the damage is reported
/// first; only an entry that is too large to be read through is reported as no NPY.
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
        throw Error(bytes.name, "is not a zip archive, as NPZ files are{}", recognised_as(begin));
    const ZipArchive archive(bytes);
    check_sizes(archive, bytes.name);
    NpzArrays found;
    std::set<std::string> names;
    for (const ZipEntry& entry : archive.entries()) {
        const std::string name = label(entry.name, bytes.name);
        if (!names.insert(name).second)
            throw Error(bytes.name, "holds two entries named {}", in_quotes(name));
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
