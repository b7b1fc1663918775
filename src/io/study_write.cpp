#include <algorithm>

#include "io/json_text.h"
#include "io/study.h"
#include "io/study_words.h"

namespace headlight {
namespace {

/// Writes objects one member a line, indented.
class Writer {
  public:
    std::string take() { return std::move(text_) + "\n"; }

    void open(char bracket) {
        text_ += bracket;
        ++depth_;
        is_first_ = true;
    }
    void close(char bracket) {
        --depth_;
        if (!is_first_) new_line();
        text_ += bracket;
        is_first_ = false;
    }
    void element(std::string_view json) {
        next();
        text_ += json;
    }
    void key(std::string_view name) {
        next();
        text_ += json_string(name) + ": ";
    }
    void member(std::string_view name, std::string_view json) {
        key(name);
        text_ += json;
    }
    void member(std::string_view name, int number) { member(name, std::to_string(number)); }
    void member(std::string_view name, bool flag) { member(name, flag ? "true" : "false"); }
    void member(std::string_view name, const char* json) { member(name, std::string_view(json)); }
    void word(std::string_view name, std::string_view word) { member(name, json_string(word)); }

  private:
    void next() {
        if (!is_first_) text_ += ',';
        is_first_ = false;
        new_line();
    }
    void new_line() { text_.append(1, '\n').append(2 * depth_, ' '); }

    std::string text_;
    std::size_t depth_ = 0;
    bool is_first_ = true;
};

void write_layer(Writer& writer, const SelfAttentionSettings& layer) {
    writer.member("n_layers", layer.n_layers);
    writer.member("n_heads", layer.n_heads);
    writer.member("d_model", layer.d_model);
    writer.member("d_k", layer.d_k);
    writer.member("d_v", layer.d_v);
    writer.word("mask", word_for(kMaskWords, layer.mask));
    writer.word("positions", word_for(kPositionWords, layer.positions));
    writer.member("residual", layer.residual == Residual::On);
}

void write_layer(Writer& writer, const GraphAttentionSettings& layer, SelfLoops self_loops) {
    writer.member("n_heads", layer.n_heads);
    writer.member("d_in", layer.d_in);
    writer.member("d_out", layer.d_out);
    writer.member("slope", json_number(layer.slope));
    writer.word("combine", word_for(kCombineWords, layer.combine));
    writer.word("activation", word_for(kActivationWords, layer.activation));
    writer.member("self_loops", self_loops == SelfLoops::On);
}

void write_graph(Writer& writer, const Graph& graph) {
    writer.word("title", graph.title);
    writer.member("directed", graph.directed);
    writer.key("nodes");
    writer.open('[');
    for (const Node& node : graph.nodes)
        writer.element("{\"name\": " + json_string(node.name) + ", \"x\": " + json_number(node.x) +
                       ", \"y\": " + json_number(node.y) +
                       ", \"group\": " + std::to_string(node.group) + "}");
    writer.close(']');
    const auto name = [&](int node) {
        return json_string(graph.nodes[static_cast<std::size_t>(node)].name);
    };
    writer.key("edges");
    writer.open('[');
    for (const Edge& edge : graph.edges)
        writer.element("[" + name(edge.source) + ", " + name(edge.target) + "]");
    writer.close(']');
}

/// The number of columns if the held cells fill a rectangle from 0, 0; else 0.
Index full_width(const std::vector<HeldCell>& cells) {
    if (cells.size() < 2) return 0;
    const Index n_rows = cells.back().row + 1;
    Index n_columns = 0;
    for (const HeldCell& cell : cells) n_columns = std::max(n_columns, cell.column + 1);
    return static_cast<std::size_t>(n_rows * n_columns) == cells.size() ? n_columns : 0;
}

void write_matrix(Writer& writer, const std::vector<HeldCell>& cells, Index n_columns) {
    writer.key("matrix");
    writer.open('[');
    std::string row;
    for (const HeldCell& cell : cells) {
        row += (cell.column == 0 ? "[" : ", ") + json_number(cell.value);
        if (cell.column + 1 < n_columns) continue;
        writer.element(row + "]");
        row.clear();
    }
    writer.close(']');
}

void write_cells(Writer& writer, const std::vector<HeldCell>& cells) {
    writer.key("cells");
    writer.open('[');
    for (const HeldCell& cell : cells)
        writer.element("[" + std::to_string(cell.row) + ", " + std::to_string(cell.column) + ", " +
                       json_number(cell.value) + "]");
    writer.close(']');
}

void write_edits(Writer& writer, const Holds& holds) {
    for (const auto& [path, hold] : holds) {
        writer.key(path);
        writer.open('{');
        if (hold.rows != RowRule::Keep) writer.word("rows", word_for(kRowWords, hold.rows));
        if (const Index n_columns = full_width(hold.cells))
            write_matrix(writer, hold.cells, n_columns);
        else
            write_cells(writer, hold.cells);
        writer.close('}');
    }
}

void write_input(Writer& writer, const SentenceStudy& study) {
    writer.member("kind", "\"sentence\"");
    writer.word("text", study.text);
    writer.key("layer");
    writer.open('{');
    write_layer(writer, study.layer);
    writer.close('}');
}

void write_input(Writer& writer, const GraphStudy& study) {
    writer.member("kind", "\"graph\"");
    writer.key("graph");
    writer.open('{');
    write_graph(writer, study.graph);
    writer.close('}');
    writer.key("layer");
    writer.open('{');
    write_layer(writer, study.layer, study.self_loops);
    writer.close('}');
}

}  // namespace

std::string write_study(const Document& document) {
    Writer writer;
    writer.open('{');
    writer.member("headlight", kStudyVersion);
    std::visit([&](const auto& study) { write_input(writer, study); }, document.study);
    writer.member("seed", std::to_string(document.seed));
    writer.key("edits");
    writer.open('{');
    write_edits(writer, document.holds);
    writer.close('}');
    writer.close('}');
    return writer.take();
}

}  // namespace headlight
