// The table of broken inputs: what each reader gets, and what it must answer.
//
// Every reader has rows and a good file. Every prefix of that file, and every change of one bit,
// must be refused or read, and nothing else may happen.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::bad {

/// An input, and what `read` must answer: the message of the Error, without the file name "input"
/// in front; or kRead; or, if there are notes, kRead with the notes.
/// ⟨words⟩ stands for any words of a library.
struct BadInput {
    const char* what;
    std::string bytes;
    std::string answer;
    std::string or_answer = {};  // the answer with another release of a library
};

inline constexpr std::string_view kRead = "read";

/// A reader and its rows of the table.
struct Format {
    const char* name;                             // also the name of its fuzz target
    std::string (*read)(std::string_view bytes);  // answers as above
    std::string (*good)();                        // a small valid file
    std::size_t header_bytes;                     // of the good file; their bits are flipped
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
std::vector<BadInput> gexf_inputs();
std::vector<BadInput> gml_inputs();
std::vector<BadInput> dot_inputs();
std::vector<BadInput> pajek_inputs();
std::vector<BadInput> adjacency_inputs();
std::vector<BadInput> node_link_inputs();
std::vector<BadInput> numbers_inputs();
std::vector<BadInput> csv_inputs();
std::vector<BadInput> npy_inputs();
std::vector<BadInput> npz_inputs();
std::vector<BadInput> safetensors_inputs();
std::vector<BadInput> recording_inputs();
std::vector<BadInput> recording_index_inputs();
std::vector<BadInput> tokens_inputs();
std::vector<BadInput> journal_inputs();
std::vector<BadInput> png_inputs();
std::vector<BadInput> jpeg_inputs();
std::vector<BadInput> script_inputs();
std::vector<BadInput> tokenizer_inputs();
std::vector<BadInput> model_config_inputs();
std::vector<BadInput> model_index_inputs();

// Small valid files.
std::string good_study();
std::string good_window_state();
std::string good_npz();
std::string good_recording();
std::string good_recording_index();
std::string good_journal();
std::string good_png();
std::string good_jpeg();
std::string good_tokenizer();
std::string good_model_config();
std::string good_model_index();

/// An NPY file with this type, shape and data.
std::string npy_of(const std::string& type, const std::string& shape, const std::string& data);
/// A safetensors file: the length of the header, the header, and n_data_bytes zeros.
std::string tensors(const std::string& header, std::size_t n_data_bytes = 0);

/// The bytes of a number, the lowest first.
std::string little_endian(std::uint64_t number, std::size_t n_bytes);
std::string repeated(std::string_view text, std::size_t times);

}  // namespace headlight::bad
