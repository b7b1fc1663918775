#include "core/analyses/composition.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "core/analyses/head_scores.h"
#include "core/mechanisms/add_tensor.h"
#include "core/numeric/product.h"
#include "core/operations/operations.h"

namespace headlight::operations {
namespace {

using DoubleMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Σ_ij A(i,j) B(i,j)
double inner(const DoubleMatrix& a, const DoubleMatrix& b) {
    return a.cwiseProduct(b).sum();
}

/// A circuit L R of d_model × d_model, as its narrow factors. Norms are those of small matrices:
///     ‖L R‖² = tr(Lᵀ L · R Rᵀ)
struct Circuit {
    Matrix L, R;            // d_model × k, k × d_model
    DoubleMatrix LtL, RRt;  // k × k
    double norm = 0;
};

class Circuits {
  public:
    explicit Circuits(const Call& call)
        : call_(call), per_head_(call.in.size() / call.settings.indices->size()) {}

    /// Returns the circuit by which the head writes.
    Circuit value_output(Index head) const {
        const Index begin = (*call_.settings.indices)[static_cast<std::size_t>(head)];
        return circuit(folded(head, 2), input(head, 3).middleRows(begin, input(head, 2).cols()));
    }
    /// Returns the circuit by which the head reads, chosen by `begin`.
    Circuit read(Index head) const {
        switch (call_.settings.begin) {
            case 0:
                return circuit(folded(head, 0), folded(head, 1).transpose());
            case 1:
                return circuit(folded(head, 1), folded(head, 0).transpose());
            default:
                return value_output(head);
        }
    }

  private:
    const ConstView& input(Index head, std::size_t which) const {
        return call_[static_cast<std::size_t>(head) * per_head_ + which];
    }

    Matrix folded(Index head, std::size_t which) const {
        Matrix W = input(head, which);
        if (per_head_ == 5) W = input(head, 4).row(0).transpose().asDiagonal() * W;
        W.rowwise() -= call_.settings.scale * W.colwise().mean();
        return W;
    }

    static Circuit circuit(Matrix L, Matrix R) {
        Circuit circuit{std::move(L), std::move(R), {}, {}};
        const DoubleMatrix wide_L = circuit.L.cast<double>(), wide_R = circuit.R.cast<double>();
        circuit.LtL = wide_L.transpose() * wide_L;
        circuit.RRt = wide_R * wide_R.transpose();
        circuit.norm = std::sqrt(inner(circuit.LtL, circuit.RRt));
        return circuit;
    }

    const Call& call_;
    std::size_t per_head_;
};

/// Returns ‖A B‖ of circuits A = L R and B: ‖A B‖² = tr(Lᵀ L · P · R_B R_Bᵀ · Pᵀ) with P = R L_B.
double norm_of_product(const Circuit& a, const Circuit& b) {
    Matrix P(a.R.rows(), b.L.cols());
    set_product(P, a.R, b.L);
    const DoubleMatrix wide = P.cast<double>();
    return std::sqrt(std::max(0.0, inner(a.LtL * wide, wide * b.RRt)));
}

void composition_forward(const Call& call, View result) {
    const Circuits circuits(call);
    const Index n_heads = call.settings.count;
    std::vector<Circuit> written;
    for (Index j = 0; j < call.columns; ++j) written.push_back(circuits.value_output(j));
    result.setZero();
    for (Index i = 0; i < call.rows; ++i) {
        const Circuit read = circuits.read(i + n_heads);
        const Index n_earlier = (i / n_heads + 1) * n_heads;
        for (Index j = 0; j < n_earlier; ++j) {
            const Circuit& writes = written[static_cast<std::size_t>(j)];
            const double norms = writes.norm * read.norm;
            if (norms > 0)
                result(i, j) = static_cast<Scalar>(norm_of_product(writes, read) / norms);
        }
    }
}

Explanation composition_explain(const Call& call, ConstView result, Index i, Index j) {
    const Circuits circuits(call);
    const Index n_heads = call.settings.count;
    if (j >= (i / n_heads + 1) * n_heads)
        return {.rule = "0: the head is of no earlier layer", .terms = {}, .sum = 0, .finish = {}};
    const Circuit writes = circuits.value_output(j), read = circuits.read(i + n_heads);
    const double product = norm_of_product(writes, read);
    return {.rule = "‖what the earlier head writes · what the later one reads‖ / norms of both",
            .terms = {},
            .sum = 0,
            .finish = {{"norm of the product", static_cast<Scalar>(product)},
                       {"÷ the earlier's norm", static_cast<Scalar>(product / writes.norm)},
                       {"÷ the later's norm", result(i, j)}}};
}

}  // namespace

const Operation composition{"composition",       {},      kWhole,
                            composition_forward, nullptr, composition_explain};

}  // namespace headlight::operations

namespace headlight {
namespace {

/// The weights of one head, as the operation reads them.
struct HeadWeights {
    TensorId W_Q = 0, W_K = 0, W_V = 0, W_O = 0;
    std::optional<TensorId> gain = {};
    bool is_centred = false;
    Index output_row = 0;  // the first of its rows of W_O
};

std::optional<TensorId> find_tensor(const Plan& plan, const Location& place, Role role) {
    const std::string path = place.at(role).path;
    if (!plan.find(path)) return std::nullopt;
    return plan.id_at(path);
}

/// Returns the weight W if the projection is x W or x W + b; nothing else.
std::optional<TensorId> weight_of(const Plan& plan, std::optional<TensorId> projected) {
    if (!projected) return std::nullopt;
    const PlannedTensor& tensor = plan[*projected];
    const bool is_product =
        tensor.operation == &operations::multiply || tensor.operation == &operations::multiply_add;
    return is_product ? std::optional(tensor.inputs[1]) : std::nullopt;
}

class Compositions {
  public:
    Compositions(Plan& plan, const std::vector<Location>& attentions, int n_heads)
        : plan_(plan), attentions_(attentions), n_heads_(n_heads) {}

    void add() {
        if (attentions_.size() < 2) return;
        for (const Location& attention : attentions_)
            for (int h = 0; h < n_heads_; ++h)
                if (!add_head(attention, h)) return;
        if (is_bilinear_) {
            add_matrix(Composition::Query, "earlier W_{OV} · W_{QK}");
            add_matrix(Composition::Key, "earlier W_{OV} · W_{QK}^T");
        }
        add_matrix(Composition::Value, "earlier W_{OV} · W_{OV}");
    }

  private:
    bool add_head(const Location& attention, int h) {
        const auto q = find_head_input(plan_, attention, h, Role::Query),
                   k = find_head_input(plan_, attention, h, Role::Key),
                   v = find_head_input(plan_, attention, h, Role::Value);
        const auto W_V = weight_of(plan_, v);
        const auto result = find_tensor(plan_, attention.of_head(h), Role::HeadResult);
        if (!W_V || !result || !q || !k) return false;
        const auto W_Q = weight_of(plan_, q), W_K = weight_of(plan_, k);
        const bool has_circuit =
            find_tensor(plan_, attention.of_head(h), Role::QueryKeyCircuit).has_value();
        is_bilinear_ = is_bilinear_ && W_Q && W_K && has_circuit;
        HeadWeights head{.W_Q = W_Q.value_or(*W_V),
                         .W_K = W_K.value_or(*W_V),
                         .W_V = *W_V,
                         .W_O = plan_[*result].inputs[1]};
        head.output_row = plan_[*result].settings.begin;
        const TensorId read = plan_[*v].inputs[0];
        if (plan_[read].identity.role == Role::NormOutput) {
            head.gain = plan_[read].inputs[1];
            head.is_centred = plan_[read].operation == &operations::layer_norm;
        }
        heads_.push_back(head);
        return true;
    }

    Axis heads_axis(const char* noun, std::size_t first, std::size_t count) {
        std::vector<std::string> names;
        for (std::size_t l = first; l < first + count; ++l)
            for (int h = 0; h < n_heads_; ++h)
                names.push_back(fmt::format("{}.{}", attentions_[l].layer, h));
        const auto size = std::ssize(names);
        return {AxisKind::Named, size, plan_.add_list(noun, std::move(names))};
    }

    void add_matrix(Composition composition, const std::string& product) {
        if (rows_.size == 0) {
            rows_ = heads_axis("later head", 1, attentions_.size() - 1);
            columns_ = heads_axis("earlier head", 0, attentions_.size() - 1);
        }
        std::vector<TensorId> inputs;
        auto output_rows = std::make_shared<std::vector<Index>>();
        const bool has_gains = heads_.front().gain.has_value();
        for (const HeadWeights& head : heads_) {
            for (const TensorId id : {head.W_Q, head.W_K, head.W_V, head.W_O}) inputs.push_back(id);
            if (has_gains) inputs.push_back(*head.gain);
            output_rows->push_back(head.output_row);
        }
        const bool is_centred = heads_.front().is_centred;
        const std::string folded = !has_gains   ? ""
                                   : is_centred ? "; norms' gains and centring folded in"
                                                : "; norms' gains folded in";
        static constexpr const char* kLetters[] = {"C_Q", "C_K", "C_V"};
        const auto number = static_cast<Index>(composition);
        add_result(
            plan_,
            {Location{.component = ComponentKind::Analyses}.at(composition_path(composition)),
             kLetters[number], rows_, columns_, Stage::Output, Quantity::Amount, Keep::OnDemand},
            fmt::format("‖{}‖ / norms of both{}", product, folded), operations::composition,
            std::move(inputs),
            {.scale = is_centred ? Scalar(1) : Scalar(0),
             .begin = number,
             .count = n_heads_,
             .indices = std::move(output_rows)});
    }

    Plan& plan_;
    const std::vector<Location>& attentions_;
    int n_heads_;
    std::vector<HeadWeights> heads_;
    bool is_bilinear_ = true;  // the scores, in what is read
    Axis rows_ = {AxisKind::Named, 0}, columns_ = {AxisKind::Named, 0};
};

/// The number of a head among those of an axis.
std::optional<Index> place_on(const Trace& trace, const Axis& axis, const std::string& name) {
    for (Index k = 0; k < axis.size; ++k)
        if (axis_label(trace, axis, k) == name) return k;
    return std::nullopt;
}

}  // namespace

std::string composition_path(Composition composition) {
    static constexpr const char* kPaths[] = {"composition.Q", "composition.K", "composition.V"};
    return kPaths[static_cast<std::size_t>(composition)];
}

std::vector<std::string> composition_paths(const Plan& plan) {
    std::vector<std::string> paths;
    for (int c = 0; c < kCompositions; ++c) {
        std::string path = composition_path(static_cast<Composition>(c));
        if (plan.find(path)) paths.push_back(std::move(path));
    }
    return paths;
}

void add_compositions(Plan& plan, const std::vector<Location>& attentions, int n_heads) {
    Compositions(plan, attentions, n_heads).add();
}

double chance_of_composition(Index d_model) {
    return 1 / std::sqrt(static_cast<double>(d_model));
}

double chance_of_composition(const Plan& plan) {
    const PlannedTensor* scores = plan.find(composition_path(Composition::Value));
    return scores ? chance_of_composition(plan[scores->inputs.front()].rows.size) : 0;
}

std::vector<ComposedHead> strongest_compositions(const Trace& trace, const Location& attention,
                                                 int head, std::size_t count) {
    std::vector<ComposedHead> found;
    const std::string name = fmt::format("{}.{}", attention.layer, head);
    for (int c = 0; c < kCompositions; ++c) {
        const auto by = static_cast<Composition>(c);
        const Tensor* scores = trace.find(composition_path(by));
        if (!scores || !scores->value) continue;
        const auto row = place_on(trace, scores->rows(), name);
        const Index n_heads = scores->settings().count;
        for (Index k = 0; row && k < scores->columns().size; ++k) {
            const std::string earlier = axis_label(trace, scores->columns(), k);
            const int layer = std::stoi(earlier);
            if (layer < attention.layer)
                found.push_back(
                    {layer, static_cast<int>(k % n_heads), by, (*scores->value)(*row, k)});
        }
    }
    std::ranges::stable_sort(
        found, [](const ComposedHead& a, const ComposedHead& b) { return a.score > b.score; });
    if (found.size() > count) found.resize(count);
    return found;
}

}  // namespace headlight
