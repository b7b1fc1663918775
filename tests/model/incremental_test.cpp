// Incremental evaluation against evaluation from scratch, over thousands of random changes.
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <random>

#include "core/error.h"
#include "long_checks.h"
#include "model/changes.h"
#include "model/evaluate.h"
#include "model/history.h"

namespace headlight::incremental_test {
namespace {

/// The same numbers with every standard library.
class Dice {
  public:
    explicit Dice(unsigned seed) : bits_(seed) {}

    int below(int n) { return static_cast<int>(bits_() % static_cast<unsigned>(n)); }
    bool is_one_in(int n) { return below(n) == 0; }
    Scalar value() { return static_cast<Scalar>(below(2001) - 1000) / 500; }

    template <typename T>
    const T& of(const std::vector<T>& values) {
        return values[static_cast<std::size_t>(below(static_cast<int>(values.size())))];
    }

  private:
    std::mt19937 bits_;
};

/// The path of a tensor that differs in a bit or is in one trace only; "" if there is none.
std::string find_difference(const Trace& a, const Trace& b) {
    if (a.tensors().size() != b.tensors().size()) return "the number of tensors";
    for (TensorId id = 0; id < a.tensors().size(); ++id) {
        const MatrixPtr &x = a[id].value, &y = b[id].value;
        if (a[id].path() != b[id].path() || !x != !y) return a[id].path();
        if (!x) continue;
        const auto size_bytes = static_cast<std::size_t>(x->size()) * sizeof(Scalar);
        if (x->rows() != y->rows() || x->cols() != y->cols()) return a[id].path();
        if (size_bytes > 0 && std::memcmp(x->data(), y->data(), size_bytes) != 0)
            return a[id].path();
    }
    return "";
}

const Tensor& any_tensor(const Trace& trace, Dice& dice) {
    const Tensor* tensor = &dice.of(trace.tensors());
    while (tensor->rows().size == 0) tensor = &dice.of(trace.tensors());
    return *tensor;
}

/// Sets one cell, or a whole row of a pattern so that it sums to 1.
void set_any_cell(Document& document, const Tensor& tensor, Dice& dice) {
    const Index row = dice.below(static_cast<int>(tensor.rows().size));
    const Index column = dice.below(static_cast<int>(tensor.columns().size));
    const bool is_masking = tensor.quantity() == Quantity::Mask && dice.is_one_in(2);
    set_cell(document, tensor.path(), row, column, is_masking ? kMasked : dice.value());
    if (tensor.quantity() == Quantity::Probability && dice.is_one_in(2))
        document.interventions[tensor.path()].rows = RowRule::Renormalise;
}

void change_interventions(Document& document, const Trace& trace, Dice& dice) {
    const Tensor& tensor = any_tensor(trace, dice);
    switch (dice.below(8)) {
        case 0:
            return reset_tensor(document, tensor.path());
        case 1:
            if (!document.interventions.empty())
                reset_tensor(document, document.interventions.begin()->first);
            return;
        case 2:
            return set_tensor(
                document, tensor,
                Matrix::Constant(tensor.rows().size, tensor.columns().size, Scalar(0.1)));
        default:
            return set_any_cell(document, tensor, dice);
    }
}

void change_text(Document& document, Dice& dice) {
    static const std::vector<std::string> words{"the",   "cat",  "it", "was",
                                                "tired", "wide", ".",  ""};
    std::string text = document.sentence()->text;
    const auto cut = static_cast<std::size_t>(dice.below(static_cast<int>(text.size()) + 1));
    if (text.size() > 40)
        text.erase(cut / 2, 15);
    else
        text.insert(cut, " " + dice.of(words) + (dice.is_one_in(2) ? " " : ""));
    set_text(document, text);
}

template <typename Enum>
Enum any_of(Dice& dice, Enum last) {
    return static_cast<Enum>(dice.below(static_cast<int>(last) + 1));
}

Switch any_switch(Dice& dice) {
    return any_of(dice, Switch::On);
}

void change_attention(AttentionSettings& attention, Dice& dice) {
    switch (dice.below(9)) {
        case 0:
            attention.n_heads = 1 + dice.below(3);
            attention.d_v = {{2}};
            break;
        case 1:
            attention.d_k = {{1 + dice.below(3)}};
            break;
        case 2:
            attention.d_v.values.assign(static_cast<std::size_t>(attention.n_heads), 2);
            attention.d_v.values[0] = 1 + dice.below(3);
            break;
        case 3:
            attention.score = any_of(dice, Score::Additive);
            break;
        case 4:
            attention.normalizer = any_of(dice, Normalizer::Entmax);
            break;
        case 5:
            attention.relative = any_of(dice, RelativePositions::Quadratic);
            break;
        case 6:
            attention.query = any_of(dice, Projection::Shared);
            attention.key = any_of(dice, Projection::Shared);
            break;
        case 7:
            attention.bias = any_switch(dice);
            break;
        default:
            attention.output = any_switch(dice);
            break;
    }
}

void change_settings(StackSettings& layer, Dice& dice) {
    switch (dice.below(12)) {
        case 0:
            layer.n_layers = 1 + dice.below(2);
            break;
        case 1:
            layer.d_model = 3 + dice.below(3);
            break;
        case 2:
            layer.mask.causal = any_switch(dice);
            break;
        case 3:
            layer.positions = any_of(dice, Positions::Learned);
            break;
        case 4:
            layer.block.residual = any_switch(dice);
            break;
        case 5:
            layer.block.norm = any_of(dice, Norm::Post);
            break;
        case 6:
            layer.block.mlp = any_of(dice, Mlp::GeluTanh);
            break;
        case 7:
            layer.unembedding = any_of(dice, Unembedding::Tied);
            break;
        default:
            change_attention(layer.attention, dice);
            break;
    }
}

void change_settings(GraphSettings& layer, Dice& dice) {
    switch (dice.below(7)) {
        case 0:
            layer.n_heads = {{1 + dice.below(3)}};
            break;
        case 5:
            layer.mechanism = any_of(dice, GraphMechanism::Transformer);
            break;
        case 6:
            layer.n_layers = 1 + dice.below(2);
            break;
        case 1:
            layer.d_in = 1 + dice.below(4);
            break;
        case 2:
            layer.slope = dice.is_one_in(2) ? 0.2f : 0.05f;
            break;
        case 3:
            layer.combine = dice.is_one_in(2) ? Combine::Mean : Combine::Concat;
            break;
        default:
            layer.activation = dice.is_one_in(2) ? Activation::None : Activation::Elu;
            break;
    }
}

void change_graph(Document& document, Dice& dice) {
    GraphStudy study = *document.graph();
    const int n = static_cast<int>(study.graph.nodes.size());
    const int a = dice.below(n), b = dice.below(n);
    if (dice.is_one_in(8))
        study.self_loops = any_switch(dice);
    else if (dice.is_one_in(6) && n < 9)
        study.graph.add_node(study.graph.unused_name(), 0, 0);
    else if (dice.is_one_in(6) && n > 1)
        study.graph.remove_node(a);
    else if (study.graph.has_edge(a, b))
        study.graph.remove_edge(a, b);
    else
        study.graph.add_edge(a, b);
    set_graph_study(document, std::move(study));
}

void change_anything(Document& document, const Trace& trace, Dice& dice) {
    const int choice = dice.below(10);
    if (choice < 6) return change_interventions(document, trace, dice);
    if (choice == 6) document.seed = 1 + static_cast<std::uint64_t>(dice.below(2));
    if (SentenceStudy* study = document.sentence()) {
        if (choice == 7) return change_settings(study->layer, dice);
        if (choice > 7) return change_text(document, dice);
    } else {
        if (choice == 7) return change_settings(document.graph()->layer, dice);
        if (choice > 7) return change_graph(document, dice);
    }
}

void step(History& history, const Trace& trace, Dice& dice) {
    const int choice = dice.below(10);
    if (choice < 2) return history.undo();
    if (choice < 3) return history.redo();
    history.apply({.label = "change",
                   .change = [&](Document& d) { change_anything(d, trace, dice); },
                   .gesture = dice.is_one_in(3) ? "drag" : ""});
}

Watched any_watched(Dice& dice) {
    if (dice.is_one_in(3)) return {.everything = true, .globs = {}};
    if (dice.is_one_in(2)) return {.everything = false, .globs = {"*.heads.1.*"}};
    return {};
}

/// How many of all values were shared, over all changes.
struct Sharing {
    std::size_t n_shared = 0, n_tensors = 0;
};

void count_sharing(Sharing& sharing, const Trace& trace, const Trace& previous) {
    for (const Tensor& tensor : trace.tensors()) {
        if (!tensor.value) continue;  // it is not watched
        const Tensor* earlier = previous.find(tensor.path());
        sharing.n_shared += earlier && earlier->value == tensor.value;
        ++sharing.n_tensors;
    }
}

Sharing check_changes(Document document, int n_changes, unsigned seed) {
    Dice dice(seed);
    History history(std::move(document));
    Trace trace = evaluate(history.state(), nullptr, {});
    Sharing sharing;
    for (int change = 0; change < n_changes; ++change) {
        step(history, trace, dice);
        const Watched watched = any_watched(dice);
        try {
            Trace next = evaluate(history.state(), &trace, watched);
            const Trace expected = evaluate(history.state(), nullptr, watched);
            const std::string difference = find_difference(next, expected);
            CHECK_MESSAGE(difference == "", "after change " << change);
            count_sharing(sharing, next, trace);
            trace = std::move(next);
        } catch (const Error&) {
            // A text without words has no trace; the last one stays, as it does on the screen.
            CHECK_THROWS_AS(evaluate(history.state(), nullptr, watched), Error);
        }
    }
    return sharing;
}

Document small_sentence() {
    SentenceStudy study{.text = "the cat was tired", .layer = {}};
    study.layer.n_layers = 2;
    study.layer.d_model = 4;
    study.layer.attention.n_heads = 2;
    study.layer.attention.d_k = {{2}};
    return {.study = std::move(study), .seed = 1, .interventions = {}};
}

Document small_graph() {
    Graph graph;
    for (const char* name : {"a", "b", "c", "d", "e"}) graph.add_node(name, 0, 0);
    for (int i = 0; i < 3; ++i) graph.add_edge(i, i + 1);
    GraphStudy study{.graph = graph, .layer = {}};
    study.layer.n_heads = {{2}};
    study.layer.d_in = 3;
    study.layer.d_out = {{2}};
    return {.study = std::move(study), .seed = 1, .interventions = {}};
}

int count_changes() {
    return is_long_check() ? 3000 : 1000;
}

}  // namespace

TEST_CASE("evaluate: after every change of a sentence the bits equal those from scratch") {
    const Sharing sharing = check_changes(small_sentence(), count_changes(), 1);
    CHECK(sharing.n_shared > sharing.n_tensors / 2);
}

TEST_CASE("evaluate: after every change of a graph the bits equal those from scratch") {
    const Sharing sharing = check_changes(small_graph(), count_changes(), 2);
    CHECK(sharing.n_shared > sharing.n_tensors / 2);
}

TEST_CASE("evaluate: after changes of the built-in studies the bits equal those from scratch") {
    check_changes(built_in_sentence(), 300, 3);
    check_changes(built_in_graph(), 300, 4);
}

TEST_CASE("evaluate: a difference in one bit is noticed") {
    const Trace a = evaluate(built_in_sentence(), nullptr, {});
    Trace b = a;
    CHECK(find_difference(a, b) == "");
    Tensor& tensor = b.tensors()[b.id_at("blocks.0.attn.out")];
    Matrix changed = *tensor.value;
    changed(0, 0) = std::nextafter(changed(0, 0), Scalar(100));
    tensor.value = std::make_shared<const Matrix>(changed);
    CHECK(find_difference(a, b) == "blocks.0.attn.out");
    tensor.value.reset();
    CHECK(find_difference(a, b) == "blocks.0.attn.out");
}

TEST_CASE("evaluate: an edit of W_V in head 1 shares every matrix of head 0") {
    Document document = built_in_sentence();
    const Trace before = evaluate(document, nullptr, {});
    set_cell(document, "blocks.0.attn.heads.1.W_V", 0, 0, 2);
    const Trace after = evaluate(document, &before, {});
    for (const char* name : {"W_Q", "W_K", "W_V", "q", "k", "v", "scores", "pattern", "z"}) {
        const std::string path = "blocks.0.attn.heads.0." + std::string(name);
        CHECK_MESSAGE(after.at(path).value == before.at(path).value, path);
    }
    CHECK(after.at("blocks.0.attn.heads.1.pattern").value ==
          before.at("blocks.0.attn.heads.1.pattern").value);
    CHECK(after.at("blocks.0.attn.heads.1.z").value != before.at("blocks.0.attn.heads.1.z").value);
}

TEST_CASE("evaluate: a dormant pin takes effect again when its layer comes back") {
    Document document = small_sentence();
    const std::string path = "blocks.1.attn.heads.0.z";
    set_cell(document, path, 1, 1, 9);
    const Trace before = evaluate(document, nullptr, {});
    document.sentence()->layer.n_layers = 1;
    const Trace without = evaluate(document, &before, {});
    CHECK(dormant_interventions(without, document.interventions) == std::vector<std::string>{path});
    document.sentence()->layer.n_layers = 2;
    const Trace after = evaluate(document, &without, {});
    CHECK(dormant_interventions(after, document.interventions).empty());
    CHECK(find_difference(before, after) == "");
}

}  // namespace headlight::incremental_test
