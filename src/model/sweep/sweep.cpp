#include "model/sweep/sweep.h"

#include <algorithm>
#include <limits>
#include <map>

#include "core/analyses/next_token_loss.h"
#include "core/error.h"
#include "model/evaluate.h"
#include "model/sweep/path_patching.h"
#include "model/sweep/replacement.h"

namespace headlight {
namespace {

/// The outputs of whole attentions and MLPs.
std::vector<TensorId> list_layer_outputs(const Plan& plan) {
    std::vector<TensorId> outputs;
    for (TensorId id = 0; id < plan.tensors().size(); ++id) {
        const Identity& identity = plan[id].identity;
        const bool is_attention = identity.role == Role::AttentionOutput &&
                                  identity.component == ComponentKind::Attention;
        if (identity.network == Network::Main && (is_attention || identity.role == Role::MlpOutput))
            outputs.push_back(id);
    }
    return outputs;
}

std::vector<TensorId> list_swept(const Plan& plan, SweepOver over) {
    return over == SweepOver::Heads ? list_head_outputs(plan) : list_layer_outputs(plan);
}

void check_can_sweep(const Document& document, const Trace& base, const Sweep& sweep) {
    if (!can_sweep(base))
        throw Error("sweep", "the study has no heads whose output reaches logits");
    if (const std::string pinned = pinned_readout(base); !pinned.empty())
        throw Error("sweep", pinned +
                                 " is set by hand behind the last layer, so no head changes "
                                 "it; take that back first");
    const SentenceStudy* study = document.sentence();
    const bool says_next = study && study->layer.readout == Readout::NextWord;
    if (sweep.settings.quantity == SweepQuantity::Loss && !says_next)
        throw Error("sweep", "the loss is that of next tokens, which this network does not say");
}

/// The quantity, of last streams.
class Measure {
  public:
    Measure(const Trace& base, const Sweep& sweep) : base_(base), question_(sweep.question) {
        if (sweep.settings.quantity == SweepQuantity::Loss)
            next_ = next_tokens(base);
        else
            place_ = row_of_stream(base, question_.row);
    }

    double before() const { return next_ ? next_token_loss(base_) : logit_asked(base_, question_); }
    double of(const Matrix& stream) const {
        if (next_) return next_token_loss(base_, stream, *next_);
        const Matrix logits = read_out(base_, stream.row(place_));
        const auto logit = static_cast<double>(logits(0, question_.word));
        return question_.minus ? logit - static_cast<double>(logits(0, *question_.minus)) : logit;
    }

  private:
    const Trace& base_;
    LogitQuestion question_;
    Index place_ = 0;
    std::optional<std::vector<Index>> next_;  // of the loss
};

Index column_of(const Identity& identity, SweepOver over) {
    if (over == SweepOver::Heads) return identity.head;
    return identity.component == ComponentKind::Mlp ? 1 : 0;
}

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
        const std::vector<TensorId> swept = begin();
        const int n_draws =
            sweep_.settings.kind == SweepKind::Resample ? sweep_.settings.resampling.n_draws : 1;
        if (progress_) progress_->begin(static_cast<double>(swept.size()) * n_draws);
        for (const TensorId id : swept) {
            if (progress_) progress_->enter(base_[id].path());
            double sum = 0;
            for (int draw = 0; draw < n_draws; ++draw) {
                sum += measure_.of(stream_with(id, replacement_for(base_, id, sweep_, draw)));
                if (progress_) progress_->advance(1);
            }
            const Identity& identity = base_[id].identity();
            result_.change(row_of_layer_.at(identity.layer),
                           column_of(identity, sweep_.settings.over)) =
                static_cast<Scalar>(sum / n_draws - result_.before);
        }
        return std::move(result_);
    }

  private:
    /// Makes the result's shape; returns what is swept.
    std::vector<TensorId> begin() {
        const SweepOver over = sweep_.settings.over;
        std::vector<TensorId> swept = list_swept(base_, over);
        if (path_) std::erase_if(swept, [&](TensorId id) { return !is_before_receiver(id); });
        Index n_columns = 0;
        for (const TensorId id : swept) {
            row_of_layer_.emplace(base_[id].identity().layer, 0);
            n_columns = std::max(n_columns, column_of(base_[id].identity(), over) + 1);
        }
        for (auto& [layer, row] : row_of_layer_) {
            row = std::ssize(result_.layers);
            result_.layers.push_back(layer);
        }
        for (Index k = 0; k < n_columns; ++k)
            result_.columns.push_back(over == SweepOver::Heads ? "head " + std::to_string(k)
                                      : k == 0                 ? "attention"
                                                               : "MLP");
        result_.change = Matrix::Constant(std::ssize(result_.layers), n_columns,
                                          std::numeric_limits<Scalar>::quiet_NaN());
        result_.before = measure_.before();
        return swept;
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
    std::map<int, Index> row_of_layer_;
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
    return "what it is in one of " + std::to_string(n_texts) + " texts" + drawn;
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

bool can_sweep(const Plan& plan) {
    return !list_head_outputs(plan).empty() && !list_streams(plan).empty();
}

SweepResult run_sweep(const Document& document, const Trace& base, const Sweep& sweep,
                      const ForEach& for_each) {
    check_can_sweep(document, base, sweep);
    return SweepRunner(document, base, sweep, for_each).run();
}

std::string sweep_sentence(const SweepSettings& settings, std::size_t n_texts) {
    const char* each = settings.over == SweepOver::Heads
                           ? "each head's output"
                           : "the output of each attention and each MLP";
    return std::string(each) + " replaced by " + replaced_by(settings, n_texts) +
           ", one at a time" + (settings.path ? path_sentence(*settings.path) : "");
}

}  // namespace headlight
