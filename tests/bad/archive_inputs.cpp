// NPZ: valid and inconsistent zip archives.
#include <optional>

#include "bad/bad_inputs.h"
#include "bad/packing.h"
#include "io/arrays/npy.h"
#include "io/recognise.h"

namespace headlight::bad {
namespace {

using namespace std::string_literals;

/// One entry. Fields that are not set follow from the data.
struct Entry {
    std::string name = "W.npy";
    std::string data;  // as it is stored
    int method = 0;    // 0 stored, 8 deflated
    int flags = 0;     // bits
    std::optional<std::uint32_t> crc = {};
    std::optional<std::uint32_t> size = {};  // unpacked
};

constexpr int kEncrypted = 1, kHasDescriptor = 8;

/// Checksum and sizes.
std::string sizes(const Entry& entry) {
    const auto stored = static_cast<std::uint32_t>(entry.data.size());
    return little_endian(entry.crc.value_or(crc_32(entry.data)), 4) + little_endian(stored, 4) +
           little_endian(entry.size.value_or(stored), 4);
}

/// The fields that the local header and the directory share.
std::string fields(const Entry& entry, const std::string& sizes) {
    return little_endian(20, 2) + little_endian(static_cast<std::uint64_t>(entry.flags), 2) +
           little_endian(static_cast<std::uint64_t>(entry.method), 2) + "\0\0\x21\0"s + sizes +
           little_endian(entry.name.size(), 2) + little_endian(0, 2);
}

/// The entry as stored. With a descriptor, the sizes follow the data.
std::string stored(const Entry& entry) {
    const bool has_descriptor = (entry.flags & kHasDescriptor) != 0;
    return "PK\x03\x04" + fields(entry, has_descriptor ? std::string(12, '\0') : sizes(entry)) +
           entry.name + entry.data + (has_descriptor ? "PK\x07\x08" + sizes(entry) : "");
}

std::string in_directory(const Entry& entry, std::size_t at) {
    return "PK\x01\x02" + little_endian(20, 2) + fields(entry, sizes(entry)) +
           std::string(10, '\0') + little_endian(at, 4) + entry.name;
}

/// False statements for the end of the archive.
struct End {
    std::optional<std::uint64_t> n_entries = {}, directory_at = {};
    std::string comment = {};
};

std::string zip_of(const std::string& bytes, const std::string& directory, std::size_t n_entries,
                   const End& end = {}) {
    const std::uint64_t n = end.n_entries.value_or(n_entries);
    const std::uint64_t at = end.directory_at.value_or(bytes.size());
    return bytes + directory + "PK\x05\x06" + std::string(4, '\0') + little_endian(n, 2) +
           little_endian(n, 2) + little_endian(directory.size(), 4) + little_endian(at, 4) +
           little_endian(end.comment.size(), 2) + end.comment;
}

/// The end of an archive without entries.
std::string own_end(std::size_t at) {
    return "PK\x05\x06" + std::string(12, '\0') + little_endian(at, 4) + std::string(2, '\0');
}

/// An archive with the record for 64-bit sizes; `lie` is added to the stated offset of it.
std::string zip_large(const Entry& entry, std::uint64_t lie) {
    const std::string bytes = stored(entry), directory = in_directory(entry, 0);
    const std::size_t end = bytes.size() + directory.size();
    return bytes + directory + "PK\x06\x06" + little_endian(44, 8) + little_endian(45, 2) +
           little_endian(45, 2) + std::string(8, '\0') + little_endian(1, 8) + little_endian(1, 8) +
           little_endian(directory.size(), 8) + little_endian(bytes.size(), 8) + "PK\x06\x07" +
           std::string(4, '\0') + little_endian(end + lie, 8) + little_endian(1, 4) + "PK\x05\x06" +
           std::string(4, '\0') + little_endian(1, 2) + little_endian(1, 2) +
           std::string(8, '\xFF') + std::string(2, '\0');
}

std::string zip(const std::vector<Entry>& entries, const End& end = {}) {
    std::string bytes, directory;
    for (const Entry& entry : entries) {
        directory += in_directory(entry, bytes.size());
        bytes += stored(entry);
    }
    return zip_of(bytes, directory, entries.size(), end);
}

/// An archive with many names for one entry.
std::string zip_of_one_body(Entry entry, int n_names) {
    const std::string bytes = stored(entry);
    std::string directory;
    for (int k = 0; k < n_names; ++k) {
        entry.name[0] = static_cast<char>('A' + k);
        directory += in_directory(entry, 0);
    }
    return zip_of(bytes, directory, static_cast<std::size_t>(n_names));
}

Entry deflated(const std::string& data) {
    return {.data = raw_deflated(data),
            .method = 8,
            .crc = crc_32(data),
            .size = static_cast<std::uint32_t>(data.size())};
}

/// The entry with one bit flipped; the sizes stay right.
Entry changed(Entry entry, std::size_t at) {
    if (!entry.crc) entry.crc = crc_32(entry.data);
    entry.data[at] = static_cast<char>(entry.data[at] ^ 1);
    return entry;
}

Entry cut(Entry entry, std::size_t n_bytes) {
    entry.data.resize(n_bytes);
    return entry;
}

/// Numbers that deflate cannot compress.
Matrix uneven() {
    Matrix values(20, 20);
    std::uint32_t state = 1;
    for (Index k = 0; k < values.size(); ++k) {
        state = state * 1664525 + 1013904223;
        values.data()[k] = static_cast<Scalar>(state) / 4294967296.0f;
    }
    return values;
}

}  // namespace

std::vector<BadInput> npz_inputs() {
    const std::string good = write_npy(Matrix::Ones(1, 2));
    const Entry entry{.name = "W.npy", .data = good};
    const auto named = [&](const std::string& name) {
        return zip({Entry{.name = name, .data = good}});
    };
    Entry wrong_sum = entry, smaller = entry, larger = entry, unknown = entry, encrypted = entry;
    wrong_sum.crc = 1, smaller.size = 10, larger.size = 100'000, unknown.method = 99;
    encrypted.flags = kEncrypted;
    Entry streamed = entry, no_sizes = deflated(good);
    streamed.flags = no_sizes.flags = kHasDescriptor;
    const Entry zeros = deflated(std::string(1000, '\0')), packed = deflated(write_npy(uneven()));
    Entry more = zeros, bomb = zeros, garbage = zeros;
    more.size = 10, bomb.size = 4'000'000'000, garbage.data = "\xFF\xFF\xFF\xFF";
    const std::string again = "copy it, download it or save it again";
    const std::string unsound =
        "is not a sound zip archive: ⟨words⟩; the file is incomplete or damaged";
    return {
        {"empty", "", "is empty"},
        {"no zip archive", "hello", "is not a zip archive, as NPZ files are"},
        {"an archive of nothing", zip({}), "read"},
        {"sound", zip({entry}), "read: W 1 × 2"},
        {"wrong checksum", zip({wrong_sum}),
         "[input: W.npy] does not have the checksum that the archive says; it is damaged: " +
             again},
        {"a changed magic", zip({changed(entry, 2)}),
         "[input: W.npy] does not have the checksum that the archive says; it is damaged: " +
             again},
        {"smaller than it says", zip({larger}),
         "[input: W.npy] has two different sizes; it is damaged", unsound},
        {"larger than it says", zip({smaller}),
         "[input: W.npy] has two different sizes; it is damaged", unsound},
        {"unknown compression", zip({unknown}), unsound},
        {"encrypted", zip({encrypted}), "[input: W.npy] is encrypted", unsound},
        {"deflated", zip({packed}), "read: W 20 × 20"},
        {"deflated, but no NPY file", zip({zeros}), "[input: W.npy] is not an NPY file"},
        {"deflated, and nothing there", zip({cut(packed, 0)}),
         "[input: W.npy] is cut off after byte 0 of 1728; " + again,
         "[input: W.npy] is damaged after byte 0 of 1728: ⟨words⟩; " + again},
        {"deflated and cut off in the header", zip({cut(packed, 120)}),
         "[input: W.npy] is cut off after byte 28 of 1728; " + again},
        {"deflated and cut off in the numbers", zip({cut(packed, 1000)}),
         "[input: W.npy] is cut off after byte 1079 of 1728; " + again},
        {"deflated and cut off after the last number", zip({cut(packed, packed.data.size() - 1)}),
         "read: W 20 × 20"},
        {"deflated zeros, cut off", zip({cut(zeros, 4)}),
         "[input: W.npy] is cut off after byte 260 of 1000; " + again},
        {"deflated, with a changed bit in the header", zip({changed(packed, 120)}),
         "[input: W.npy] does not have the checksum that the archive says; it is damaged: " +
             again},
        {"deflated, with a changed bit in its codes", zip({changed(packed, 60)}),
         "[input: W.npy] is damaged after byte 0 of 1728: Zlib error: data error; " + again},
        {"deflated, with a changed bit in the numbers", zip({changed(packed, 1000)}),
         "[input: W.npy] does not have the checksum that the archive says; it is damaged: " +
             again},
        {"deflated to more than it says", zip({more}),
         "[input: W.npy] unpacks to more than the 10 bytes that the archive says; it is damaged: " +
             again},
        {"deflated to 4 GB, it says", zip({bomb}),
         "[input: W.npy] the archive unpacks to more than 536870912 bytes; raise the limit, as "
         "with "
         "--limit 4G"},
        {"damaged deflate", zip({garbage}),
         "[input: W.npy] is damaged after byte 0 of 1000: Zlib error: data error; " + again},
        {"65,534 entries, it says", zip({entry}, {.n_entries = 65'534}), unsound},
        {"a directory beyond the end", zip({entry}, {.directory_at = 0xFFFFFFF0}), unsound},
        {"no directory", zip({entry}).substr(0, 40), unsound},
        {"two ends", zip({entry}) + zip({}),
         "does not end after its directory; it is damaged, or two archives in one file", unsound},
        {"the end twice", zip({entry}) + zip({entry}).substr(zip({entry}).find("PK\x05\x06")),
         "does not end after its directory; it is damaged, or two archives in one file", unsound},
        {"two archives", zip({entry}) + zip({entry}),
         "does not end after its directory; it is damaged, or two archives in one file", unsound},
        {"50 names for one entry", zip_of_one_body(entry, 50), unsound},
        {"50 entries of one name", zip_of(stored(entry), repeated(in_directory(entry, 0), 50), 50),
         unsound},
        {"sizes behind the data", zip({streamed}), "read: W 1 × 2"},
        {"deflated, and sizes behind the data", zip({no_sizes}), "read: W 1 × 2"},
        {"a name with a zero byte", named("a\0b.npy"s), "read: a b 1 × 2"},
        {"an end within the comment", zip({entry}, {.comment = zip({})}), "read: W 1 × 2"},
        {"an end within the comment that could be its own",
         zip({entry}, {.comment = own_end(zip({entry}).size())}),
         "ends twice, and either end could be its own; save it again"},
        {"the end of a large archive", zip_large(entry, 0), "read: W 1 × 2"},
        {"the end of a large archive, somewhere else", zip_large(entry, 1), unsound},
        {"the same name twice", zip({entry, entry}), unsound},
        {"a name like a path", named("../../x.npy"), "read: ../../x 1 × 2"},
        {"an absolute name", named("/etc/x.npy"), "read: /etc/x 1 × 2"},
        {"an empty name", named(""), "holds '', but an NPZ archive holds NPY files only"},
        {"a name with a line end", named("a\nb.npy"), "read: a\\nb 1 × 2"},
        {"a name that is not UTF-8", named("\xFF.npy"), "read:   1 × 2"},
        {"a folder", named("folder/"), "holds 'folder/', but an NPZ archive holds NPY files only"},
        {"something else within", named("readme.txt"),
         "holds 'readme.txt', but an NPZ archive holds NPY files only"},
        {"a PyTorch file", named("archive/data.pkl"), "is "s + kTorchPickle},
        {"a pickle within",
         zip({Entry{
             .data =
                 "\x93NUMPY\x01\0\x46\0{'descr': '|O', 'fortran_order': False, 'shape': (1,), }          \n"s}}),
         "[input: W.npy] ends within the NPY header; the file is incomplete"},
        {"an archive of 10,001 entries", zip([&] {
             std::vector<Entry> many;
             for (int k = 0; k <= 10'000; ++k)
                 many.push_back({.name = std::to_string(k) + ".npy", .data = "x"});
             return many;
         }()),
         "holds 10001 entries; at most 10000 are read"},
    };
}

}  // namespace headlight::bad
