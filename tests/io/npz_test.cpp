#include "io/arrays/npz.h"

#include <cmath>
#include <doctest/doctest.h>

#include "broken_input.h"
#include "example_trace.h"
#include "io/arrays/npy.h"
#include "io/files/file.h"
#include "source_folder.h"
#include "zip_of.h"

namespace headlight::npz_test {
namespace {

NamedMatrices parse(const std::string& bytes) {
    return read_npz(bytes, "input.npz");
}

std::string refusal(const std::string& bytes) {
    return error_of([&] { parse(bytes); });
}

NamedMatrices two_matrices() {
    const Trace trace = example_trace();
    return {{"blocks.0.attn.heads.0.scores", *trace.at("scores").value},
            {"W", *trace.at("W").value}};
}

/// `bytes` with a little-endian 32-bit number at `offset` after each occurrence of `mark`.
std::string patched(std::string bytes, const std::string& mark, std::size_t offset,
                    std::uint32_t number) {
    for (std::size_t at = bytes.find(mark); at != std::string::npos; at = bytes.find(mark, at + 4))
        for (std::size_t i = 0; i < 4; ++i)
            bytes[at + offset + i] = static_cast<char>(number >> 8 * i & 0xFF);
    return bytes;
}

const std::string kLocal = "PK\x03\x04", kCentral = "PK\x01\x02", kEnd = "PK\x05\x06";

}  // namespace

TEST_CASE("npz: a written archive is read back in order, bit for bit") {
    const NamedMatrices matrices = two_matrices();
    const NamedMatrices again = parse(write_npz(matrices));
    REQUIRE(again.size() == matrices.size());
    for (std::size_t i = 0; i < matrices.size(); ++i) {
        CHECK(again[i].first == matrices[i].first);
        CHECK(same_values(again[i].second, matrices[i].second));
    }
}

TEST_CASE("npz: the same matrices give the same bytes") {
    CHECK(write_npz(two_matrices()) == write_npz(two_matrices()));
}

TEST_CASE("npz: NumPy's archives are read, compressed or not") {
    for (const char* name : {"savez.npz", "savez_compressed.npz"}) {
        INFO(name);
        const NamedMatrices matrices = parse(read_file(source_folder() / "tests/io/data/" / name));
        REQUIRE(matrices.size() == 5);
        Matrix embed(2, 2), columns(2, 3);
        embed << 0.5f, -1.25f, 3, std::numeric_limits<Scalar>::infinity();
        columns << 0, 1, 2, 3, 4, 5;
        CHECK(matrices[0].first == "embed");
        CHECK(same_values(matrices[0].second, embed));
        CHECK(matrices[1].second(2, 0) == std::ldexp(1.0f, -24));
        CHECK(same_values(matrices[2].second, columns));
        CHECK(matrices[3].second(0, 0) == 1);
        CHECK(matrices[4].second(0, 1) == -2);
    }
}

TEST_CASE("npz: matrices that cannot be written are reported") {
    CHECK(contains(error_of([] { write_npz({}); }), "there is no matrix to write"));
    CHECK(contains(error_of([] {
                       write_npz({{"a", Matrix(1, 1)}, {"a", Matrix(1, 1)}});
                   }),
                   "'a' cannot be added: File already exists"));
}

TEST_CASE("npz: files of other types and foreign entries are called by their names") {
    CHECK(refusal("") == "[input.npz] is empty");
    CHECK(contains(refusal("\x93NUMPY"), "is not a zip archive, as NPZ files are; this is an NPY"));
    CHECK(contains(refusal(zip_of({{"archive/data.pkl", "x"}})), "is a Python pickle of PyTorch"));
    CHECK(contains(refusal(zip_of({{"readme.txt", "x"}})), "holds 'readme.txt', but"));
    CHECK(contains(refusal(zip_of({{".npy", "x"}})), "holds '.npy', but"));
    CHECK(contains(refusal(zip_of({{"a.npy", "x"}})), "[input.npz: a.npy] is not an NPY file"));
}

TEST_CASE("npz: names are labels, never paths") {
    const std::string npy = write_npy(Matrix::Ones(1, 1));
    CHECK(parse(zip_of({{"../../x.npy", npy}}))[0].first == "../../x");
    CHECK(parse(zip_of({{"/etc/x.npy", npy}}))[0].first == "/etc/x");
}

TEST_CASE("npz: an inconsistent archive is refused") {
    const std::string good = write_npz({{"a", Matrix::Ones(2, 2)}});
    CHECK(contains(refusal(patched(good, kCentral, 42, 0xFFFFFFF0)), "input.npz"));  // offset
    CHECK(contains(refusal(patched(good, kEnd, 8, 0xFFFEFFFE)), "input.npz"));       // count
    CHECK(contains(refusal(patched(good, kCentral, 24, 5)), "input.npz"));           // size
    CHECK(contains(refusal(patched(good, kCentral, 16, 5)), "input.npz"));           // checksum
    const std::string both = patched(patched(good, kCentral, 16, 5), kLocal, 14, 5);
    CHECK(contains(refusal(both), "does not have the checksum"));
    CHECK(contains(refusal(patched(good, kCentral, 10, 99)), "input.npz"));  // method
    CHECK(contains(refusal(patched(good, kCentral, 8, 1)), "input.npz"));    // encrypted
    CHECK(contains(refusal(good + "more"), "input.npz"));
}

TEST_CASE("npz: a size above the limit is refused before unpacking") {
    const std::string good = zip_of({{"a.npy", write_npy(Matrix::Zero(100, 100))}});
    const std::string huge =
        patched(patched(good, kCentral, 24, 0xFFFFFFFE), kLocal, 22, 0xFFFFFFFE);
    CHECK(contains(refusal(huge),
                   "[input.npz: a.npy] the archive unpacks to more than 536870912 bytes; raise"));
}

TEST_CASE("npz: an entry that unpacks to more than declared is refused") {
    const std::string good = zip_of({{"a.npy", write_npy(Matrix::Zero(100, 100))}});
    const std::string small = patched(patched(good, kCentral, 24, 200), kLocal, 22, 200);
    CHECK(contains(refusal(small), "[input.npz: a.npy] "));
}

TEST_CASE("npz: a truncated or corrupted archive is read or refused, never a crash") {
    const std::string stored = write_npz({{"a", Matrix::Ones(2, 2)}});
    const std::string compressed = zip_of({{"a.npy", write_npy(Matrix::Ones(2, 2))}});
    for (const std::string& good : {stored, compressed}) {
        check_every_truncation(good, parse);
        check_every_bit_flip(good, good.size(), parse);
    }
}

}  // namespace headlight::npz_test
