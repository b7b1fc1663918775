// The readers as functions from bytes to an answer.
#include <array>
#include <utility>

#include "app/script_parse.h"
#include "bad/bad_inputs.h"
#include "bad/model_readers.h"
#include "core/error.h"
#include "graph/adjacency.h"
#include "graph/dot.h"
#include "graph/edge_list.h"
#include "graph/gml.h"
#include "graph/matrix_market.h"
#include "graph/node_table.h"
#include "graph/pajek.h"
#include "io/arrays/npy.h"
#include "io/arrays/npz.h"
#include "io/arrays/recording.h"
#include "io/arrays/recording_index.h"
#include "io/arrays/safetensors.h"
#include "io/graphs/gexf.h"
#include "io/graphs/graphml.h"
#include "io/graphs/json_graphs.h"
#include "io/pictures/picture.h"
#include "io/studies/journal.h"
#include "io/studies/study.h"
#include "io/studies/window_state.h"
#include "io/text/csv.h"
#include "io/text/numbers_text.h"
#include "io/tokenizers/read_tokenizer.h"
#include "text/strings.h"

namespace {

/// A few lines of the script language. Real ones would need the window.
constexpr headlight::ScriptLine kLines[] = {
    {"undo", "", nullptr}, {"drag THING by X Y", "", nullptr}, {"expect text TEXT", "", nullptr}};

}  // namespace

std::span<const headlight::ScriptLine> headlight::script_lines() {
    return kLines;
}

namespace headlight::bad {
namespace {

const std::string kName = "input";

/// kRead with the result of `read`, or the message of its Error.
template <typename Read>
std::string answer_of(Read read) {
    try {
        const std::string notes = read();
        return std::string(kRead) + (notes.empty() ? "" : ": " + notes);
    } catch (const Error& error) {
        const std::string what = error.what();
        const std::string front = "[" + kName + "] ";
        return what.starts_with(front) ? what.substr(front.size()) : what;
    }
}

std::string read_study_bytes(std::string_view bytes) {
    return answer_of([&] {
        static_cast<void>(read_study(bytes, kName));
        return "";
    });
}

std::string read_window_state_bytes(std::string_view bytes) {
    return answer_of([&] {
        static_cast<void>(parse_window_state(bytes, kName));
        return "";
    });
}

std::string read_edges(std::string_view bytes) {
    return answer_of([&] { return notes_text(read_edge_list(bytes, Directed::No, kName).notes); });
}

std::string read_market(std::string_view bytes) {
    return answer_of([&] { return notes_text(read_matrix_market(bytes, kName).notes); });
}

/// Reads a node table and, after a form feed if there is one, citations.
std::string read_citation_files(std::string_view bytes) {
    return answer_of([&] {
        const std::size_t end = bytes.find('\f');
        if (end == std::string_view::npos) return notes_text(read_node_table(bytes, kName).notes);
        return notes_text(
            read_citations({bytes.substr(0, end), kName, bytes.substr(end + 1), "cites"}).notes);
    });
}

std::string read_gexf_bytes(std::string_view bytes) {
    return answer_of([&] { return notes_text(read_gexf(bytes, kName).notes); });
}

std::string read_gml_bytes(std::string_view bytes) {
    return answer_of([&] { return notes_text(read_gml(bytes, Directed::No, kName).notes); });
}

std::string read_dot_bytes(std::string_view bytes) {
    return answer_of([&] { return notes_text(read_dot(bytes, kName).notes); });
}

std::string read_pajek_bytes(std::string_view bytes) {
    return answer_of([&] { return notes_text(read_pajek(bytes, kName).notes); });
}

/// Reads a list after a form feed, else a matrix.
std::string read_adjacency_bytes(std::string_view bytes) {
    return answer_of([&] {
        if (bytes.starts_with('\f'))
            return notes_text(read_adjacency_list(bytes.substr(1), Directed::No, kName).notes);
        return notes_text(read_adjacency_matrix(bytes, Directed::No, kName).notes);
    });
}

std::string read_graphml_bytes(std::string_view bytes) {
    return answer_of([&] { return notes_text(read_graphml(bytes, kName).notes); });
}

std::string read_node_link_bytes(std::string_view bytes) {
    return answer_of([&] {
        const JsonSource source{kName, parse_json(bytes, kName)};
        return notes_text(read_json_graph(source, Directed::No).notes);
    });
}

std::string read_numbers_text(std::string_view bytes) {
    return answer_of([&] {
        const Matrix values = read_numbers(bytes);
        return shape_text(values.rows(), values.cols());
    });
}

std::string read_csv_bytes(std::string_view bytes) {
    return answer_of([&] {
        const CsvMatrix csv = read_csv(bytes, kName);
        return shape_text(csv.values.rows(), csv.values.cols()) +
               (csv.has_decimal_commas ? ", decimal commas" : "");
    });
}

std::string read_npy_bytes(std::string_view bytes) {
    return answer_of([&] {
        const Matrix values = read_npy(bytes, kName);
        return shape_text(values.rows(), values.cols());
    });
}

std::string shapes_of(const NamedMatrices& matrices) {
    std::string text;
    for (const auto& [name, values] : matrices)
        text += (text.empty() ? "" : ", ") + printable(name) + " " +
                shape_text(values.rows(), values.cols());
    return text;
}

std::string read_npz_bytes(std::string_view bytes) {
    return answer_of([&] { return shapes_of(read_npz(bytes, kName)); });
}

std::string read_safetensors_bytes(std::string_view bytes) {
    return answer_of([&] { return shapes_of(read_safetensors(bytes, kName)); });
}

std::string read_recording_bytes(std::string_view bytes) {
    return answer_of([&] {
        const RecordedStudy study = read_recording(bytes_in_memory(bytes, kName));
        std::string text = std::to_string(study.attentions[0].n_layers) + " layers of " +
                           std::to_string(study.attentions[0].n_heads) + " heads, " +
                           std::to_string(study.text.tokens.size()) + " tokens";
        for (const std::string& note : study.notes) text += "; " + note;
        return text;
    });
}

/// Of an index without its shards: texts, and heads of each.
std::string read_recording_index_bytes(std::string_view bytes) {
    return answer_of([&] {
        const RecordingIndex index =
            read_recording_index({kName, parse_json(bytes, kName)}, ShardsAre::Beside);
        return std::to_string(index.texts->size()) + " texts, " +
               std::to_string(count_recorded_patterns(index.attentions)) + " heads";
    });
}

/// Reads tokens for patterns of two rows.
std::string read_tokens_bytes(std::string_view bytes) {
    return answer_of([&] {
        std::string text;
        for (const std::string& token : read_tokens(std::string(bytes), kName, 2))
            text += (text.empty() ? "" : ", ") + in_quotes(token);
        return text;
    });
}

/// Reads a tokenizer, splits a text that has blanks, capitals, digits and an accent, and joins it.
std::string read_tokenizer_bytes(std::string_view bytes) {
    return answer_of([&] {
        const auto tokenizer = read_tokenizer_json(bytes, kName);
        std::vector<PieceId> ids;
        for (const Token& token : tokenizer->encode(" ab A b1 é,")) ids.push_back(token.id);
        static_cast<void>(tokenizer->decode(ids));
        return std::to_string(ids.size()) + " tokens";
    });
}

std::string read_config_bytes(std::string_view bytes) {
    return answer_of([&] { return model_by_config(bytes, kName); });
}

std::string read_index_bytes(std::string_view bytes) {
    return answer_of([&] { return arrays_by_index(bytes, kName); });
}

/// What could be read and what could not.
std::string read_journal_bytes(std::string_view bytes) {
    const JournalContents contents = read_journal(bytes);
    if (contents.unsaved.works.empty() && !contents.problem.empty()) return contents.problem;
    std::string text(kRead);
    for (const auto& [place, work] : contents.unsaved.works)
        text += ": work " + std::to_string(place) + " of " +
                std::to_string(work.history.steps().size()) + " steps";
    return text + (contents.problem.empty() ? "" : ", " + contents.problem);
}

std::string size_of(const Pixels& picture) {
    return shape_text(picture.width, picture.height);
}

std::string read_png_bytes(std::string_view bytes) {
    return answer_of([&] { return size_of(read_png(bytes, kName)); });
}

std::string read_jpeg_bytes(std::string_view bytes) {
    return answer_of([&] { return size_of(read_jpeg(bytes, kName)); });
}

std::string read_script(std::string_view bytes) {
    return answer_of([&] { return std::to_string(parse_script(bytes, kName).size()) + " steps"; });
}

const Matrix kMatrix = Matrix::Constant(2, 3, Scalar(0.5));

}  // namespace

std::span<const Format> formats() {
    static const std::array<Format, 27> table = {{
        {"study", read_study_bytes, good_study, 400, study_inputs},
        {"window_state", read_window_state_bytes, good_window_state, 400, window_state_inputs},
        {"tokenizer", read_tokenizer_bytes, good_tokenizer, 400, tokenizer_inputs},
        {"model_config", read_config_bytes, good_model_config, 400, model_config_inputs},
        {"model_index", read_index_bytes, good_model_index, 400, model_index_inputs},
        {"edge_list", read_edges,
         [] { return std::string("source,target,weight\na,b,0.5\nb,\"c\"\n# group 1: a\n"); }, 400,
         edge_list_inputs},
        {"matrix_market", read_market,
         [] {
             return std::string(
                 "%%MatrixMarket matrix coordinate real symmetric\n%\n3 3 2\n2 1 0.5\n3 3 1\n");
         },
         400, matrix_market_inputs},
        {"citations", read_citation_files,
         [] { return std::string("1\t0\t1\tred\n2\t1\t0.5\tblue\n\f1\t2\n2\t1\n"); }, 400,
         citation_inputs},
        {"graphml", read_graphml_bytes,
         [] {
             return std::string(
                 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml><key id=\"w\" for=\"edge\" "
                 "attr.name=\"weight\"/><graph edgedefault=\"directed\"><node id=\"a&amp;\"/><node "
                 "id=\"b\"/><!-- c --><edge source=\"a&amp;\" target=\"b\"><data key=\"w\">2</data>"
                 "</edge></graph></graphml>\n");
         },
         400, graphml_inputs},
        {"gexf", read_gexf_bytes,
         [] {
             return std::string(
                 "<?xml version=\"1.0\"?>\n<gexf><graph defaultedgetype=\"directed\"><nodes><node "
                 "id=\"a\" label=\"A\"/><node id=\"b\"/></nodes><edges><edge source=\"a\" "
                 "target=\"b\" weight=\"2\"/></edges></graph></gexf>\n");
         },
         400, gexf_inputs},
        {"gml", read_gml_bytes,
         [] {
             return std::string(
                 "graph [ directed 1 node [ id 0 label \"&quot;a&#233;\" ] node [ id 1 graphics [ "
                 "x "
                 "1 ] ] edge [ source 0 target 1 weight 2 ] ]\n");
         },
         400, gml_inputs},
        {"dot", read_dot_bytes,
         [] {
             return std::string(
                 "digraph \"g\" { a [label=\"A\", pos=\"1,2\"]; a -> { b c } -> d [weight=2] /* "
                 "*/ }\n");
         },
         400, dot_inputs},
        {"pajek", read_pajek_bytes,
         [] {
             return std::string(
                 "*Vertices 3\n1 \"a b\" 0.5 0.5\n2 c 0 1\n*Arcs\n1 2 0.5\n*Edgeslist\n3 1 2\n");
         },
         400, pajek_inputs},
        {"adjacency", read_adjacency_bytes,
         [] { return std::string(",a,b,c\na,0,1,0\nb,1,0,2.5\nc,0,2.5,0\n"); }, 400,
         adjacency_inputs},
        {"node_link", read_node_link_bytes,
         [] {
             return std::string(
                 "{\"directed\": true, \"nodes\": [{\"id\": 1, \"x\": 0.5, \"y\": 1}, {\"id\": "
                 "\"b\"}], \"links\": [{\"source\": 1, \"target\": \"b\", \"weight\": 2}]}\n");
         },
         400, node_link_inputs},
        {"numbers", read_numbers_text, [] { return std::string("1\t-0.5\n2e3\t-inf\n"); }, 400,
         numbers_inputs},
        {"csv", read_csv_bytes,
         [] { return std::string(",a,\"b \"\"c\"\"\"\nx,1,2.5\n\"y\",-3,-inf\n"); }, 400,
         csv_inputs},
        {"npy", read_npy_bytes, [] { return write_npy(kMatrix); }, 128, npy_inputs},
        {"npz", read_npz_bytes, good_npz, 1000, npz_inputs},
        {"safetensors", read_safetensors_bytes,
         [] {
             return write_safetensors({{"W", kMatrix}, {"b", Matrix::Ones(3, 1)}});
         },
         200, safetensors_inputs},
        {"recording", read_recording_bytes, good_recording, 400, recording_inputs},
        {"recording_index", read_recording_index_bytes, good_recording_index, 400,
         recording_index_inputs},
        {"tokens", read_tokens_bytes, [] { return std::string("[\"The\", \"cat\"]\n"); }, 400,
         tokens_inputs},
        {"journal", read_journal_bytes, good_journal, 400, journal_inputs},
        {"png", read_png_bytes, good_png, 200, png_inputs},
        {"jpeg", read_jpeg_bytes, good_jpeg, 400, jpeg_inputs},
        {"script", read_script, [] { return std::string("# a\nexpect text tired\nundo\n"); }, 400,
         script_inputs},
    }};
    return table;
}

std::string little_endian(std::uint64_t number, std::size_t n_bytes) {
    std::string bytes;
    for (std::size_t k = 0; k < n_bytes; ++k, number >>= 8)
        bytes += static_cast<char>(number & 0xFF);
    return bytes;
}

std::string repeated(std::string_view text, std::size_t times) {
    if (text.size() == 1) return std::string(times, text.front());
    std::string all;
    all.reserve(text.size() * times);
    for (std::size_t k = 0; k < times; ++k) all += text;
    return all;
}

}  // namespace headlight::bad
