#include "model/sweep/sweep.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/error.h"
#include "model/evaluate.h"
#include "model/sweep/measure.h"
#include "model/sweep/path_patching.h"
#include "model/sweep/replacement.h"

namespace headlight {
namespace {

/// The outputs of whole attentions and MLPs.
std::vector<TensorId> list_layer_outputs(const Plan& plan) {
    const Network network = plan[last_stream(plan)].identity.network;
    std::vector<TensorId> outputs;
    for (TensorId id = 0; id < plan.tensors().size(); ++id) {
        const Identity& identity = plan[id].identity;
        const bool is_attention =
            identity.role == Role::AttentionOutput && is_swept_attention(identity.component);
        if (identity.network == network && (is_attention || identity.role == Role::MlpOutput))
            outputs.push_back(id);
    }
    return outputs;
}

/// What is replaced at a time: all of a tensor, or one row of it.
struct Swept {
    TensorId id = 0;
    std::optional<Index> row = {};
};

std::vector<Swept> list_swept(const Trace& base, SweepOver over) {
    std::vector<Swept> swept;
    if (over != SweepOver::Tokens) {
        for (const TensorId id :
             over == SweepOver::Heads ? list_head_outputs(base) : list_layer_outputs(base))
            swept.push_back({id});
        return swept;
    }
    for (const TensorId id : list_streams(base)) {
        const CountedRows counted = counted_rows(base, base[id]);
        const auto is_token = [&](Index row) {
            return !counted || std::ranges::binary_search(*counted, row);
        };
        for (Index row = 0; row < base[id].rows().size; ++row)
            if (is_token(row)) swept.push_back({id, row});
    }
    return swept;
}

void check_can_sweep(const Document& document, const Trace& base, const Sweep& sweep) {
    if (!can_sweep(base))
        throw Error("sweep", "the study has no heads in layers that the logits are read from");
    if (const std::string pinned = pinned_readout(base); !pinned.empty())
        throw Error("sweep", pinned +
                                 " is set by hand behind the last layer, so no head changes "
                                 "it; take that back first");
    const SentenceStudy* study = document.sentence();
    const bool says_next = study && study->layer.readout == Readout::NextWord;
    if (sweep.settings.quantity == SweepQuantity::Loss && !says_next)
        throw Error("sweep",
                    study && study->layer.readout == Readout::MaskedWord
                        ? "the loss is that of next tokens, which this network does not say: it "
                          "says a word in place of [MASK], and the text does not say which word "
                          "that is. Measure the logit or the probability of a word there"
                        : "the loss is that of next tokens, which this network does not say");
    if (sweep.settings.over == SweepOver::Tokens && sweep.settings.path)
        throw Error("sweep",
                    "paths begin at heads, attentions and MLPs, not at tokens of the residual "
                    "stream; leave out the receiver");
}

constexpr std::pair<ComponentKind, const char*> kLayerParts[] = {
    {ComponentKind::Attention, "attention"},
    {ComponentKind::CrossAttention, "cross-attention"},
    {ComponentKind::Mlp, "MLP"}};

class SweepRunner {
  public:
    SweepRunner(const Document& document, const Trace& base, const Sweep& sweep,
                const ForEach& for_each)
        : base_(base),
          sweep_(sweep),
          measure_(base, sweep),
          progress_(for_each.progress()),
          silent_(for_each.followed_by(of_one_)),
          own_(interventions_in(document, base)) {
        // Only what leads from a component to the last stream is computed; the rest is read from
        // the base.
        const auto lean = std::make_shared<Plan>(base.plan());
        for (PlannedTensor& tensor : lean->tensors()) tensor.keep = Keep::OnDemand;
        lean_ = lean;
        if (sweep.settings.path) path_.emplace(base, lean_, own_, *sweep.settings.path, silent_);
    }

    SweepResult run() {
        const std::vector<Swept> swept = begin();
        const int n_draws =
            sweep_.settings.kind == SweepKind::Resample ? sweep_.settings.resampling.n_draws : 1;
        if (progress_) progress_->begin(static_cast<double>(swept.size()) * n_draws);
        for (const Swept& each : swept) {
            if (progress_) progress_->enter(base_[each.id].path());
            double sum = 0;
            for (int draw = 0; draw < n_draws; ++draw) {
                sum += measure_.of(stream_with(each.id, replacement(each, draw)));
                if (progress_) progress_->advance(1);
            }
            result_.change(row_of(base_[each.id].identity()), column_of(each)) =
                static_cast<Scalar>(sum / n_draws - result_.before);
        }
        return std::move(result_);
    }

  private:
    /// Makes the result's shape; returns what is swept.
    std::vector<Swept> begin() {
        std::vector<Swept> swept = list_swept(base_, over());
        if (path_) std::erase_if(swept, [&](const Swept& s) { return !is_before_receiver(s.id); });
        result_.over = over();
        name_columns(swept);
        for (const Swept& each : swept)
            if (const SweepRow row = row_for(base_[each.id].identity());
                std::ranges::find(result_.rows, row) == result_.rows.end())
                result_.rows.push_back(row);
        result_.change = Matrix::Constant(std::ssize(result_.rows), std::ssize(result_.columns),
                                          std::numeric_limits<Scalar>::quiet_NaN());
        result_.before = measure_.before();
        return swept;
    }

    SweepOver over() const { return sweep_.settings.over; }

    void name_columns(const std::vector<Swept>& swept) {
        switch (over()) {
            case SweepOver::Heads:
                return name_heads(swept);
            case SweepOver::Layers:
                return name_layer_parts(swept);
            case SweepOver::Tokens:
                break;
        }
        const Axis& tokens = base_[swept.front().id].rows();
        for (Index row = 0; row < tokens.size; ++row)
            result_.columns.push_back(shown_label(base_, tokens, row));
    }

    void name_heads(const std::vector<Swept>& swept) {
        int n_heads = 0;
        for (const Swept& each : swept)
            n_heads = std::max(n_heads, base_[each.id].identity().head + 1);
        for (int h = 0; h < n_heads; ++h) result_.columns.push_back("head " + std::to_string(h));
    }

    void name_layer_parts(const std::vector<Swept>& swept) {
        for (const auto& [kind, name] : kLayerParts)
            if (std::ranges::any_of(swept, [&, k = kind](const Swept& each) {
                    return base_[each.id].identity().component == k;
                }))
                columns_.push_back(kind), result_.columns.emplace_back(name);
    }

    SweepRow row_for(const Identity& identity) const {
        if (over() == SweepOver::Heads) return {identity.layer, identity.component};
        const bool is_input = over() == SweepOver::Tokens && identity.role == Role::ResidPre;
        return {is_input ? -1 : identity.layer};
    }
    Index row_of(const Identity& identity) const {
        return std::ranges::find(result_.rows, row_for(identity)) - result_.rows.begin();
    }
    Index column_of(const Swept& each) const {
        const Identity& identity = base_[each.id].identity();
        if (each.row) return *each.row;
        if (over() == SweepOver::Heads) return identity.head;
        return std::ranges::find(columns_, identity.component) - columns_.begin();
    }

    Intervention replacement(const Swept& each, int draw) const {
        Intervention of_all = replacement_for(base_, each.id, sweep_, draw);
        return each.row ? on_one_row(of_all, base_, each.id, *each.row) : of_all;
    }

    bool is_before_receiver(TensorId id) const { return path_->is_before(base_[id].identity()); }

    Matrix stream_with(TensorId id, Intervention replacement) const {
        if (path_) return path_->last_stream_with(id, replacement, silent_);
        const std::string& stream = base_.plan()[last_stream(base_)].path;
        Interventions changed = own_;
        changed[base_[id].path()] = std::move(replacement);
        const Watched watched{.everything = false, .globs = {stream}};
        return *compute(lean_, changed, watched, &base_, silent_).at(stream).value;
    }

    const Trace& base_;
    const Sweep& sweep_;
    Measure measure_;
    Progress* progress_;
    Progress of_one_;
    ForEach silent_;
    Interventions own_;  // of the document
    std::shared_ptr<const Plan> lean_;
    std::optional<PathPatching> path_;
    std::vector<ComponentKind> columns_;  // over layers
    SweepResult result_;
};

std::string replaced_by(const SweepSettings& settings, std::size_t n_texts) {
    const Resampling& resampling = settings.resampling;
    switch (settings.kind) {
        case SweepKind::Zero:
            return "0";
        case SweepKind::Mean:
            return "its mean";
        case SweepKind::Patch:
            return "what it is in B";
        case SweepKind::Resample:
            break;
    }
    const std::string drawn =
        " (seed " + std::to_string(resampling.seed) +
        (resampling.n_draws > 1 ? ", mean of " + std::to_string(resampling.n_draws) + " draws)"
                                : ")");
    if (n_texts == 0) return "its rows at other tokens" + drawn;
    return "what it is in " +
           (n_texts == 1 ? "another text" : "one of " + std::to_string(n_texts) + " texts") + drawn;
}

std::string path_sentence(const SweepPath& path) {
    static constexpr const char* kThrough[] = {"'s queries", "'s keys", "'s values", ""};
    const std::string receiver = path.ends_in_logits()
                                     ? "the logits see"
                                     : "head " + std::to_string(path.layer) + "." +
                                           std::to_string(path.head) +
                                           kThrough[static_cast<std::size_t>(path.through)] +
                                           (path.through == HeadInput::All ? " sees" : " see");
    return "; only " + receiver + " it, other heads are frozen";
}

}  // namespace

bool has_two_attentions(const SweepResult& result) {
    return std::ranges::any_of(result.rows, [](const SweepRow& row) {
        return row.attention == ComponentKind::CrossAttention;
    });
}

std::vector<std::string> row_names(const SweepResult& result) {
    const bool has_cross = has_two_attentions(result);
    std::vector<std::string> names;
    for (const SweepRow& row : result.rows)
        if (result.over == SweepOver::Tokens)
            names.push_back(row.layer < 0 ? "input" : "after layer " + std::to_string(row.layer));
        else
            names.push_back((!has_cross                                       ? "layer "
                             : row.attention == ComponentKind::CrossAttention ? "cross "
                                                                              : "self ") +
                            std::to_string(row.layer));
    return names;
}

bool can_sweep(const Plan& plan) {
    return !list_head_outputs(plan).empty();
}

SweepResult run_sweep(const Document& document, const Trace& base, const Sweep& sweep,
                      const ForEach& for_each) {
    check_can_sweep(document, base, sweep);
    return SweepRunner(document, base, sweep, for_each).run();
}

std::string sweep_sentence(const SweepSettings& settings, std::size_t n_texts) {
    static constexpr const char* kEach[] = {"each head's output",
                                            "the output of each attention and each MLP",
                                            "each token's stream after each layer"};
    const char* each = kEach[static_cast<std::size_t>(settings.over)];
    return std::string(each) + " replaced by " + replaced_by(settings, n_texts) +
           ", one at a time" + (settings.path ? path_sentence(*settings.path) : "");
}

}  // namespace headlight
