#include "io/arrays/stored_array.h"

#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>

#include "../temporary_folder.h"
#include "broken_input.h"
#include "io/arrays/npy.h"
#include "io/arrays/npz.h"
#include "io/arrays/safetensors.h"
#include "io/files/file.h"
#include "zip_of.h"

namespace headlight::stored_array_test {
namespace {

/// A source that counts the bytes that are read.
ByteSource counted(const std::string& bytes, std::uint64_t& n_read) {
    ByteSource source = bytes_in_memory(bytes, "input");
    source.read = [read = source.read, &n_read](std::uint64_t begin, std::span<char> into) {
        n_read += into.size();
        read(begin, into);
    };
    return source;
}

Matrix counting(Index rows, Index columns) {
    Matrix matrix(rows, columns);
    for (Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = static_cast<Scalar>(i);
    return matrix;
}

/// Row `row` of the array, read as a matrix of `columns` columns.
Matrix row_of(const StoredArray& array, Index row, Index columns) {
    Matrix values(1, columns);
    read_numbers(array, static_cast<std::uint64_t>(row * columns), view(values));
    return values;
}

}  // namespace

TEST_CASE("stored arrays: of a large file only the header and the shown rows are read") {
    const Matrix big = counting(1000, 500);
    const auto check = [&](const std::string& bytes, auto find) {
        std::uint64_t n_read = 0;
        const StoredArray array = find(counted(bytes, n_read));
        CHECK(n_read < 150'000);  // of 2 MB; this includes the end of the archive
        n_read = 0;
        CHECK(row_of(array, 700, 500) == Matrix(big.row(700)));
        CHECK(n_read < 12'000);
        CHECK(read_matrix(array) == big);
    };
    check(write_npy(big), [](const ByteSource& bytes) { return find_npy_array(bytes); });
    check(write_safetensors({{"a", big}}),
          [](const ByteSource& bytes) { return find_safetensors_arrays(bytes)[0]; });
    check(write_npz({{"a", big}}),
          [](const ByteSource& bytes) { return find_npz_arrays(bytes).arrays[0]; });
}

TEST_CASE("stored arrays: a compressed entry is unpacked once, when it is read") {
    const Matrix big = counting(1000, 500);
    const std::string bytes = zip_of({{"a.npy", write_npy(big)}});
    std::uint64_t n_read = 0;
    const NpzArrays found = find_npz_arrays(counted(bytes, n_read));
    CHECK(found.compressed_bytes == write_npy(big).size());
    CHECK(row_of(found.arrays[0], 999, 500) == Matrix(big.row(999)));
    n_read = 0;
    CHECK(row_of(found.arrays[0], 30, 500) == Matrix(big.row(30)));
    CHECK(n_read == 0);
}

TEST_CASE("stored arrays: a checksum is verified if the whole entry is read") {
    std::string bytes = write_npz({{"a", counting(100, 50)}});
    bytes[bytes.find("NUMPY") + 5000] ^= 1;
    const StoredArray array = find_npz_arrays(bytes_in_memory(bytes, "input")).arrays[0];
    CHECK(error_of([&] { read_matrix(array); }) ==
          "[input: a.npy] does not have the checksum that the archive says; it is damaged: copy "
          "it, download it or save it again");
}

TEST_CASE("stored arrays: all dimensions except the last become rows") {
    const std::string bytes(24, '\0');
    const StoredArray array{"a",
                            {NumberKind::Unsigned, 1},
                            {2, 3, 4},
                            Layout::RowByRow,
                            bytes_in_memory(bytes, "input")};
    CHECK(read_matrix(array).rows() == 6);
    CHECK(error_of([&] { read_plain_matrix(array); }) ==
          "[input] has 3 dimensions, (2, 3, 4); a matrix has two");
    StoredArray turned = array;
    turned.layout = Layout::ColumnByColumn;
    CHECK(contains(error_of([&] { read_matrix(turned); }), "numpy.ascontiguousarray"));
}

TEST_CASE("stored arrays: strings are read as UCS-4 or UTF-8, up to their zeros") {
    const std::string wide("t\0\0\0h\0\0\0\xE9\0\0\0a\0\0\0\0\0\0\0\0\0\0\0", 24);
    const StoredArray texts{
        "tokens", {NumberKind::Text, 12}, {2}, Layout::RowByRow, bytes_in_memory(wide, "input")};
    CHECK(read_texts(texts) == std::vector<std::string>{"thé", "a"});
    CHECK(contains(error_of([&] { read_matrix(texts); }), "holds texts; only real numbers"));
    const StoredArray bytes{"tokens",
                            {NumberKind::Bytes, 2},
                            {2},
                            Layout::RowByRow,
                            bytes_in_memory(std::string_view("ab\xFF\0", 4), "input")};
    CHECK(error_of([&] { read_texts(bytes); }) == "[input] holds a text that is not UTF-8");
    const StoredArray wrong{"tokens",
                            {NumberKind::Text, 4},
                            {1},
                            Layout::RowByRow,
                            bytes_in_memory(std::string_view("\0\0\x11\0", 4), "input")};
    CHECK(error_of([&] { read_texts(wrong); }) == "[input] holds a text that is not Unicode");
}

TEST_CASE("stored arrays: a matrix above the limit is refused before allocation") {
    const std::string bytes(4096, '\0');
    const StoredArray array{"a",
                            {NumberKind::Unsigned, 1},
                            {64, 64},
                            Layout::RowByRow,
                            bytes_in_memory(bytes, "input")};
    ::setenv("HEADLIGHT_LIMIT", "4K", 1);
    const std::string error = error_of([&] { read_matrix(array); });
    ::unsetenv("HEADLIGHT_LIMIT");
    CHECK(error ==
          "[input] needs 16384 bytes of memory; at most 4096 are read; raise the limit, "
          "as with --limit 4G");
}

TEST_CASE("files as bytes: a file that changes, shrinks or disappears while open is reported") {
    const TemporaryFolder folder;
    const std::string path = folder.with("a.npy", write_npy(counting(4, 4)));
    const ByteSource bytes = bytes_of_file(path);
    const StoredArray array = find_npy_array(bytes);
    std::filesystem::resize_file(path, 130);
    CHECK(error_of([&] { read_matrix(array); }) ==
          "[" + path + "] changed while it was open; open it again");
    const StoredArray again =
        find_npy_array(bytes_of_file(folder.with("b.npy", write_npy(counting(4, 4)))));
    std::filesystem::remove(folder.file("b.npy"));
    CHECK(contains(error_of([&] { read_matrix(again); }),
                   "was removed or replaced while it was open; open it again"));
}

TEST_CASE("files as bytes: anything but a regular file is refused without waiting") {
    CHECK(contains(error_of([] { bytes_of_file("/dev/zero"); }), "it is a device, not a file"));
    CHECK(contains(error_of([] { bytes_of_file("/"); }), "it is a folder, not a file"));
    CHECK(contains(error_of([] { bytes_of_file("/no/such"); }), "cannot be opened: No such file"));
}

}  // namespace headlight::stored_array_test
