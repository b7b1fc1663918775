// The readers of bytes that a stranger may have written, each as a function that tries an input.
//
// Goals: one row a reader; the same rows are replayed over corpus/ by every build (replay.cpp) and
// are given made-up inputs by libFuzzer (fuzzer.cpp).
#pragma once

#include <span>
#include <string_view>

namespace headlight::fuzz {

struct Reader {
    std::string_view name;  // also of its folder in corpus/
    void (*try_input)(std::string_view bytes);
};

/// All readers, by name.
std::span<const Reader> readers();

/// Null if there is no such reader.
const Reader* find_reader(std::string_view name);

// Each reads the input, and ends the program if the reader does anything but accept it or throw an
// Error that names a place.

/// Adjacency matrices and, after a form feed, lists.
void try_adjacency(std::string_view bytes);
/// Answers of a student; they are written and read again the same.
void try_answers(std::string_view bytes);
/// A table of nodes and, after a form feed, citations.
void try_citations(std::string_view bytes);
/// Matrices as CSV; they are written as TSV and read again the same.
void try_csv(std::string_view bytes);
/// Tables of curves, whose steps do not go back.
void try_curve_log(std::string_view bytes);
/// DOT.
void try_dot(std::string_view bytes);
/// Edge lists; they are written and read again the same.
void try_edge_list(std::string_view bytes);
/// Exports of any numbers and labels are well-formed, and formats of numbers are read back the
/// same. The first byte is the number of columns. Then come numbers of four bytes each up to a
/// number 0, then the labels, one per line.
void try_exports(std::string_view bytes);
/// Expressions, which are evaluated on a small network.
void try_expression(std::string_view bytes);
/// GEXF.
void try_gexf(std::string_view bytes);
/// GML.
void try_gml(std::string_view bytes);
/// Texts of any format of graphs.
void try_graph(std::string_view bytes);
/// GraphML.
void try_graphml(std::string_view bytes);
/// The lines that a server sends before the bytes of a file.
void try_http_answer(std::string_view bytes);
/// Journals, unchanged and with correct checksums.
void try_journal(std::string_view bytes);
/// JPEG pictures.
void try_jpeg(std::string_view bytes);
/// Lectures, with the texts and tasks of their pages; they are written and read again the same.
void try_lecture(std::string_view bytes);
/// Kept lectures with the steps that undo leads to.
void try_kept_lecture(std::string_view bytes);
/// Mappings of arrays to tensors; they are written and read again the same.
void try_mapping(std::string_view bytes);
/// Graphs in Matrix Market format.
void try_matrix_market(std::string_view bytes);
/// The config.json of a pretrained model, and the network that it asks for.
void try_model_config(std::string_view bytes);
/// Node-link JSON.
void try_node_link(std::string_view bytes);
/// NPY.
void try_npy(std::string_view bytes);
/// NPZ.
void try_npz(std::string_view bytes);
/// Numbers of the clipboard; they are written and read again the same.
void try_numbers(std::string_view bytes);
/// Pajek's networks.
void try_pajek(std::string_view bytes);
/// PNG pictures.
void try_png(std::string_view bytes);
/// Recipes of trainings; they are written and read again the same.
void try_recipe(std::string_view bytes);
/// Recorded attention, whose first and last rows are read.
void try_recording(std::string_view bytes);
/// The index of a recording of several texts; one of its pieces has every head.
void try_recording_index(std::string_view bytes);
/// Safetensors.
void try_safetensors(std::string_view bytes);
/// Scripts, with a few of their lines.
void try_script(std::string_view bytes);
/// Studies; they are written and read again the same.
void try_study(std::string_view bytes);
/// A tokenizer.json, and its tokens of a text that has some of everything.
void try_tokenizer(std::string_view bytes);
/// Lists of tokens, for two rows and for as many as the first byte says.
void try_tokens(std::string_view bytes);
/// Values as JSON.
void try_values_json(std::string_view bytes);
/// The state of the window.
void try_window_state(std::string_view bytes);

}  // namespace headlight::fuzz
