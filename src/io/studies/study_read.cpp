#include <algorithm>
#include <limits>
#include <set>
#include <unordered_map>

#include "graph/graph.h"
#include "io/files/checksum.h"
#include "io/graphs/json_graphs.h"
#include "io/studies/study.h"
#include "io/text/json_text.h"
#include "io/text/json_view.h"
#include "model/document.h"
#include "model/settings/picture.h"
#include "model/settings/setting_names.h"
#include "model/settings/setting_text.h"
#include "model/settings/study_settings.h"
#include "model/weights.h"
#include "text/strings.h"
#include "text/words.h"

namespace headlight {
namespace {

/// [rows, columns]
PictureSize read_picture_size(const JsonView& picture, const char* key) {
    const auto found = picture.find(key);
    if (!found) return {};
    if (found->size() != 2) found->fail("must be [rows, columns]");
    const auto side = [&](std::size_t k) {
        return static_cast<int>((*found)[k].integer(1, kMaxPreparedSide));
    };
    return {side(0), side(1)};
}

/// Reads the description of a picture; its file is opened later (io/pictures/given_picture.h).
/// Throws Error with the line and the key.
ImageFile read_given_picture(const JsonView& picture) {
    picture.expect_keys({"file", "checksum", "resample", "shortest", "size", "crop"});
    ImageFile given;
    if (const auto file = picture.find("file"))
        given.file = path_from_stored(file->text()).native();
    if (const auto digits = picture.find("checksum")) {
        const auto sum = parse_checksum(digits->text());
        if (!sum) digits->fail("must be the 16 digits of a checksum");
        given.checksum = *sum;
    }
    PicturePreparation& preparation = given.preparation;
    if (const auto resample = picture.find("resample"))
        preparation.resample = resample->choice(kResampleWords);
    if (const auto shortest = picture.find("shortest"))
        preparation.shortest = static_cast<int>(shortest->integer(1, kMaxPreparedSide));
    preparation.size = read_picture_size(picture, "size");
    preparation.crop = read_picture_size(picture, "crop");
    if (preparation.shortest > 0 && !preparation.size.is_empty())
        picture.fail("has a size or its shortest side, not both");
    return given;
}

SharedNames read_names(const JsonView& object, const char* key, Index size) {
    const auto list = object.find(key);
    if (!list) return nullptr;
    if (static_cast<Index>(list->size()) != size)
        list->fail("has {} for {} {}", counted(static_cast<std::int64_t>(list->size()), "name"),
                   size, key);
    std::vector<std::string> names;
    list->for_each_element([&](const JsonView& name) { names.push_back(name.text()); });
    return std::make_shared<const std::vector<std::string>>(std::move(names));
}

/// {"values": [[…]], "rows": ["the", …], "columns": […]}
WeightMatrix read_weight(const JsonView& object) {
    object.expect_keys({"values", "rows", "columns"});
    const JsonView rows = object.at("values");
    const std::size_t n_columns = rows.size() == 0 ? 0 : rows[0].size();
    Matrix values(static_cast<Index>(rows.size()), static_cast<Index>(n_columns));
    Index i = 0;
    rows.for_each_element([&](const JsonView& row) {
        if (row.size() != n_columns) row.fail("is not as long as the first row");
        Index j = 0;
        row.for_each_element(
            [&](const JsonView& value) { values(i, j++) = value.number(Infinity::Allowed); });
        ++i;
    });
    const Index n_rows = values.rows(), n = values.cols();
    return {.values = std::make_shared<const Matrix>(std::move(values)),
            .row_names = read_names(object, "rows", n_rows),
            .column_names = read_names(object, "columns", n)};
}

/// Reads weights. Weights in a file of their own are not opened yet: until open_weights() has read
/// them, they have a problem.
SharedWeights read_weights_json(const JsonView& object) {
    object.expect_keys({"origin", "file", "model", "checksum", "matrices"});
    const auto origin = object.find("origin"), file = object.find("file"),
               model = object.find("model"), checksum = object.find("checksum"),
               matrices = object.find("matrices");
    if (matrices && (file || model || checksum))
        object.fail("has both 'matrices' and a 'file' or 'model'; keep one");
    if (file && model) object.fail("has both a 'file' and a 'model'; keep one");
    Weights weights;
    if (origin) weights.origin = origin->text();
    if (matrices) {
        WeightMatrices read;
        matrices->for_each_member([&](const std::string& path, const JsonView& matrix) {
            read.emplace(path, read_weight(matrix));
        });
        weights = *make_weights(std::move(read), weights.origin);
        weights.is_inside = true;
        return std::make_shared<const Weights>(std::move(weights));
    }
    if (file) weights.file = file->text();
    if (model) weights.file = path_from_stored(model->text()).native();
    weights.is_model = model.has_value();
    if (checksum) {
        const auto sum = parse_checksum(checksum->text());
        if (!sum) checksum->fail("is no checksum");
        weights.checksum = *sum;
    }
    weights.problem = "is not open: its weights were not there; open the study again";
    return std::make_shared<const Weights>(std::move(weights));
}

constexpr int kMaxInt = std::numeric_limits<int>::max();

/// Reads the settings in an object. A missing setting keeps its default.
class SettingsReader {
  public:
    /// `others` are keys that are no settings.
    explicit SettingsReader(const JsonView& object,
                            std::initializer_list<std::string_view> others = {})
        : object_(object), known_(others) {}

    void section(const char*) {}
    void number(const Field& field, int& value, Range<int> range) {
        if (const auto view = find(field)) value = integer(*view, range);
    }
    void number(const Field& field, float& value, Range<float> range) {
        if (const auto view = find(field))
            value = static_cast<float>(view->number(range.low, range.high));
    }
    void widths(const Field& field, Widths& value, WidthRange range) {
        const auto view = find(field);
        if (!view) return;
        value.values.clear();
        if (!view->is_list()) return value.values.push_back(integer(*view, range));
        view->for_each_element([&](const JsonView& width) {
            value.values.push_back(integer(width, {range.zero ? 1 : range.low, range.high}));
        });
        if (!is_within(value, range))
            view->fail("a list has one number for each {}, 1 to {}", field.each, kMaxHeads);
    }
    template <typename Choice, std::size_t n>
    void choice(const Field& field, Choice& value, const EnumNames<Choice, n>& words) {
        if (const auto view = find(field)) value = view->choice(words);
    }
    void flag(const Field& field, Switch& value) {
        if (const auto view = find(field)) value = view->flag() ? Switch::On : Switch::Off;
    }
    template <typename Settings>
    void group(const Field& field, Settings& settings) {
        const auto view = find(field);
        if (!view) return;
        SettingsReader nested(*view);
        visit_fields(settings, nested);
        nested.expect_no_others();
    }

    void expect_no_others() const { object_.expect_keys(known_); }

  private:
    std::optional<JsonView> find(const Field& field) {
        known_.push_back(field.key);
        return object_.find(field.key);
    }
    static int integer(const JsonView& view, Range<int> range) {
        return static_cast<int>(view.integer(range.low, range.high));
    }

    JsonView object_;
    std::vector<std::string_view> known_;
};

/// Reads the settings of a study; `others` are its other keys.
template <typename AnyStudy>
void read_settings(const JsonView& root, std::initializer_list<std::string_view> others,
                   AnyStudy& study) {
    SettingsReader reader(root, others);
    visit_fields(study, reader);
    reader.expect_no_others();
}

std::string read_text(const JsonView& view) {
    const std::string& text = view.text();
    if (text.size() > kMaxTextBytes)
        view.fail("must be at most {} bytes long, not {}", kMaxTextBytes, text.size());
    const std::size_t n_words = split_words(text).size();
    if (n_words > kMaxWords) view.fail("must have at most {} words, not {}", kMaxWords, n_words);
    return text;
}

SentenceStudy read_sentence(const JsonView& root) {
    SentenceStudy study;
    read_settings(root, {"headlight", "kind", "text", "seed", "weights", "view", "edits"}, study);
    study.text = read_text(root.at("text"));
    return study;
}

AlignmentStudy read_alignment(const JsonView& root) {
    AlignmentStudy study;
    read_settings(
        root, {"headlight", "kind", "source", "target", "seed", "weights", "view", "edits"}, study);
    study.source = read_text(root.at("source"));
    study.target = read_text(root.at("target"));
    return study;
}

class GraphReader {
  public:
    Graph read(const JsonView& object) {
        object.expect_keys({"title", "directed", "nodes", "edges"});
        if (const auto title = object.find("title")) graph_.title = title->text();
        if (const auto directed = object.find("directed")) graph_.directed = directed->flag();
        read_nodes(object.at("nodes"));
        if (const auto edges = object.find("edges")) read_edges(*edges);
        return std::move(graph_);
    }

  private:
    void read_nodes(const JsonView& list) {
        if (list.size() > kMaxNodes) list.fail("at most {} nodes are read", kMaxNodes);
        list.for_each_element([&](const JsonView& node) { read_node(node); });
        if (n_placed_ != 0 && n_placed_ != graph_.nodes.size())
            list.fail("some nodes have a place and some have none; give x and y to all or to none");
    }

    /// "name", or {"name": …, "x": …, "y": …, "group": …, "word": …, "drawn_as": …, "features":
    /// […]}
    void read_node(const JsonView& view) {
        Node node;
        const JsonView name = view.is_text() ? view : view.at("name");
        node.name = name.text();
        if (node.name.empty()) name.fail("must not be empty");
        if (!index_.emplace(node.name, static_cast<int>(graph_.nodes.size())).second)
            name.fail("a second node is called {}; names must differ", in_quotes(node.name));
        if (!view.is_text()) read_node_details(view, node);
        graph_.nodes.push_back(std::move(node));
    }

    void read_node_details(const JsonView& view, Node& node) {
        view.expect_keys({"name", "x", "y", "group", "word", "drawn_as", "features"});
        if (view.find("x").has_value() != view.find("y").has_value())
            view.fail("needs both x and y, or neither");
        if (view.find("x")) ++n_placed_;
        if (const auto x = view.find("x")) node.x = static_cast<float>(x->number());
        if (const auto y = view.find("y")) node.y = static_cast<float>(y->number());
        if (const auto group = view.find("group"))
            node.group = static_cast<int>(group->integer(0, kMaxInt));
        if (const auto word = view.find("word")) node.word = word->text();
        if (const auto drawn_as = view.find("drawn_as")) node.drawn_as = drawn_as->text();
        if (const auto features = view.find("features"))
            node.features = read_features(*features, n_features_);
    }

    void read_edges(const JsonView& list) {
        if (list.size() > kMaxEdges) list.fail("at most {} edges are read", kMaxEdges);
        list.for_each_element([&](const JsonView& edge) { read_edge(edge); });
    }

    /// ["source", "target"], or with a weight ["source", "target", 0.5]
    void read_edge(const JsonView& view) {
        if (view.size() != 2 && view.size() != 3)
            view.fail("an edge has two node names: [\"source\", \"target\"], or also a weight");
        Edge edge{node_named(view[0]), node_named(view[1])};
        if (view.size() == 3) edge.weight = static_cast<float>(view[2].number());
        std::pair ends(edge.source, edge.target);
        if (!graph_.directed && ends.first > ends.second) std::swap(ends.first, ends.second);
        if (!edges_.insert(ends).second)
            view.fail("this edge is here for the second time; keep one");
        graph_.edges.push_back(edge);
    }

    int node_named(const JsonView& view) const {
        const auto it = index_.find(view.text());
        if (it == index_.end()) view.fail("no node is called {}", in_quotes(view.text()));
        return it->second;
    }

    Graph graph_;
    std::unordered_map<std::string, int> index_;  // by name
    std::size_t n_placed_ = 0, n_features_ = 0;
    std::set<std::pair<int, int>> edges_;
};

GraphStudy read_graph(const JsonView& root) {
    GraphStudy study;
    read_settings(root, {"headlight", "kind", "graph", "seed", "weights", "view", "edits"}, study);
    study.graph = GraphReader().read(root.at("graph"));
    return study;
}

/// Returns the length of a list that has one, within the limits.
int read_length(const JsonView& list, int most, const std::string& of_what) {
    if (list.size() == 0 || list.size() > static_cast<std::size_t>(most))
        list.fail("must have 1 to {} {}, not {}", most, of_what, list.size());
    return static_cast<int>(list.size());
}

void expect_length(const JsonView& list, int length, const std::string& of_what) {
    if (list.size() != static_cast<std::size_t>(length))
        list.fail("has {} {}, the first has {}", list.size(), of_what, length);
}

/// Reads rows of pixels, each a list of channels; or a picture in a file.
ImageStudy read_image(const JsonView& root) {
    ImageStudy study;
    read_settings(root,
                  {"headlight", "kind", "pixels", "picture", "seed", "weights", "view", "edits"},
                  study);
    if (const auto picture = root.find("picture")) {
        if (root.find("pixels")) picture->fail("stands in place of pixels; keep one of the two");
        study.picture = read_given_picture(*picture);
        return study;
    }
    const JsonView rows = root.at("pixels");
    study.rows = read_length(rows, kMaxImageSide, "rows");
    study.columns = read_length(rows[0], kMaxImageSide, "pixels");
    study.channels = read_length(rows[0][0], kMaxChannels, "channels");
    rows.for_each_element([&](const JsonView& row) {
        expect_length(row, study.columns, "pixels");
        row.for_each_element([&](const JsonView& pixel) {
            expect_length(pixel, study.channels, "channels");
            pixel.for_each_element([&](const JsonView& channel) {
                study.pixels.push_back(static_cast<float>(channel.number(0, 1)));
            });
        });
    });
    return study;
}

std::vector<std::string> read_recorded_tokens(const JsonView& list) {
    static_cast<void>(read_length(list, kMaxWords, "tokens"));
    std::vector<std::string> tokens;
    list.for_each_element([&](const JsonView& token) { tokens.push_back(token.text()); });
    return tokens;
}

Document read_document(const JsonView& root);

/// Reads a recorded study. Its file, or that of the study that is joined, is opened later.
RecordedStudy read_recorded(const JsonView& root) {
    RecordedStudy study;
    read_settings(root,
                  {"headlight", "kind", "file", "joined", "text_number", "tokens", "source",
                   "graph", "seed", "weights", "view", "edits"},
                  study);
    if (const auto joined = root.find("joined")) {
        if (root.find("file")) joined->fail("takes the place of 'file'; keep one");
        study.joined = std::make_shared<const Document>(read_document(*joined));
    } else {
        study.file = path_from_stored(root.at("file").text()).native();
    }
    if (const auto number = root.find("text_number"))
        study.text_number = static_cast<int>(number->integer(1, kMaxRecordedTexts)) - 1;
    if (const auto graph = root.find("graph")) {
        study.graph = GraphReader().read(*graph);
        for (const Node& node : study.graph.nodes) study.text.tokens.push_back(node.name);
        return study;
    }
    study.text.tokens = read_recorded_tokens(root.at("tokens"));
    if (const auto source = root.find("source")) study.text.source = read_recorded_tokens(*source);
    return study;
}

/// [[row, column, value], …] in any order.
std::vector<CellValue> read_cells(const JsonView& list) {
    std::vector<CellValue> cells;
    cells.reserve(list.size());
    list.for_each_element([&](const JsonView& cell) {
        if (cell.size() != 3) cell.fail("a cell is [row, column, value]");
        cells.push_back({static_cast<Index>(cell[0].integer(0, kMaxInt)),
                         static_cast<Index>(cell[1].integer(0, kMaxInt)),
                         cell[2].number(Infinity::Negative)});
    });
    const auto place = [](const CellValue& cell) { return std::pair(cell.row, cell.column); };
    std::ranges::stable_sort(cells, {}, place);
    const auto twice = std::ranges::adjacent_find(cells, {}, place);
    if (twice != cells.end())
        list.fail("cell [{}, {}] is here twice; keep one", twice->row, twice->column);
    return cells;
}

/// [[value, …], …]
std::vector<CellValue> read_matrix(const JsonView& rows) {
    std::vector<CellValue> cells;
    Index row = 0;
    const std::size_t n_columns = rows.size() == 0 ? 0 : rows[0].size();
    rows.for_each_element([&](const JsonView& values) {
        if (values.size() != n_columns)
            values.fail("this row has {}, the first has {}",
                        counted(static_cast<std::int64_t>(values.size()), "value"), n_columns);
        Index column = 0;
        values.for_each_element([&](const JsonView& value) {
            cells.push_back({row, column++, value.number(Infinity::Negative)});
        });
        ++row;
    });
    return cells;
}

Intervention read_intervention(const JsonView& object) {
    object.expect_keys({"ablation", "add", "cells", "matrix", "on", "rows"});
    Intervention intervention;
    if (const auto on = object.find("on")) intervention.is_on = on->flag();
    if (const auto rows = object.find("rows")) intervention.rows = rows->choice(kRowWords);
    const auto ablation = object.find("ablation"), cells = object.find("cells"),
               matrix = object.find("matrix"), added = object.find("add");
    if (added)
        added->for_each_element([&](const JsonView& number) {
            intervention.added.push_back(number.number(Infinity::Refused));
        });
    if (added && intervention.added.empty()) added->fail("must have a number for each column");
    if (ablation) intervention.ablation = ablation->choice(kAblationWords);
    if (cells && matrix) object.fail("has both 'cells' and 'matrix'; keep one");
    if (!ablation && !added && !cells && !matrix)
        object.fail("needs 'cells', 'matrix', 'ablation' or 'add'");
    if (cells) intervention.cells = read_cells(*cells);
    if (matrix) intervention.cells = read_matrix(*matrix);
    return intervention;
}

void check_version(const JsonView& root) {
    const auto view = root.find("headlight");
    if (!view) return;  // written by hand
    const auto version = view->integer(1, kMaxInt);
    if (version > kStudyVersion)
        view->fail(
            "format version {} is newer than this program, which reads up to {}; get a newer "
            "Headlight",
            version, kStudyVersion);
}

using StudyReader = Study (*)(const JsonView& root);
constexpr EnumNames<StudyReader, 5> kKinds = {
    {{"sentence", [](const JsonView& root) { return Study(read_sentence(root)); }},
     {"alignment", [](const JsonView& root) { return Study(read_alignment(root)); }},
     {"graph", [](const JsonView& root) { return Study(read_graph(root)); }},
     {"image", [](const JsonView& root) { return Study(read_image(root)); }},
     {"recorded", [](const JsonView& root) { return Study(read_recorded(root)); }}}};

Document read_document(const JsonView& root) {
    Document document;
    document.study = root.at("kind").choice(kKinds)(root);
    if (const auto seed = root.find("seed")) document.seed = seed->unsigned_integer();
    if (const auto weights = root.find("weights")) document.weights = read_weights_json(*weights);
    if (const auto edits = root.find("edits"))
        edits->for_each_member([&](const std::string& path, const JsonView& intervention) {
            document.interventions.emplace(path, read_intervention(intervention));
        });
    return document;
}

}  // namespace

Document read_study(std::string_view bytes, std::string_view source_name) {
    const std::string name(source_name);
    return read_study({name, parse_json(bytes, name)});
}

ViewWords read_view(const JsonSource& source) {
    ViewWords words;
    const auto view = JsonView(source).find("view");
    if (!view) return words;
    view->for_each_member([&](const std::string& name, const JsonView& value) {
        if (!value.is_list()) return words.push_back({name, value.text()});
        value.for_each_element([&](const JsonView& each) { words.push_back({name, each.text()}); });
    });
    return words;
}

Document read_study(const JsonSource& source) {
    const JsonView root(source);
    check_version(root);  // first: a newer format may have other keys
    static_cast<void>(read_view(source));
    return read_document(root);
}

Intervention read_edit(std::string_view bytes, std::string_view source_name) {
    const std::string name(source_name);
    const JsonSource source{name, parse_json(bytes, name)};
    return read_intervention(JsonView(source));
}

}  // namespace headlight
