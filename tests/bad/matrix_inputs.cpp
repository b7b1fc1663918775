// Matrices as text, NPY, NPZ and safetensors.
#include "bad/bad_inputs.h"
#include "io/arrays/npz.h"

namespace headlight::bad {
namespace {

using namespace std::string_literals;

/// An NPY file of version 1.0 with this header and data.
std::string npy(const std::string& header, const std::string& data = "") {
    return "\x93NUMPY\x01\0"s + little_endian(header.size(), 2) + header + data;
}

std::string tensor(const std::string& members) {
    return "{\"W\": {" + members + "}}";
}

/// Many tensors of n_bytes each; all of them have the same bytes.
std::string many_tensors(int count, int n_bytes = 0) {
    std::string members;
    for (int k = 0; k < count; ++k)
        members += (k == 0 ? "\"" : ",\"") + std::to_string(k) + R"(":{"dtype":"F32","shape":[)" +
                   std::to_string(n_bytes / 4) + R"(],"data_offsets":[0,)" +
                   std::to_string(n_bytes) + "]}";
    return "{" + members + "}";
}

}  // namespace

std::string npy_of(const std::string& type, const std::string& shape, const std::string& data) {
    return npy("{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }\n",
               data);
}

std::string tensors(const std::string& header, std::size_t n_data_bytes) {
    return little_endian(header.size(), 8) + header + std::string(n_data_bytes, '\0');
}

std::string good_npz() {
    return write_npz({{"W", Matrix::Constant(2, 3, Scalar(0.5))}, {"b", Matrix::Ones(1, 2)}});
}

std::vector<BadInput> numbers_inputs() {
    return {
        {"empty", "", "[paste] there is no number in the clipboard"},
        {"blanks only", " \t \n", "[paste] there is no number in the clipboard"},
        {"separators only", ";;;\n;;;", "[paste] row 1, column 1 is empty"},
        {"rows of different length", "1\t2\n3\n",
         "[paste] row 2 has 1 number, the first row has 2"},
        {"a text", "1\t2\n3\tx\n",
         "[paste] 'x' in row 2, column 2 is not a number that a cell can have"},
        {"an empty cell", "1\t\t2\n", "[paste] row 1, column 2 is empty"},
        {"nan", "1\tnan\n",
         "[paste] 'nan' in row 1, column 2 is not a number that a cell can have"},
        {"1e400", "1\t1e400\n",
         "[paste] '1e400' in row 1, column 2 is not a number that a cell can have"},
        {"-0", "-0\t0\n", "read: 1 × 2"},
        {"hexadecimal", "0x10\n",
         "[paste] '0x10' in row 1, column 1 is not a number that a cell can have"},
        {"a list that is not closed", "[[1, 2], [3",
         "[paste] a bracket [ is opened and not closed"},
        {"a text in a list", "[[1, 2], x, [3, 4]]",
         "[paste] ', x,' stands between the rows of the list"},
        {"a quote that is not closed", "\"1\t2\n",
         "[paste] '\"1' in row 1, column 1 is not a number that a cell can have"},
        {"NUL byte", "1\t\0002\n"s,
         "[paste] '\\x002' in row 1, column 2 is not a number that a cell can have"},
        {"a cell of 1 million characters", repeated("1", 1'000'000),
         "[paste] "
         "'1111111111111111111111111111111111111111111111111111111111111111111111111111111111111111"
         "11111111111111111111111111111111111111111111111111111111111111111111111111111111111111111"
         "1111111111111111111111…' in row 1, column 1 is not a number that a cell can have"},
        {"not UTF-8", "1\t\xFF\n",
         "[paste] '�' in row 1, column 2 is not a number that a cell can have"},
    };
}

std::vector<BadInput> csv_inputs() {
    return {
        {"empty", "", "is empty"},
        {"separators only", ",,,\n", "holds labels and no number"},
        {"tabs, and commas in a label", "query \\ key\ta, b\tc\na, b\t1\t2\n", "read: 1 × 2"},
        {"semicolons, and commas in a label", "query \\ key;\"a;b\";c\na, b;1;0,5\n",
         "read: 1 × 2, decimal commas"},
        {"an escape sequence", "1,\x1b[2J\n3,4\n5,\x1b[2J\n",
         "line 3: column 2: '\\x1b[2J' is not a number that a cell can have"},
        {"blank lines only", " \n\n", "holds no number"},
        {"rows of different length", "1,2\n3\n", "line 2: has 1 cell, the rows above have 2"},
        {"an empty cell", "1,2\n3,\n", "line 2: column 2: is empty"},
        {"a text", "1,2\n3,x\n", "line 2: column 2: 'x' is not a number that a cell can have"},
        {"1e400", "1,1e400\n2,3\n4,1e400\n",
         "line 3: column 2: '1e400' is not a number that a cell can have"},
        {"a quote that is not closed", "1,2\n3,\"4\n", "line 2: a quote is opened and not closed"},
        {"a quote in the middle", "1,2\"3\n",
         "line 1: a quote stands within '2\"3'; quote the whole cell"},
        {"more after a quote", "1,\"2\"3\n",
         "line 1: more follows a closed quote; two quotes within a text are one"},
        {"two quotes are one, and lines within quotes", "\"a \"\"b\"\"\n\",c\n1,2\n",
         "read: 1 × 2"},
        {"labels on both sides", ",a,b\nx,1,2\n", "read: 1 × 2"},
        {"semicolons and decimal commas", "1,5;2\n", "read: 1 × 2, decimal commas"},
        {"nan and inf", "nan,inf\n-inf,-0\n", "read: 2 × 2"},
        {"NUL byte", "1,\0002\n"s, "line 1: holds a zero byte; this is no text"},
        {"not UTF-8", "1,\xFF\n", "line 1: is not UTF-8"},
        {"UTF-16", "\xFF\xFE\x31\0"s, "is in UTF-16; save it as UTF-8"},
        {"100,001 columns", repeated(",", 100'000) + "\n", "line 1: has more than 100000 columns"},
        {"a cell of more than 16 MB", repeated("1", (16 << 20) + 1),
         "line 1: a cell is longer than 16 MB"},
        {"a picture", "\x89PNG\r\n", "is no text with numbers; this is a PNG picture"},
    };
}

std::vector<BadInput> npy_inputs() {
    const std::string order = "'fortran_order': False";
    return {
        {"empty", "", "is empty"},
        {"another magic", "\x93NUMPX\x01\0"s, "is not an NPY file"},
        {"version 4", "\x93NUMPY\x04\0\x10\0\0\0"s, "has NPY version 4; 1 to 3 are read"},
        {"version 0", "\x93NUMPY\0\0\x10\0\0\0"s, "has NPY version 0; 1 to 3 are read"},
        {"version 2 with a header of 4 GB", "\x93NUMPY\x02\0\xFF\xFF\xFF\xFF"s,
         "has an NPY header of 4294967295 bytes; at most 10000 are read"},
        {"version 3 with a header of 4 GB", "\x93NUMPY\x03\0\xFF\xFF\xFF\xFF"s,
         "has an NPY header of 4294967295 bytes; at most 10000 are read"},
        {"a header of 10,001 bytes", npy(std::string(10'001, ' ')),
         "has an NPY header of 10001 bytes; at most 10000 are read"},
        {"a header that is cut off", "\x93NUMPY\x01\0\x40\0{'descr'"s,
         "ends within the NPY header; the file is incomplete"},
        {"code in the header", npy("__import__('os').system('id')\n"),
         "the NPY header needs { before '__import__('os').system('id')\\n'"},
        {"a nested tuple", npy("{'descr': '<f4', " + order + ", 'shape': ((1,), 2)}"),
         "the NPY header needs whole numbers in 'shape'"},
        {"an unknown key", npy("{'descr': '<f4', " + order + ", 'shape': (), 'x': 1}"),
         "the NPY header has the unknown key 'x'"},
        {"a missing key", npy("{'descr': '<f4', 'shape': ()}"),
         "the NPY header needs 'descr', 'fortran_order' and 'shape'"},
        {"the same key twice", npy("{'descr': '<f4', 'descr': '<f8', " + order + ", 'shape': ()}"),
         "the NPY header has the key 'descr' twice"},
        {"Python objects", npy_of("|O", "(2,)", "\x80\x04pickle"),
         "holds Python objects (dtype object), which can run code when they are read; save "
         "numbers: numpy.save(file, array.astype('float32')), or arrays of different shapes by "
         "numpy.savez(file, *array)"},
        {"records", npy("{'descr': [('x', '<f4')], " + order + ", 'shape': (1,)}", "1234"),
         "the NPY header describes records with several fields; save each field by itself"},
        {"dates", npy_of("<M8[s]", "(1,)", "12345678"),
         "holds values of the type '<M8[s]'; only real numbers are read: save it as float32"},
        {"texts", npy_of("<U5", "(1,)", "12345678901234567890"),
         "holds texts; only real numbers are read: save it as float32"},
        {"complex numbers", npy_of("<c16", "(1,)", std::string(16, '\0')),
         "holds values of the type '<c16'; only real numbers are read: save it as float32"},
        {"raw bytes", npy_of("|V8", "(1,)", "12345678"),
         "holds values of the type '|V8'; only real numbers are read: save it as float32"},
        {"negative size", npy_of("<f4", "(-1,)", ""),
         "the NPY header needs whole numbers in 'shape'"},
        {"size 3.0", npy_of("<f4", "(3.0,)", ""), "the NPY header needs , before '.0,), }\\n'"},
        {"2^62 × 4", npy_of("<f4", "(4611686018427387904, 4)", ""),
         "its shape (4611686018427387904, 4) of 4-byte numbers does not fit the 0 bytes that "
         "follow; the file is incomplete or damaged"},
        {"2^64", npy_of("<f4", "(18446744073709551616,)", ""),
         "the NPY header needs whole numbers in 'shape'"},
        {"33 dimensions", npy_of("<f4", "(" + repeated("1, ", 33) + ")", "1234"),
         "has 33 dimensions; at most 16 are read"},
        {"3 dimensions", npy_of("<f4", "(1, 1, 1)", "1234"),
         "has 3 dimensions, (1, 1, 1); a matrix has two"},
        {"texts of no size", npy_of("<U0", "(1,)", ""),
         "holds values of the type '<U0'; only real numbers are read: save it as float32"},
        {"fewer bytes than the shape", npy_of("<f4", "(2, 2)", std::string(12, '\0')),
         "its shape (2, 2) of 4-byte numbers does not fit the 12 bytes that follow; the file is "
         "incomplete or damaged"},
        {"more bytes than the shape", npy_of("<f4", "(2, 2)", std::string(20, '\0')),
         "its shape (2, 2) of 4-byte numbers does not fit the 20 bytes that follow; the file is "
         "incomplete or damaged"},
        {"a header without a line end",
         npy("{'descr': '<f4', " + order + ", 'shape': (1, 1)}", "1234"), "read: 1 × 1"},
        {"column by column",
         npy("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2)}\n", "12345678"),
         "read: 1 × 2"},
        {"0 × 3", npy_of("<f4", "(0, 3)", ""), "read: 0 × 3"},
        {"big-endian", npy_of(">f4", "(1, 2)", "\x3F\x80\0\0\0\0\0\0"s), "read: 1 × 2"},
        {"half precision", npy_of("<f2", "(2,)", "\0\x3C\0\x7E"s), "read: 2 × 1"},
        {"booleans", npy_of("|b1", "(2,)", "\0\x01"s), "read: 2 × 1"},
        {"64-bit integers", npy_of("<i8", "(1,)", "12345678"), "read: 1 × 1"},
        {"a scalar", npy_of("<f4", "()", "1234"), "read: 1 × 1"},
        {"NaN and -0", npy_of("<f4", "(2,)", "\0\0\xC0\x7F\0\0\0\x80"s), "read: 2 × 1"},
    };
}

std::vector<BadInput> safetensors_inputs() {
    const std::string f32 = R"("dtype": "F32", )";
    return {
        {"empty", "", "is empty"},
        {"7 bytes", "1234567", "has 7 bytes; a safetensors file has 8 and a header"},
        {"header of 2^63 bytes", little_endian(std::uint64_t{1} << 63, 8) + "{}",
         "is a damaged safetensors file: a header of 9223372036854775808 bytes; at most 100000000 "
         "are "
         "read"},
        {"header of 2^64 - 1 bytes", std::string(8, '\xFF') + "{}",
         "is not a safetensors file: a header of 18446744073709551615 bytes; at most 100000000 are "
         "read"},
        {"header of 100,000,001 bytes", little_endian(100'000'001, 8) + "{}",
         "is a damaged safetensors file: a header of 100000001 bytes; at most 100000000 are read"},
        {"header as long as the file", little_endian(10, 8) + "{}",
         "the header of this safetensors file should have 10 bytes, but the file ends after 2; the "
         "download is probably incomplete"},
        {"header of 0 bytes", little_endian(0, 8), "is empty"},
        {"header of 1 byte", tensors("{"),
         "line 1: syntax error while parsing object key - unexpected end of input; expected string "
         "literal (the file seems to be cut off)"},
        {"header that is not UTF-8", tensors("{\"\xFF\": 1}"),
         "line 1: not UTF-8 at byte 2; save it as UTF-8"},
        {"header that is a list", tensors("[]"), "line 1: the header is an object { … }"},
        {"header that is a number", tensors("7 "), "line 1: the header is an object { … }"},
        {"blanks around the header", tensors(" {} "), "read"},
        {"the same tensor twice",
         tensors(
             "{\"W\": {\"dtype\": \"F32\", \"shape\": [1], \"data_offsets\": [0, 4]}, \"W\": {}}",
             4),
         "line 1: the key 'W' is here for the second time (first on line 1); keep one"},
        {"the same field twice",
         tensors(tensor(f32 + R"("shape": [1], "shape": [1], "data_offsets": [0, 4])"), 4),
         "line 1: the key 'shape' is here for the second time (first on line 1); keep one"},
        {"overlapping tensors",
         tensors(
             R"({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}, "b": {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}})",
             8),
         "tensor 'b' begins at byte 4 of the data, the one before it ends at byte 8; the file is "
         "damaged"},
        {"a hole", tensors(tensor(f32 + R"("shape": [1], "data_offsets": [4, 8])"), 8),
         "tensor 'W' begins at byte 4 of the data, the one before it ends at byte 0; the file is "
         "damaged"},
        {"bytes left over", tensors(tensor(f32 + R"("shape": [1], "data_offsets": [0, 4])"), 6),
         "2 bytes after the last tensor belong to none; the file is damaged"},
        {"2 bytes missing", tensors(tensor(f32 + R"("shape": [1], "data_offsets": [0, 4])"), 2),
         "tensor 'W' ends at byte 4 of the data, but the file holds only 2; the download is "
         "probably incomplete"},
        {"offsets the wrong way round",
         tensors(tensor(f32 + R"("shape": [1], "data_offsets": [4, 0])"), 4),
         "line 1, W.data_offsets: ends before it begins"},
        {"a negative offset", tensors(tensor(f32 + R"("shape": [1], "data_offsets": [-4, 0])"), 4),
         "line 1, W.data_offsets[0]: must be a whole number from 0 to 18446744073709551615, not "
         "-4"},
        {"an offset of 0.5", tensors(tensor(f32 + R"("shape": [1], "data_offsets": [0.5, 4])"), 4),
         "line 1, W.data_offsets[0]: must be a whole number from 0 to 18446744073709551615, not "
         "0.5"},
        {"three offsets", tensors(tensor(f32 + R"("shape": [1], "data_offsets": [0, 4, 4])"), 4),
         "line 1, W.data_offsets: must be [begin, end]"},
        {"a shape that does not fit",
         tensors(tensor(f32 + R"("shape": [3], "data_offsets": [0, 4])"), 4),
         "line 1, W.data_offsets: the shape (3,) of 4-byte numbers does not take 4 bytes"},
        {"2 × (2^64 - 2)",
         tensors(tensor(f32 + R"("shape": [2, 18446744073709551614], "data_offsets": [0, 4])"), 4),
         "line 1, W.shape[1]: must be a whole number from 0 to 281474976710656, not "
         "18446744073709551614"},
        {"2 × (2^63 - 1)",
         tensors(tensor(f32 + R"("shape": [2, 9223372036854775807], "data_offsets": [0, 4])"), 4),
         "line 1, W.shape[1]: must be a whole number from 0 to 281474976710656, not "
         "9223372036854775807"},
        {"17 dimensions",
         tensors(
             tensor(f32 + "\"shape\": [" + repeated("1, ", 16) + "1], \"data_offsets\": [0, 4]"),
             4),
         "line 1, W.shape: has 17 dimensions; at most 16 are read"},
        {"an unknown type",
         tensors(tensor(R"("dtype": "F4", "shape": [1], "data_offsets": [0, 4])"), 4),
         "line 1, W.dtype: must be one of 'F32', 'F64', 'F16', 'BF16', 'I8', 'I16', 'I32', 'I64', "
         "'U8', 'U16', 'U32', 'U64', 'BOOL', not the text 'F4'; did you mean 'F64'?"},
        {"metadata that are no texts", tensors(R"({"__metadata__": {"a": 1}})"),
         "line 1, __metadata__.a: must be a text between \"quotes\", not 1"},
        {"empty metadata", tensors(R"({"__metadata__": {}})"), "read"},
        {"a name like a path",
         tensors("{\"../x\": {\"dtype\": \"F32\", \"shape\": [1], \"data_offsets\": [0, 4]}}", 4),
         "read: ../x 1 × 1"},
        {"a tensor without a name",
         tensors("{\"\": {\"dtype\": \"F32\", \"shape\": [1], \"data_offsets\": [0, 4]}}", 4),
         "line 1: a tensor's name has 1 to 1024 bytes"},
        {"a name of 1 MB",
         tensors("{\"" + repeated("n", 1'000'000) +
                     "\": {\"dtype\": \"F32\", \"shape\": [1], \"data_offsets\": [0, 4]}}",
                 4),
         "line 1, " + repeated("n", 199) + "…: a tensor's name has 1 to 1024 bytes"},
        {"metadata twice", tensors(R"({"__metadata__": {}, "__metadata__": {}})"),
         "line 1: the key '__metadata__' is here for the second time (first on line 1); keep one"},
        {"100,001 tensors", tensors(many_tensors(100'001)),
         "line 1: at most 100000 tensors are read"},
        {"10,000 tensors on one region", tensors(many_tensors(10'000, 4), 4),
         "tensor '1' begins at byte 0 of the data, the one before it ends at byte 4; the file is "
         "damaged"},
        {"a tensor of size 0", tensors(tensor(f32 + R"("shape": [2, 0], "data_offsets": [0, 0])")),
         "read: W 2 × 0"},
        {"a scalar", tensors(tensor(f32 + R"("shape": [], "data_offsets": [0, 4])"), 4),
         "read: W 1 × 1"},
        {"a Git LFS pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
         "is not a safetensors file; this is a Git LFS pointer: the file itself was not "
         "downloaded, run `git lfs pull`"},
        {"a web page", "<!DOCTYPE html><html></html>",
         "is not a safetensors file; this is a web page, perhaps an error page of the download"},
    };
}

}  // namespace headlight::bad
