#include "io/files/zip_archive.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

#include "core/error.h"
#include "io/files/limits.h"
#include "io/files/zip_end.h"
#include "text/printable.h"

namespace headlight {
namespace {

/// What is read of a compressed entry without unpacking all of it: the header of an NPY file.
constexpr std::uint64_t kBeginBytes = kMaxNpyHeaderBytes + 12;

constexpr const char* kGetAgain = "copy it, download it or save it again";

struct CloseZip {
    void operator()(zip_t* zip) const { zip_discard(zip); }
    void operator()(zip_source_t* source) const { zip_source_free(source); }
    void operator()(zip_file_t* file) const { zip_fclose(file); }
};

/// An entry while it is read from its beginning on.
struct EntryReader {
    std::uint64_t index = 0;
    std::unique_ptr<zip_file_t, CloseZip> file;
    std::uint64_t position = 0;  // what has come so far
};

/// Gives the library the bytes of a ByteSource.
struct Feed {
    ByteSource bytes;
    std::uint64_t position = 0;
    std::exception_ptr failure;  // an Error cannot pass through the library

    zip_int64_t read(void* data, zip_uint64_t size) {
        const std::uint64_t count = std::min<std::uint64_t>(size, bytes.size - position);
        try {
            if (count > 0) bytes.read(position, {static_cast<char*>(data), count});
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

}  // namespace

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
            throw Error(name(), "is not a sound zip archive: " + error.text() +
                                    "; the file is incomplete or damaged");
        }
        source.release();  // the archive owns it
        check_zip_end(bytes);
        list_entries();
    }

    const std::vector<ZipEntry>& entries() const { return entries_; }

    std::string where(std::uint64_t index) const {
        return name() + ": " + printable(entries_[index].name);
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

    void list_entries() {
        const zip_int64_t count = zip_get_num_entries(archive_.get(), 0);
        if (count > static_cast<zip_int64_t>(kMaxEntries))
            throw Error(name(), "holds " + std::to_string(count) + " entries; at most " +
                                    std::to_string(kMaxEntries) + " are read");
        for (zip_int64_t i = 0; i < count; ++i) list_entry(static_cast<std::uint64_t>(i));
    }

    void list_entry(std::uint64_t index) {
        zip_stat_t status;
        zip_stat_init(&status);
        if (zip_stat_index(archive_.get(), index, 0, &status) != 0)
            throw Error(name(),
                        std::string("an entry is damaged: ") + zip_strerror(archive_.get()));
        entries_.push_back({index, status.name, status.size, status.comp_method != ZIP_CM_STORE});
        if (status.encryption_method != ZIP_EM_NONE) fail(index, "is encrypted");
        if (status.comp_method != ZIP_CM_STORE && status.comp_method != ZIP_CM_DEFLATE)
            fail(index, "is compressed with method " + std::to_string(status.comp_method) +
                            "; stored and deflated entries are read");
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
        fail(reader.index, "is damaged after byte " + std::to_string(reader.position) + " of " +
                               std::to_string(size) + ": " + zip_error_strerror(error) + "; " +
                               kGetAgain);
    }

    [[noreturn]] void fail_cut_off(const EntryReader& reader) {
        fail(reader.index, "is cut off after byte " + std::to_string(reader.position) + " of " +
                               std::to_string(entries_[reader.index].size) + "; " + kGetAgain);
    }

    [[noreturn]] void fail_longer(const EntryReader& reader) {
        fail(reader.index, "unpacks to more than the " +
                               std::to_string(entries_[reader.index].size) +
                               " bytes that the archive says; it is damaged: " + kGetAgain);
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

}  // namespace headlight
