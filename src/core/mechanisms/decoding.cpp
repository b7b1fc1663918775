#include "core/mechanisms/decoding.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "core/error.h"
#include "core/mechanisms/block.h"
#include "core/mechanisms/stack.h"
#include "core/operations/operations.h"
#include "core/operations/score_operations.h"
#include "core/trace.h"

namespace headlight {
namespace {

constexpr const char* kOut = "decoding.out";
/// The most matrices; more of them would make every edit of the study slow.
constexpr Index kMostMatrices = Index(1) << 15;

/// The location of tensors that all layers of a step share.
Location step(Index t) {
    return {.network = Network::Decoding,
            .component = ComponentKind::Step,
            .step = static_cast<int>(t)};
}

// ---- the steps ----

/// Names the tensors of all steps.
class Decoding {
  public:
    Decoding(Plan& plan, const StackSettings& settings, std::uint64_t seed)
        : plan_(plan),
          settings_(settings),
          seed_(seed),
          begin_(plan.tensors().size()),
          x_(plan.id_at("blocks.0.resid_pre")),
          n_(plan[x_].rows.size) {}

    void add() {
        check();
        std::vector<TensorId> steps;
        for (Index t = 0; t < n_; ++t) steps.push_back(add_step(t));
        add_results(std::move(steps));
        for (TensorId id = begin_; id < plan_.tensors().size(); ++id)
            plan_.tensors()[id].keep = Keep::OnDemand;
    }

  private:
    void check() const {
        if (settings_.mask.causal == Switch::Off)
            throw Error("decoding",
                        "a sentence whose words read later ones cannot be decoded word by word; "
                        "make the mask causal");
        if (settings_.last_layer == LastLayer::Pointing)
            throw Error("decoding", "a pointing last layer is not decoded; make it a block");
        if (plan_[x_].rows.groups > 1)
            throw Error("decoding",
                        "one sentence is decoded at a time, and there are {}; leave one, or turn "
                        "decoding off",
                        plan_[x_].rows.groups);
        constexpr Index kOfBlock = 20, kOfHead = 17;  // at most, in one step
        const Index each = settings_.n_layers * (kOfBlock + kOfHead * settings_.attention.n_heads);
        if (n_ * each > kMostMatrices)
            throw Error(
                "decoding",
                "{} words are too many to decode with {} {} of {} heads; use at most {} words", n_,
                settings_.n_layers, settings_.n_layers == 1 ? "layer" : "layers",
                settings_.attention.n_heads, kMostMatrices / each);
    }

    /// Returns the step's row of the result.
    TensorId add_step(Index t) {
        const std::string row = fmt::format("row {} of ", t);
        std::map<std::string, TensorId> masks;
        TensorId x =
            add_result(plan_, residual(t, 0), row + "X", operations::row_slice, {x_}, {.begin = t});
        for (int l = 0; l < settings_.n_layers; ++l) {
            if (l > 0)
                x = add_result(plan_, residual(t, l), "X = " + plan_[x].symbol, operations::copy,
                               {x});
            const std::string word = self_mask_word(settings_.mask, l);
            if (!masks.contains(word)) masks[word] = add_mask(t, word);
            x = add_layer(t, l, x, masks.at(word));
        }
        if (settings_.final_norm == Switch::Off) return x;
        return add_norm(plan_, settings_, {{.component = ComponentKind::Output}, "ln_final"},
                        name(step(t).at("ln_final.out", Role::NormOutput),
                             final_norm_symbol(settings_.norm_type), item(t), Stage::Output),
                        x);
    }

    TensorId add_mask(Index t, const std::string& word) {
        const Axis query{.kind = AxisKind::Query, .first = t}, key{AxisKind::Key, t + 1};
        return add_result(
            plan_, {step(t).at(word, Role::Mask), "M", query, key, Stage::Score, Quantity::Mask},
            fmt::format("row {} of M, up to there", t), operations::row_slice, {plan_.id_at(word)},
            {.begin = t});
    }

    TensorId add_layer(Index t, int l, TensorId x, TensorId mask) {
        return add_block(plan_, settings_of_layer(settings_, l),
                         {.here = attention(t, l),
                          .weights = {.component = ComponentKind::Attention, .layer = l},
                          .x = x,
                          .mask = mask,
                          .causal = Switch::On,
                          .cache = t == 0 ? KeyCache{} : KeyCache{static_cast<int>(t - 1), t}},
                         seed_);
    }

    void add_results(std::vector<TensorId> steps) {
        const TensorId full = of_full_pass(plan_[steps.back()].identity);
        const Location output{.network = Network::Decoding, .component = ComponentKind::Output};
        const Axis rows = plan_[x_].rows;
        const TensorId out =
            add_result(plan_, name(output.at("out"), "out", rows, Stage::Output),
                       "the rows of all steps", operations::append_rows, std::move(steps));
        add_result(plan_, name(output.at("difference"), "out − full", rows, Stage::Output),
                   "decoded − full pass", operations::subtract, {out, full});
        const int list = plan_.add_list("multiply-adds", {"full pass", "with the cache"});
        add_result(plan_,
                   {output.at("work"),
                    "work",
                    rows,
                    {AxisKind::Named, 2, list},
                    Stage::Output,
                    Quantity::Amount},
                   "multiply-adds for word t", operations::decoding_work, {full});
    }

    /// Returns the tensor of the full pass that corresponds to one of a step.
    TensorId of_full_pass(Identity wanted) const {
        wanted.network = Network::Main;
        wanted.step = -1;
        if (wanted.component == ComponentKind::Step) wanted.component = ComponentKind::Output;
        const auto& all = plan_.tensors();
        const auto found = std::ranges::find(all, wanted, &PlannedTensor::identity);
        return static_cast<TensorId>(found - all.begin());
    }

    TensorName name(Named named, const char* symbol, Axis rows, Stage stage) const {
        return {std::move(named), symbol, rows, plan_[x_].columns, stage};
    }
    TensorName residual(Index t, int l) const {
        return name(attention(t, l).beside(Role::ResidPre), "X", item(t), Stage::Input);
    }
    static Location attention(Index t, int l) {
        return step(t).with(ComponentKind::Attention).of_layer(l);
    }
    static Axis item(Index t) { return {.kind = AxisKind::Item, .first = t}; }

    Plan& plan_;
    const StackSettings& settings_;
    std::uint64_t seed_;
    TensorId begin_, x_;
    Index n_;
};

// ---- the work ----

constexpr std::array kStages{Stage::Projection, Stage::Score, Stage::Mix, Stage::Output};
constexpr std::array kStageNames{"projections", "scores", "mixes", "output"};
using Work = std::array<double, kStages.size()>;  // multiply-adds of each stage

double sum(const Work& work) {
    double total = 0;
    for (const double each : work) total += each;
    return total;
}

bool is_product(const PlannedTensor& tensor) {
    using namespace operations;
    for (const Operation* operation :
         {&multiply, &multiply_add, &multiply_transposed, &multiply_transposed_add, &cosine_scores,
          &operations::additive_scores, &relative_scores, &relative_mix})
        if (tensor.operation == operation) return true;
    return false;
}

/// Returns the size of an axis when there are only n_words words; 0: as it is.
Index size_with(const Axis& axis, Index n_words) {
    const bool is_words =
        axis.kind == AxisKind::Item || axis.kind == AxisKind::Query || axis.kind == AxisKind::Key;
    return is_words && n_words > 0 ? n_words : axis.size;
}

/// Counts the products that `target` is made with, of those after `begin`.
Work count_work(const Plan& plan, TensorId target, TensorId begin, Index n_words) {
    Work work{};
    std::set<TensorId> needed{target};
    while (!needed.empty()) {
        const PlannedTensor& tensor = plan[*needed.rbegin()];
        needed.erase(std::prev(needed.end()));
        for (const TensorId input : tensor.inputs)
            if (input >= begin) needed.insert(input);
        for (std::size_t s = 0; s < kStages.size(); ++s)
            if (is_product(tensor) && tensor.stage == kStages[s])
                work[s] += static_cast<double>(size_with(tensor.rows, n_words)) *
                           static_cast<double>(size_with(tensor.columns, n_words)) *
                           static_cast<double>(size_with(plan[tensor.inputs[0]].columns, n_words));
    }
    return work;
}

/// Returns the work for word t: by a full pass (column 0), by the step (column 1).
Work work_of_word(const Call& call, Index t, Index column) {
    const Plan& plan = *call.trace;
    const TensorId full = plan[call.id].inputs[0];
    if (column == 0) return count_work(plan, full, 0, t + 1);
    const std::vector<TensorId>& steps = plan.at(kOut).inputs;
    const auto at = static_cast<std::size_t>(t);
    return count_work(plan, steps[at], t == 0 ? full + 1 : steps[at - 1] + 1, 0);
}

void decoding_work_forward(const Call& call, View work) {
    for (Index t = 0; t < call.rows; ++t)
        for (Index column = 0; column < 2; ++column)
            work(t, column) = static_cast<Scalar>(sum(work_of_word(call, t, column)));
}

Explanation decoding_work_explain(const Call& call, ConstView work, Index t, Index column) {
    const Work parts = work_of_word(call, t, column);
    std::string what;
    for (std::size_t s = 0; s < kStages.size(); ++s) {
        what += fmt::format("{}{} {:.0f}", s > 0 ? " + " : "", kStageNames[s], parts[s]);
    }
    return {.rule = "Σ rows · columns · width of every product",
            .terms = {},
            .sum = 0,
            .finish = {{std::move(what), work(t, column)}}};
}

}  // namespace

void plan_decoding(Plan& plan, const StackSettings& settings, std::uint64_t seed) {
    Decoding(plan, settings, seed).add();
}

namespace operations {

const Operation decoding_work{"decoding work",       {},      kWhole,
                              decoding_work_forward, nullptr, decoding_work_explain};

}  // namespace operations
}  // namespace headlight
