// The table of broken inputs: what each reader is given, and what it must say.
//
// Every reader has rows, and a good file of which every beginning and every change of one bit must
// be refused or read, but never do anything else.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::bad {

/// What `read` must answer: the whole message of the Error, without "input" in front where it is
/// the file's name; or kRead; or, where something else is to be said, kRead with the notes.
/// ⟨words⟩ stands for what a library says in its own.
struct BadInput {
    const char* what;
    std::string bytes;
    std::string answer;
    std::string or_answer = {};  // where another release of a library refuses it
};

inline constexpr std::string_view kRead = "read";

/// A reader with its rows.
struct Format {
    const char* name;                             // of its fuzz target, too
    std::string (*read)(std::string_view bytes);  // answers as above
    std::string (*good)();                        // a small sound file
    std::size_t header_bytes;                     // of the good file, whose bits are flipped
    std::vector<BadInput> (*inputs)();
};

std::span<const Format> formats();

// Rows by format.
std::vector<BadInput> study_inputs();
std::vector<BadInput> window_state_inputs();
std::vector<BadInput> edge_list_inputs();
std::vector<BadInput> matrix_market_inputs();
std::vector<BadInput> citation_inputs();
std::vector<BadInput> graphml_inputs();
std::vector<BadInput> node_link_inputs();
std::vector<BadInput> numbers_inputs();
std::vector<BadInput> csv_inputs();
std::vector<BadInput> npy_inputs();
std::vector<BadInput> npz_inputs();
std::vector<BadInput> safetensors_inputs();
std::vector<BadInput> recording_inputs();
std::vector<BadInput> tokens_inputs();
std::vector<BadInput> journal_inputs();
std::vector<BadInput> png_inputs();
std::vector<BadInput> jpeg_inputs();
std::vector<BadInput> script_inputs();

// Small sound files.
std::string good_study();
std::string good_window_state();
std::string good_npz();
std::string good_recording();
std::string good_journal();
std::string good_png();
std::string good_jpeg();

/// NPY of this type and shape, with these elements.
std::string npy_of(const std::string& type, const std::string& shape, const std::string& data);
/// A safetensors header of its own length, and so many zeros.
std::string tensors(const std::string& header, std::size_t n_data_bytes = 0);

/// Bytes of a number, the lowest first.
std::string little_endian(std::uint64_t number, std::size_t n_bytes);
std::string repeated(std::string_view text, std::size_t times);

}  // namespace headlight::bad
