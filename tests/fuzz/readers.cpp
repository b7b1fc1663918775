#include "fuzz/readers.h"

#include <algorithm>
#include <iterator>

namespace headlight::fuzz {
namespace {

constexpr Reader kReaders[] = {
    {"adjacency", try_adjacency},
    {"answers", try_answers},
    {"citations", try_citations},
    {"csv", try_csv},
    {"curve_log", try_curve_log},
    {"dot", try_dot},
    {"edge_list", try_edge_list},
    {"exports", try_exports},
    {"expression", try_expression},
    {"gexf", try_gexf},
    {"gml", try_gml},
    {"graph", try_graph},
    {"graphml", try_graphml},
    {"http_answer", try_http_answer},
    {"journal", try_journal},
    {"jpeg", try_jpeg},
    {"lecture", try_lecture},
    {"kept_lecture", try_kept_lecture},
    {"mapping", try_mapping},
    {"matrix_market", try_matrix_market},
    {"model_config", try_model_config},
    {"node_link", try_node_link},
    {"npy", try_npy},
    {"npz", try_npz},
    {"numbers", try_numbers},
    {"pajek", try_pajek},
    {"png", try_png},
    {"recipe", try_recipe},
    {"recording", try_recording},
    {"recording_index", try_recording_index},
    {"safetensors", try_safetensors},
    {"script", try_script},
    {"study", try_study},
    {"tokenizer", try_tokenizer},
    {"tokens", try_tokens},
    {"values_json", try_values_json},
    {"window_state", try_window_state},
};

}  // namespace

std::span<const Reader> readers() {
    return kReaders;
}

const Reader* find_reader(std::string_view name) {
    const auto* found = std::ranges::find(kReaders, name, &Reader::name);
    return found == std::end(kReaders) ? nullptr : found;
}

}  // namespace headlight::fuzz
