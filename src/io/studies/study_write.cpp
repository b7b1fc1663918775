#include <algorithm>
#include <fmt/format.h>
#include <system_error>

#include "io/files/checksum.h"
#include "io/studies/study.h"
#include "io/text/json_text.h"
#include "model/settings/setting_text.h"
#include "model/settings/study_settings.h"
#include "text/strings.h"

namespace headlight {
namespace {

/// Writes objects one member a line, indented.
class StudyWriter {
  public:
    explicit StudyWriter(const StudyPlace& place) : place_(place) {}

    /// Returns the folder and the file of weights that the text is written for.
    const StudyPlace& place() const { return place_; }
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

    const StudyPlace& place_;
    std::string text_;
    std::size_t depth_ = 0;
    bool is_first_ = true;
};

void write_document(StudyWriter& writer, const Document& document, const ViewWords& view);

/// The members of an object of settings.
class SettingsWriter {
  public:
    explicit SettingsWriter(StudyWriter& writer) : writer_(writer) {}

    void section(const char*) {}
    void number(const Field& field, int& value, Range<int>) { writer_.member(field.key, value); }
    void number(const Field& field, float& value, Range<float>) {
        writer_.member(field.key, json_number(value));
    }
    void widths(const Field& field, Widths& value, WidthRange) {
        const std::string text = setting_text(value);
        writer_.member(field.key, value.values.size() == 1 ? text : fmt::format("[{}]", text));
    }
    template <typename Choice, std::size_t n>
    void choice(const Field& field, Choice& value, const EnumNames<Choice, n>& words) {
        writer_.word(field.key, word_for(words, value));
    }
    void flag(const Field& field, Switch& value) { writer_.member(field.key, value == Switch::On); }
    template <typename Settings>
    void group(const Field& field, Settings& settings) {
        writer_.key(field.key);
        writer_.open('{');
        visit_fields(settings, *this);
        writer_.close('}');
    }

  private:
    StudyWriter& writer_;
};

std::string features_text(std::span<const float> features) {
    if (features.empty()) return "";
    std::string text = ", \"features\": [";
    for (std::size_t f = 0; f < features.size(); ++f)
        text += (f == 0 ? "" : ", ") + json_number(features[f]);
    return text + "]";
}

void write_graph(StudyWriter& writer, const Graph& graph) {
    writer.key("graph");
    writer.open('{');
    writer.word("title", graph.title);
    writer.member("directed", graph.directed);
    writer.key("nodes");
    writer.open('[');
    for (const Node& node : graph.nodes)
        writer.element(fmt::format(
            R"({{"name": {}, "x": {}, "y": {}, "group": {}{}{}{}}})", json_string(node.name),
            json_number(node.x), json_number(node.y), node.group,
            node.word.empty() ? "" : ", \"word\": " + json_string(node.word),
            node.drawn_as.empty() ? "" : ", \"drawn_as\": " + json_string(node.drawn_as),
            features_text(node.features.values())));
    writer.close(']');
    const auto name = [&](int node) {
        return json_string(graph.nodes[static_cast<std::size_t>(node)].name);
    };
    writer.key("edges");
    writer.open('[');
    for (const Edge& edge : graph.edges)
        writer.element(fmt::format("[{}, {}{}]", name(edge.source), name(edge.target),
                                   edge.weight == 1 ? "" : ", " + json_number(edge.weight)));
    writer.close(']');
    writer.close('}');
}

/// Returns the number of columns if the held cells fill a rectangle from 0, 0; else 0.
Index full_width(const std::vector<CellValue>& cells) {
    if (cells.size() < 2) return 0;
    const Index n_rows = cells.back().row + 1;
    Index n_columns = 0;
    for (const CellValue& cell : cells) n_columns = std::max(n_columns, cell.column + 1);
    return static_cast<std::size_t>(n_rows * n_columns) == cells.size() ? n_columns : 0;
}

void write_matrix(StudyWriter& writer, const std::vector<CellValue>& cells, Index n_columns) {
    writer.key("matrix");
    writer.open('[');
    std::string row;
    for (const CellValue& cell : cells) {
        row += (cell.column == 0 ? "[" : ", ") + json_number(cell.value);
        if (cell.column + 1 < n_columns) continue;
        writer.element(row + "]");
        row.clear();
    }
    writer.close(']');
}

void write_cells(StudyWriter& writer, const std::vector<CellValue>& cells) {
    writer.key("cells");
    writer.open('[');
    for (const CellValue& cell : cells)
        writer.element(fmt::format("[{}, {}, {}]", cell.row, cell.column, json_number(cell.value)));
    writer.close(']');
}

void write_intervention(StudyWriter& writer, const Intervention& intervention) {
    writer.open('{');
    if (!intervention.is_on) writer.member("on", intervention.is_on);
    if (intervention.rows != RowRule::Keep)
        writer.word("rows", word_for(kRowWords, intervention.rows));
    if (intervention.ablation != Ablation::None)
        writer.word("ablation", word_for(kAblationWords, intervention.ablation));
    if (!intervention.added.empty())
        writer.member("add", "[" + joined(intervention.added, ", ", json_number) + "]");
    if (const Index n_columns = full_width(intervention.cells))
        write_matrix(writer, intervention.cells, n_columns);
    else if (!intervention.cells.empty() || !intervention.is_of_all_rows())
        write_cells(writer, intervention.cells);
    writer.close('}');
}

void write_input(StudyWriter& writer, const SentenceStudy& study) {
    writer.word("kind", "sentence");
    writer.word("text", study.text);
}

void write_input(StudyWriter& writer, const AlignmentStudy& study) {
    writer.word("kind", "alignment");
    writer.word("source", study.source);
    writer.word("target", study.target);
}

void write_input(StudyWriter& writer, const GraphStudy& study) {
    writer.word("kind", "graph");
    write_graph(writer, study.graph);
}

void write_size(StudyWriter& writer, const char* key, PictureSize size) {
    if (!size.is_empty()) writer.member(key, fmt::format("[{}, {}]", size.rows, size.columns));
}

void write_picture(StudyWriter& writer, const ImageFile& picture) {
    const PicturePreparation& preparation = picture.preparation;
    writer.key("picture");
    writer.open('{');
    if (!picture.file.empty()) {
        writer.word("file", stored_path(picture.file));
        writer.word("checksum", checksum_text(picture.checksum));
    }
    writer.word("resample", word_for(kResampleWords, preparation.resample));
    if (preparation.shortest > 0) writer.member("shortest", std::to_string(preparation.shortest));
    write_size(writer, "size", preparation.size);
    write_size(writer, "crop", preparation.crop);
    writer.close('}');
}

void write_input(StudyWriter& writer, const ImageStudy& study) {
    writer.word("kind", "image");
    if (study.picture) return write_picture(writer, *study.picture);
    writer.key("pixels");
    writer.open('[');
    auto channel = study.pixels.begin();
    for (int row = 0; row < study.rows; ++row) {
        std::string pixels;
        for (int column = 0; column < study.columns; ++column) {
            std::string pixel;
            for (int c = 0; c < study.channels; ++c)
                pixel += (c == 0 ? "" : ", ") + json_number(*channel++);
            pixels += (column == 0 ? "[" : ", [") + pixel + "]";
        }
        writer.element(fmt::format("[{}]", pixels));
    }
    writer.close(']');
}

void write_tokens(StudyWriter& writer, const char* key, const std::vector<std::string>& tokens) {
    writer.key(key);
    writer.open('[');
    for (const std::string& token : tokens) writer.element(json_string(token));
    writer.close(']');
}

void write_input(StudyWriter& writer, const RecordedStudy& study) {
    writer.word("kind", "recorded");
    if (study.joined) {
        writer.key("joined");
        write_document(writer, *study.joined, {});
    } else {
        writer.word("file", stored_path(study.file));
    }
    if (study.count_texts() > 1 || study.text_number > 0)
        writer.member("text_number", std::to_string(study.text_number + 1));
    if (!study.graph.nodes.empty()) return write_graph(writer, study.graph);
    write_tokens(writer, "tokens", study.text.tokens);
    if (!study.text.source.empty()) write_tokens(writer, "source", study.text.source);
}

/// Returns the file's name in a study in `folder`: files in that folder move with the study.
std::string name_within(const std::string& file, const std::filesystem::path& folder) {
    if (folder.empty()) return file;
    std::error_code ignored;
    const auto relative = std::filesystem::path(file).lexically_relative(
        std::filesystem::absolute(folder, ignored).lexically_normal());
    return relative.empty() || *relative.begin() == ".." ? file : relative.native();
}

void write_names(StudyWriter& writer, const char* key, const SharedNames& names) {
    if (!names) return;
    writer.member(key, fmt::format("[{}]", joined(*names, ", ", json_string)));
}

void write_matrices(StudyWriter& writer, const WeightMatrices& matrices) {
    writer.key("matrices");
    writer.open('{');
    for (const auto& [path, matrix] : matrices) {
        writer.key(path);
        writer.open('{');
        write_names(writer, "rows", matrix.row_names);
        write_names(writer, "columns", matrix.column_names);
        writer.key("values");
        writer.open('[');
        for (Index i = 0; i < matrix.values->rows(); ++i)
            writer.element(json_row(*matrix.values, i));
        writer.close(']');
        writer.close('}');
    }
    writer.close('}');
}

/// Writes weights in files of their own as file, or a model's folder, and checksum.
void write_weights(StudyWriter& writer, const Weights& weights) {
    const StudyPlace& place = writer.place();
    writer.key("weights");
    writer.open('{');
    writer.word("origin", weights.origin);
    if (weights.is_inside) {
        write_matrices(writer, weights.matrices);
    } else if (weights.is_model) {
        writer.word("model", stored_path(name_within(weights.file, place.folder)));
        writer.word("checksum", checksum_text(weights.checksum));
    } else {
        const std::string& named = weights.problem.empty() ? place.weights_file : weights.file;
        if (!named.empty()) writer.word("file", named);
        writer.word("checksum", checksum_text(weights.checksum));
    }
    writer.close('}');
}

/// Writes a view. An option that is repeated has a list.
void write_view(StudyWriter& writer, const ViewWords& view) {
    if (view.empty()) return;
    writer.key("view");
    writer.open('{');
    for (auto word = view.begin(); word != view.end(); ++word) {
        if (std::find_if(view.begin(), word,
                         [&](const ViewWord& before) { return before.name == word->name; }) != word)
            continue;  // in the list of the first one
        std::string values;
        std::size_t n = 0;
        for (const ViewWord& other : view) {
            if (other.name != word->name) continue;
            values += (n++ > 0 ? ", " : "") + json_string(other.value);
        }
        writer.member(word->name, n > 1 ? fmt::format("[{}]", values) : values);
    }
    writer.close('}');
}

/// Returns the study with its file named relative to the folder; nothing if it has no file, or if
/// the file is named so already.
std::optional<Document> with_names_within(const Document& document,
                                          const std::filesystem::path& folder) {
    const auto file_of = [](auto& any) {
        if (auto* recorded = any.recorded()) return &recorded->file;
        auto* image = any.image();
        return image && image->picture ? &image->picture->file : nullptr;
    };
    const std::string* file = file_of(document);
    if (folder.empty() || !file || file->empty()) return std::nullopt;
    std::string name = name_within(*file, folder);
    if (name == *file) return std::nullopt;
    Document named = document;
    *file_of(named) = std::move(name);
    return named;
}

void write_document(StudyWriter& writer, const Document& document, const ViewWords& view) {
    if (const auto named = with_names_within(document, writer.place().folder))
        return write_document(writer, *named, view);
    writer.open('{');
    writer.member("headlight", kStudyVersion);
    std::visit(
        [&](auto study) {
            write_input(writer, study);
            SettingsWriter settings(writer);
            visit_fields(study, settings);
        },
        document.study);
    writer.member("seed", std::to_string(document.seed));
    if (document.weights) write_weights(writer, *document.weights);
    write_view(writer, view);
    writer.key("edits");
    writer.open('{');
    for (const auto& [path, intervention] : document.interventions) {
        writer.key(path);
        write_intervention(writer, intervention);
    }
    writer.close('}');
    writer.close('}');
}

}  // namespace

std::string write_study(const Document& document, const StudyPlace& place, const ViewWords& view) {
    StudyWriter writer(place);
    write_document(writer, document, view);
    return writer.take();
}

std::string write_edit(const Intervention& intervention) {
    const StudyPlace nowhere;
    StudyWriter writer(nowhere);
    write_intervention(writer, intervention);
    return writer.take();
}

}  // namespace headlight
