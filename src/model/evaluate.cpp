#include "model/evaluate.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <unistd.h>
#include <utility>

#include "core/error.h"
#include "core/evaluation/segment.h"
#include "core/mechanisms/decoding.h"
#include "core/mechanisms/graph_attention.h"
#include "core/mechanisms/image_attention.h"
#include "core/mechanisms/recorded.h"
#include "core/mechanisms/recurrent.h"
#include "core/mechanisms/transformer.h"
#include "core/numeric/short_number.h"
#include "model/chance_levels.h"
#include "model/changes.h"
#include "model/pretrained.h"
#include "model/settings/setting_text.h"
#include "model/settings/study_settings.h"
#include "model/vocabulary.h"
#include "text/shown_tokens.h"
#include "text/words.h"

namespace headlight {
namespace {

/// The memory that the names and equations of a head's tensors take, in bytes.
constexpr double kHeadBytes = 16'000;

/// Refuses a number that is out of its range, and more heads than a plan can name.
class RangeCheck {
  public:
    void section(const char*) {}
    void number(const Field& field, auto& value, auto range) {
        check(field, value, range);
        if (std::string_view(field.key) == "n_layers") n_layers_ = value;
        if (std::string_view(field.key) == "n_heads") n_heads_ = value;
        check_memory(field, setting_text(value));
    }
    void widths(const Field& field, Widths& value, WidthRange range) {
        check(field, value, range.of_each(value));
        if (std::string_view(field.key) == "n_heads")
            n_heads_ = *std::ranges::max_element(value.values);
        check_memory(field, setting_text(value));
    }
    void choice(const Field&, auto&, const auto&) {}
    void flag(const Field&, Switch&) {}
    void group(const Field&, auto& settings) { visit_fields(settings, *this); }

  private:
    double n_layers_ = 1, n_heads_ = 1;

    void check_memory(const Field& field, const std::string& value) const {
        if (n_layers_ * n_heads_ * kHeadBytes > memory_bytes())
            throw Error("memory",
                        "{} is {}: this machine's memory does not hold the names of so many heads",
                        field.key, value);
    }
    static void check(const Field& field, const auto& value, auto range) {
        if (!is_within(value, range))
            throw Error("study", "{} is {}, it can be {}", field.key, setting_text(value),
                        range_text(range));
    }
};

/// Returns the noun for the parts into which a text of the study is split.
const char* noun_of_pieces(const Document& document) {
    const SharedModel model = document.weights ? document.weights->model : nullptr;
    return model && model->tokenizer ? "tokens" : "words";
}

Plan plan_study(const SentenceStudy& study, const Document& document) {
    const std::uint64_t seed = document.seed;
    const std::vector<Words> sentences = sentences_in(study, document.weights);
    std::size_t longest = 0;
    for (const Words& words : sentences) longest = std::max(longest, words.size());
    check_word_count(longest * sentences.size(), noun_of_pieces(document));
    Plan plan = plan_sentences(sentences, study.layer, seed, word_table(document.weights));
    add_chance_levels(plan, {{study.layer}, sentences});
    if (can_decode(study) && study.decoding == Switch::On) plan_decoding(plan, study.layer, seed);
    return plan;
}

Plan plan_study(const AlignmentStudy& study, const Document& document) {
    const std::uint64_t seed = document.seed;
    const WordTables tables = word_tables(document.weights);
    const SourceTarget words = source_target_in(study, document.weights);
    check_word_count(words.source.size(), noun_of_pieces(document));
    check_word_count(words.target.size(), noun_of_pieces(document));
    switch (study.mechanism) {
        case AlignmentMechanism::Cross:
            return plan_cross_attention(words, study.layer, seed);
        case AlignmentMechanism::Transformer:
            return plan_encoder_decoder(words, study.layer, seed, tables);
        case AlignmentMechanism::Recurrent:
            return plan_recurrent(words.source, words.target, study.recurrent, seed, tables);
    }
    throw Error("study", "there is no such mechanism");
}

/// Returns one row of features a node, with zeros for new nodes, which have none. Null if no node
/// has any.
MatrixPtr given_features(const Graph& graph) {
    const std::size_t width = graph.n_features();
    if (width == 0) return nullptr;
    const auto n_nodes = static_cast<Index>(graph.nodes.size());
    Matrix features = Matrix::Zero(n_nodes, static_cast<Index>(width));
    for (Index i = 0; i < n_nodes; ++i)
        std::ranges::copy(graph.nodes[static_cast<std::size_t>(i)].features.values(),
                          features.row(i).data());
    return std::make_shared<const Matrix>(std::move(features));
}

/// Returns one weight per edge, 1 for self-loops that are not edges of the graph. Null if the graph
/// has no weights.
MatrixPtr given_weights(const Graph& graph, const Edges& edges) {
    if (!graph.has_weights()) return nullptr;
    Matrix weights = Matrix::Ones(edges.size(), 1);
    const auto set = [&](int row, int neighbour, float weight) {
        const auto begin = edges.neighbour.begin() + edges.offsets[static_cast<std::size_t>(row)];
        const auto end = edges.neighbour.begin() + edges.offsets[static_cast<std::size_t>(row) + 1];
        weights(std::lower_bound(begin, end, neighbour) - edges.neighbour.begin(), 0) = weight;
    };
    for (const Edge& edge : graph.edges) {
        set(edge.target, edge.source, edge.weight);
        if (!graph.directed) set(edge.source, edge.target, edge.weight);
    }
    return std::make_shared<const Matrix>(std::move(weights));
}

Plan plan_study(const GraphStudy& study, const Document& document) {
    GraphNodes nodes;
    for (const Node& node : study.graph.nodes) {
        nodes.names.push_back(node.name);
        nodes.keys.push_back(embedding_key(node));
    }
    Edges edges = graph_edges(study);
    nodes.features = given_features(study.graph);
    nodes.edge_weights = given_weights(study.graph, edges);
    return plan_graph_attention(std::move(nodes), std::move(edges), study.layer, document.seed);
}

/// Returns the names of the classes in the weights; empty if they have none.
std::vector<std::string> class_names(const SharedWeights& weights) {
    if (!weights) return {};
    if (weights->model && weights->model->classes) return *weights->model->classes;
    const auto W_C = weights->matrices.find("W_C");
    const bool is_named = W_C != weights->matrices.end() && W_C->second.column_names;
    return is_named ? *W_C->second.column_names : std::vector<std::string>();
}

/// Throws Error for too many patches: items are limited as words are.
void check_patch_count(const ImageStudy& study) {
    const std::int64_t side = std::max(1, study.layer.patch);
    const std::int64_t n = (study.rows + side - 1) / side * ((study.columns + side - 1) / side);
    if (study.layer.mechanism == ImageMechanism::Attention && n >= std::int64_t{kMaxWords} + 1)
        throw Error("image",
                    "the picture has {} patches, and at most {} fit; make the patches larger", n,
                    kMaxWords);
}

Plan plan_study(const ImageStudy& study, const Document& document) {
    const std::span<const float> values = study.values();
    Image image{study.columns, Matrix(Index{study.rows} * study.columns, study.channels)};
    if (values.size() != static_cast<std::size_t>(image.pixels.size()))
        throw Error("study", "the image has {} values, it needs rows × columns × channels",
                    values.size());
    check_patch_count(study);
    std::ranges::copy(values, image.pixels.data());
    return plan_image(image, study.layer, document.seed, class_names(document.weights));
}

std::shared_ptr<const std::vector<std::string>> shared_unless_empty(
    std::vector<std::string> names) {
    if (names.empty()) return nullptr;
    return std::make_shared<const std::vector<std::string>>(std::move(names));
}

Plan plan_study(const RecordedStudy& study, const Document&) {
    const std::vector<std::string>&tokens = study.text.tokens, &source = study.text.source;
    if (!study.text.graph) check_word_count(tokens.size(), "tokens");
    check_word_count(source.size(), "tokens");
    if (!study.source)
        throw Error(study.file, "is not open: it was missing or had changed; open it again");
    RecordedPatterns patterns{tokens, source, study.attentions, study.source, study.text_number};
    patterns.are_of_words = study.joined != nullptr;
    if (study.text.graph)
        patterns.edges = std::make_shared<const Edges>(graph_edges(*study.text.graph));
    if (const auto& patches = study.text.patches)
        patterns.picture = {patches->columns, patches->before, patches->pixels.rows,
                            patches->pixels.columns, study.pictures};
    Plan plan = plan_recorded(std::move(patterns));
    if (study.text.graph || study.text.patches) return plan;
    plan.lists[0].shown = shared_unless_empty(shown_tokens(source.empty() ? tokens : source));
    if (!source.empty()) plan.lists[1].shown = shared_unless_empty(shown_tokens(tokens));
    if (source.empty()) add_chance_levels(plan, {likely_settings(), {tokens}});
    return plan;
}

}  // namespace

std::shared_ptr<const Plan> plan(const Document& document) {
    auto plan = std::make_shared<Plan>(std::visit(
        [&](auto study) {
            RangeCheck check;
            visit_fields(study, check);
            return plan_study(study, document);
        },
        document.study));
    if (document.weights) take_weights(*plan, *document.weights);
    show_replaced_words(*plan);
    for (ItemList& list : plan->lists)
        if (list.names && !list.shown) list.shown = shared_unless_empty(shown_names(*list.names));
    return plan;
}

bool have_same_plan(const Document& a, const Document& b) {
    const auto source = [](const Document& document) {
        return document.recorded() ? document.recorded()->source : nullptr;
    };
    const auto picture = [](const Document& document) {
        const ImageStudy* image = document.image();
        return image && image->picture ? image->picture->pixels : nullptr;
    };
    return &a == &b || (a.seed == b.seed && a.weights == b.weights && source(a) == source(b) &&
                        picture(a) == picture(b) && a.study == b.study);
}

namespace {

/// Adds what changes every row to the probe, since it holds in every text, and the probe is one.
Interventions passed_to_probe(const Plan& plan, Interventions own) {
    const std::string probe = Location{.network = Network::Probe}.path() + ".";
    Interventions more;
    for (const auto& [path, intervention] : own)
        if (intervention.is_on && intervention.is_of_all_rows() && plan.find(probe + path))
            more[probe + path] = {
                .cells = {}, .ablation = intervention.ablation, .added = intervention.added};
    own.insert(more.begin(), more.end());
    return own;
}

}  // namespace

Interventions interventions_in(const Document& document, const Plan& plan) {
    const AlignmentStudy* study = document.alignment();
    const bool is_recurrent = study && study->mechanism == AlignmentMechanism::Recurrent;
    return is_recurrent ? passed_to_steps(plan, document.interventions)
                        : passed_to_probe(plan, document.interventions);
}

Trace evaluate(const Document& document, const Trace* previous, const Watched& watched,
               const ForEach& for_each) {
    return at_once(evaluate_in_pieces(document, previous, watched, for_each));
}

Pieces<Trace> evaluate_in_pieces(const Document& document, const Trace* previous,
                                 const Watched& watched, const ForEach& for_each) {
    const std::shared_ptr<const Plan> planned = plan(document);
    check_memory_need(*planned, watched, memory_bytes());
    co_await kPause;
    const Interventions interventions = interventions_in(document, *planned);
    co_return co_await compute_in_pieces(planned, interventions, watched, previous, for_each);
}

namespace {

double count_cells(const PlannedTensor& tensor) {
    return static_cast<double>(tensor.rows.size) * static_cast<double>(tensor.columns.size);
}

std::string gigabytes(double bytes) {
    return short_number(static_cast<Scalar>(bytes / 1e9)) + " GB";
}

}  // namespace

double memory_bytes() {
    return static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
           static_cast<double>(::sysconf(_SC_PAGESIZE));
}

double count_bytes(const Plan& plan) {
    double bytes = 0;
    for (const PlannedTensor& tensor : plan.tensors())
        bytes += count_cells(tensor) * sizeof(Scalar);
    return bytes;
}

void check_memory_need(const Plan& plan, const Watched& watched, double most_bytes) {
    double bytes = count_bytes(plan);
    if (bytes <= most_bytes) return;  // as a rule, and at once
    bytes = count_kept_bytes(plan, watched);
    if (bytes <= most_bytes) return;
    throw Error("memory", "this needs {}, and the machine has {}; {}", gigabytes(bytes),
                gigabytes(most_bytes), largest_matrix(plan));
}

StudyBounds bounds_of_changes(const Plan& written) {
    constexpr StudyBounds kLeast{.work = 2e9, .bytes = 256e6};
    return {std::max(kLeast.work, 2 * total_work(written)),
            std::max(kLeast.bytes, 2 * count_bytes(written))};
}

void check_bounds(const Plan& plan, const StudyBounds& bounds) {
    const double work = total_work(plan), bytes = count_bytes(plan);
    const auto fail = [&](const std::string& needed, const std::string& most) {
        throw Error("memory", "this needs {}, more than a change may take here ({}); {}", needed,
                    most, largest_matrix(plan));
    };
    const auto seconds = [](double multiply_adds) {
        constexpr double kInASecond = 2e9;
        return short_number(static_cast<Scalar>(multiply_adds / kInASecond)) + " s or longer";
    };
    if (bytes > bounds.bytes) fail(gigabytes(bytes), gigabytes(bounds.bytes));
    if (work > bounds.work) fail(seconds(work), seconds(bounds.work));
}

std::string largest_matrix(const Plan& plan) {
    if (plan.tensors().empty()) return "it has no matrix";
    const PlannedTensor& largest = *std::ranges::max_element(plan.tensors(), {}, count_cells);
    return fmt::format("its largest matrix, {}, is {}", largest.path,
                       shape_text(largest.rows.size, largest.columns.size));
}

}  // namespace headlight
