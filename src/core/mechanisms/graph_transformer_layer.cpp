// The graph transformer: scaled dot-product attention over the neighbours.            [Shi 2021]
//
// Paths, seeds and formulas are a sentence's: on the complete graph with self-loops this is
// self-attention without a mask.
#include <cmath>
#include <utility>

#include "core/mechanisms/graph_net.h"
#include "core/operations/graph_operations.h"
#include "core/operations/operations.h"

namespace headlight {
namespace {

class Layer {
  public:
    Layer(GraphNet& net, int layer)
        : net_(net),
          here_{.component = ComponentKind::Attention, .layer = layer},
          has_output_(net.settings.output == Switch::On && !net.is_mean(layer)) {}

    TensorId add(TensorId input) {
        const TensorId x = add_result(net_.plan,
                                      {here_.beside(Role::ResidPre), "X", net_.item(),
                                       net_.plan[input].columns, Stage::Input},
                                      "X = " + net_.plan[input].symbol, operations::copy, {input});
        if (has_output_)
            W_O_ = add_weight(net_.plan,
                              {here_.at("W_O"), "W_O", concat_width(), model(), Stage::Output},
                              net_.seed);
        std::vector<TensorId> z;
        for (int h = 0; h < net_.settings.n_heads.of(here_.layer); ++h) z.push_back(add_head(h, x));
        const TensorId out = add_skip(x, add_output(std::move(z)));
        return net_.activated({here_.beside("out"), ""}, here_.layer, out);
    }

  private:
    Axis model() const { return {AxisKind::Model, net_.settings.d_in}; }
    int d_out() const { return net_.settings.d_out.of(here_.layer); }
    Axis d_k() const { return {AxisKind::HeadKey, d_out()}; }
    Axis concat_width() const { return net_.concat_width(here_.layer); }
    Scalar scale() const { return 1 / std::sqrt(static_cast<Scalar>(d_out())); }

    TensorId add_head(int h, TensorId x) {
        const Location head = here_.of_head(h);
        const Axis features = net_.plan[x].columns, d_v = net_.width(here_.layer);
        const TensorId W_Q = net_.weight(head.at("W_Q"), "W_Q", features, d_k());
        const TensorId W_K = net_.weight(head.at("W_K"), "W_K", features, d_k());
        const TensorId W_V = net_.weight(head.at("W_V"), "W_V", features, d_v);
        const TensorId q = net_.project({head.at(Role::Query), "Q", net_.query(), d_k()}, x, W_Q,
                                        {head.at("b_Q", Role::Bias), "b_Q"});
        const TensorId k = net_.project({head.at(Role::Key), "K", net_.key(), d_k()}, x, W_K,
                                        {head.at("b_K", Role::Bias), "b_K"});
        const TensorId v = net_.project({head.at(Role::Value), "V", net_.key(), d_v}, x, W_V,
                                        {head.at("b_V", Role::Bias), "b_V"});
        const TensorId z = add_reading(head, {q, k, v});
        if (has_output_) add_result_of_head(head, z);
        net_.ranking(head, "Q K^T / √d_k", operations::multiply_transposed, {q, k}, scale());
        return z;
    }

    struct Projections {
        TensorId q = 0, k = 0, v = 0;
    };

    /// scores, pattern, z. The features of an edge are added to its key and to its value.
    TensorId add_reading(const Location& head, const Projections& at) {
        TensorName scores{head.at(Role::Scores), "S", net_.edge(), {}, Stage::Score};
        TensorName z{head.at(Role::HeadOutput), "Z", net_.query(), net_.width(here_.layer),
                     Stage::Mix};
        if (!net_.has_edge_features()) {
            const TensorId pattern = net_.pattern(
                head, net_.along_edges(std::move(scores), "S(i,j) = Q(i) · K(j) / √d_k",
                                       operations::edge_dot_scores, {at.q, at.k}, scale()));
            return net_.along_edges(std::move(z), "Z(i) = Σ_j α(i,j) V(j)", operations::edge_mix,
                                    {pattern, at.v});
        }
        const TensorId edge = net_.edge_projection(head);
        const TensorId pattern = net_.pattern(
            head,
            net_.along_edges(std::move(scores), "S(i,j) = Q(i) · (K(j) + H_{edge}(i,j)) / √d_k",
                             operations::edge_dot_scores, {at.q, at.k, edge}, scale()));
        return net_.along_edges(std::move(z), "Z(i) = Σ_j α(i,j) (V(j) + H_{edge}(i,j))",
                                operations::edge_feature_mix, {pattern, at.v, edge});
    }

    void add_result_of_head(const Location& head, TensorId z) {
        add_result(net_.plan,
                   {head.at(Role::HeadResult), "Z W_O", net_.query(), model(), Stage::Mix,
                    Quantity::Signed, Keep::OnDemand},
                   "Z W_O[head " + std::to_string(head.head) + "]", operations::multiply, {z, W_O_},
                   {.begin = Index(head.head) * d_out()});
    }

    TensorId add_output(std::vector<TensorId> z) {
        Named out = here_.at(Role::AttentionOutput);
        const Scalar share = 1 / static_cast<Scalar>(z.size());
        if (net_.is_mean(here_.layer))
            return add_result(
                net_.plan,
                {std::move(out), "out", net_.query(), net_.width(here_.layer), Stage::Output},
                "Σ_h Z_h / heads", operations::scaled_sum, std::move(z), {.scale = share});
        Named side_by_side = has_output_ ? here_.at("concat") : std::move(out);
        const TensorId concat =
            add_result(net_.plan,
                       {std::move(side_by_side), has_output_ ? "concat" : "out", net_.query(),
                        concat_width(), Stage::Output},
                       "[Z_0 | Z_1 | …]", operations::concat_columns, std::move(z));
        return has_output_ ? add_mixed(concat) : concat;
    }

    TensorId add_mixed(TensorId concat) {
        TensorName out{here_.at(Role::AttentionOutput), "out", net_.query(), model(),
                       Stage::Output};
        if (!net_.has_bias())
            return add_product(net_.plan, std::move(out), "concat · W_O", concat, W_O_);
        const TensorId b = add_constant(
            net_.plan, {here_.at("b_O", Role::Bias), "b_O", {}, model()}, operations::zeros);
        return add_result(net_.plan, std::move(out), "concat · W_O + b_O", operations::multiply_add,
                          {concat, W_O_, b});
    }

    /// What the layer reads passes it by, through a matrix of its own.       [Shi 2021, eq. 5]
    TensorId add_skip(TensorId x, TensorId out) {
        if (net_.settings.skip == Switch::Off) return out;
        const Axis width = net_.plan[out].columns;
        const TensorId W =
            net_.weight(here_.beside("W_skip"), "W_{skip}", net_.plan[x].columns, width);
        const TensorId skip = net_.project({here_.beside("skip"), "skip", net_.query(), width}, x,
                                           W, {here_.beside("b_skip", Role::Bias), "b_{skip}"});
        return add_result(net_.plan,
                          {here_.beside("sum"), "out + skip", net_.query(), width, Stage::Output},
                          "out + skip", operations::add, {out, skip});
    }

    GraphNet& net_;
    Location here_;
    bool has_output_;
    TensorId W_O_ = 0;
};

}  // namespace

TensorId add_graph_transformer_layer(GraphNet& net, int layer, TensorId x) {
    return Layer(net, layer).add(x);
}

}  // namespace headlight
