// Recorded attention, and lists of tokens.
#include <algorithm>

#include "bad/bad_inputs.h"
#include "io/arrays/npz.h"
#include "io/arrays/stored_array.h"
#include "io/recognise.h"

namespace headlight::bad {
namespace {

using namespace std::string_literals;

const std::string kNoAttention =
    "holds no recorded attention, an array of [layers, heads, n, n] or [heads, n, n], or of a "
    "source that is read [layers, heads, n, m], [heads, n, m] or n × m with rows that sum to 1; it "
    "holds ";
const std::string kImport = ". Weights are imported into a study: headlight import STUDY FILE";

/// An NPY file of one head, 2 × 2.
std::string head_of(const std::vector<float>& numbers) {
    Matrix values(2, 2);
    std::ranges::copy(numbers, values.data());
    return npy_of("<f4", "(1, 2, 2)", write_matrix_bytes(values));
}

/// A safetensors file of one head, 2 × 2 zeros, with these tokens in the metadata.
std::string with_tokens(const std::string& json) {
    return tensors(R"({"__metadata__": {"tokens": ")" + json +
                       R"("}, "a": {"dtype": "F32", "shape": [1, 2, 2], "data_offsets": [0, 16]}})",
                   16);
}

/// An NPY file of bytes in this shape.
std::string bytes_of(const std::string& shape, std::size_t count) {
    return npy_of("|u1", shape, std::string(count, '\0'));
}

}  // namespace

std::string good_recording() {
    return with_tokens(R"([\"The\", \"cat\"])");
}

std::vector<BadInput> recording_inputs() {
    const float nan = std::numeric_limits<float>::quiet_NaN(),
                infinity = std::numeric_limits<float>::infinity();
    const std::string one_head = "read: 1 layers of 1 heads, 2 tokens";
    return {
        {"empty", "", "is empty"},
        {"a text", "1,2\n3,4\n", "is neither NPY, NPZ nor safetensors"},
        {"a pickle", "\x80\x04\x95", "is neither NPY, NPZ nor safetensors; this is "s + kPickle},
        {"an archive of nothing", "PK\x05\x06" + std::string(18, '\0'),
         kNoAttention + "no array" + kImport},
        {"a matrix", bytes_of("(4, 4)", 16), kNoAttention + "'attention' (4, 4)" + kImport},
        {"a number", bytes_of("()", 1), kNoAttention + "'attention' ()" + kImport},
        {"more columns than rows", bytes_of("(2, 3, 4)", 24),
         kNoAttention + "'attention' (2, 3, 4)" + kImport},
        {"texts", npy_of("<U1", "(1, 1, 1)", "a\0\0\0"s),
         kNoAttention + "'attention' (1, 1, 1)" + kImport},
        {"Python objects", npy_of("|O", "(1, 2, 2)", "\x80\x04pickle"),
         "holds Python objects (dtype object), which can run code when they are read; save "
         "numbers: numpy.save(file, array.astype('float32')), or arrays of different shapes by "
         "numpy.savez(file, *array)"},
        {"complex numbers", npy_of("<c8", "(1, 1, 1)", "12345678"),
         "holds values of the type '<c8'; only real numbers are read: save it as float32"},
        {"6 dimensions", bytes_of("(1, 1, 1, 1, 2, 2)", 4),
         "is (1, 1, 1, 1, 2, 2); read are [layers, heads, n, n] and [heads, n, n]. Of a batch save "
         "one: attention[:, 0]"},
        {"a batch of two", bytes_of("(1, 2, 1, 2, 2)", 8),
         "is (1, 2, 1, 2, 2); read are [layers, heads, n, n] and [heads, n, n]. Of a batch save "
         "one: attention[:, 0]"},
        {"fewer numbers than its shape", bytes_of("(2, 2, 2)", 7),
         "its shape (2, 2, 2) of 1-byte numbers does not fit the 7 bytes that follow; the file is "
         "incomplete or damaged"},
        {"2^40 tokens of no layer", bytes_of("(0, 1, 1099511627776, 1099511627776)", 0),
         "its attention is empty: there is no layer, head or token"},
        {"no token", bytes_of("(2, 0, 0)", 0),
         "its attention is empty: there is no layer, head or token"},
        {"no head", bytes_of("(2, 0, 4, 4)", 0),
         "its attention is empty: there is no layer, head or token"},
        {"4,097 tokens", bytes_of("(1, 4097, 4097)", 4097 * 4097),
         "has 4097 tokens; at most 4096 are shown: save a part of them"},
        {"20,001 heads", bytes_of("(20001, 1, 1)", 20'001),
         "has 1 layer of 20001 heads; at most 20000 heads are shown"},
        {"column by column",
         "\x93NUMPY\x01\0\x44\0{'descr': '|u1', 'fortran_order': True, 'shape': (1, 2, 2), }      \n"s +
             "1234",
         "stands column by column; save it with numpy.ascontiguousarray"},
        {"good", head_of({1, 0, 0, 1}), one_head},
        {"one number", npy_of("<f4", "(1, 1, 1)", write_matrix_bytes(Matrix::Ones(1, 1))),
         "read: 1 layers of 1 heads, 1 tokens"},
        {"a row of zeros", head_of({1, 0, 0, 0}), one_head},
        {"rows that sum to 0.5", head_of({0.5f, 0, 0.25f, 0.25f}),
         one_head + "; layer 0, head 0: rows sum to 0.5 instead of 1"},
        {"scores in place of shares", head_of({3, -2, 0.5f, 8}),
         one_head + "; layer 0, head 0: 1 cell is negative, rows sum to 1 … 8.5 instead of 1"},
        {"NaN", head_of({nan, 1, 0.5f, 0.5f}), one_head + "; layer 0, head 0: 1 cell is NaN"},
        {"infinite", head_of({infinity, 1, 0.5f, 0.5f}),
         one_head + "; layer 0, head 0: 1 cell is infinite"},
        {"-0", head_of({1, -0.0f, -0.0f, 1}), one_head},
        {"layers of different sizes",
         tensors(
             R"({"a": {"dtype": "U8", "shape": [1, 2, 2], "data_offsets": [0, 4]}, "b": {"dtype": "U8", "shape": [1, 1, 1], "data_offsets": [4, 5]}})",
             5),
         "[input: b] is (1, 1, 1), but 'a' (1, 2, 2); layers must be of one shape"},
        {"tokens in the file", good_recording(), "read: 1 layers of 1 heads, 2 tokens"},
        {"3 tokens of 2 rows", with_tokens(R"([\"a\", \"b\", \"c\"])"),
         "has 3 tokens, but the patterns have 2 rows; give each row one"},
        {"tokens that are no JSON", with_tokens("[a]"),
         "[input: __metadata__.tokens] line 1: syntax error while parsing value - invalid literal; "
         "last read: '[a'"},
        {"tokens that are no list", with_tokens("7"),
         "[input: __metadata__.tokens] line 1: must be a list [ … ], not 7"},
        {"a token of 1 MB", with_tokens(R"([\"a\", \")" + repeated("b", 1'000'000) + R"(\"])"),
         "token 2 has 1000000 bytes; at most 1000 are shown"},
    };
}

std::vector<BadInput> tokens_inputs() {
    return {
        {"empty", "", "holds no token"},
        {"blanks only", " \r\n\t", "holds no token"},
        {"a list", R"(["The", "cat"])", "read: 'The', 'cat'"},
        {"an object with a list", R"({"model": "x", "tokens": ["The", "cat"]})",
         "read: 'The', 'cat'"},
        {"an object without tokens", R"({"model": "x"})", "line 1: the key 'tokens' is missing"},
        {"a list that is cut off", R"(["The", "ca)",
         "line 1: syntax error while parsing value - invalid string: missing closing quote; last "
         "read: '\"ca'"},
        {"numbers", "[1, 2]", "line 1, [0]: must be a text between \"quotes\", not 1"},
        {"a list in the list", R"(["a", ["b"]])",
         "line 1, [1]: must be a text between \"quotes\", not a list"},
        {"65 levels", repeated("[", 65), "line 1: nested too deep; at most 64 levels are read"},
        {"a line each", "The\ncat\n", "read: 'The', 'cat'"},
        {"byte order mark, CR LF", "\xEF\xBB\xBFThe\r\ncat\r\n", "read: 'The', 'cat'"},
        {"CR alone", "The\rcat\r", "read: 'The', 'cat'"},
        {"between blanks", "The cat", "read: 'The', 'cat'"},
        {"a token that is a blank line", "\ncat\n", "read: '', 'cat'"},
        {"a byte that is not UTF-8", "a \xFF", "line 1: not UTF-8 at byte 2; save it as UTF-8"},
        {"UTF-16",
         "\xFF\xFE"
         "a\0b\0"s,
         "is in UTF-16; save it as UTF-8"},
        {"a zero byte", "a\nb\0"s, "line 2: a zero byte; this is not a text file"},
        {"a picture", "\x89PNG\r\n", "is no list of tokens; this is a PNG picture"},
        {"a web page", "<html>",
         "is no list of tokens; this is a web page, perhaps an error page of the download"},
        {"numbers of NumPy", "\x93NUMPY\x01", "is no list of tokens; this is an NPY file"},
    };
}

}  // namespace headlight::bad
