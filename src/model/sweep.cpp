#include "model/sweep.h"

#include <algorithm>
#include <map>

#include "core/error.h"
#include "model/evaluate.h"

namespace headlight {
namespace {

bool is_swept(const PlannedTensor& tensor) {
    const Identity& identity = tensor.identity;
    return identity.role == Role::HeadOutput && identity.network == Network::Main &&
           identity.component == ComponentKind::Attention;
}

std::vector<TensorId> list_outputs(const Plan& plan) {
    std::vector<TensorId> outputs;
    for (TensorId id = 0; id < plan.tensors().size(); ++id)
        if (is_swept(plan[id])) outputs.push_back(id);
    return outputs;
}

Intervention intervention_for(const Trace& base, TensorId id, const Sweep& sweep) {
    if (sweep.kind == SweepKind::Zero) return {.cells = {}, .ablation = Ablation::Zero};
    if (sweep.kind == SweepKind::Mean) return {.cells = {}, .ablation = Ablation::Mean};
    const Tensor& tensor = base[id];
    const Tensor* other = sweep.from ? sweep.from->find(tensor.path()) : nullptr;
    if (!other) throw Error("sweep", "there is no " + tensor.path() + " to patch from");
    if (other->rows().size != tensor.rows().size || other->columns().size != tensor.columns().size)
        throw Error("sweep", "the other text must have as many tokens: " + tensor.path() + " is " +
                                 shape_text(other->rows().size, other->columns().size) +
                                 " there, and " +
                                 shape_text(tensor.rows().size, tensor.columns().size) + " here");
    return intervene_on_all(*compute_value(*sweep.from, sweep.from->id_at(tensor.path())));
}

}  // namespace

bool can_sweep(const Plan& plan) {
    return !list_outputs(plan).empty() && !list_streams(plan).empty();
}

SweepResult sweep_heads(const Document& document, const Trace& base, const Sweep& sweep,
                        const ForEach& for_each) {
    const std::vector<TensorId> outputs = list_outputs(base);
    if (outputs.empty() || list_streams(base).empty())
        throw Error("sweep", "the study has no heads whose output reaches logits");
    if (const std::string pinned = pinned_readout(base); !pinned.empty())
        throw Error("sweep", pinned +
                                 " is set by hand behind the last layer, so no head changes "
                                 "it; take that back first");
    SweepResult result;
    result.before = logit_asked(base, sweep.question);
    const PlannedTensor& stream = base.plan()[last_stream(base)];
    const Index place = row_of_stream(base, sweep.question.row);
    std::map<int, Index> row_of_layer;
    Index n_heads = 0;
    for (const TensorId id : outputs) {
        row_of_layer.emplace(base[id].identity().layer, 0);
        n_heads = std::max<Index>(n_heads, base[id].identity().head + 1);
    }
    for (auto& [layer, row] : row_of_layer) {
        row = std::ssize(result.layers);
        result.layers.push_back(layer);
    }
    result.change = Matrix::Zero(std::ssize(result.layers), n_heads);
    const Interventions before = interventions_in(document, base);
    // Only what leads from the head to the last stream is computed; the rest is read from the base.
    const auto lean = std::make_shared<Plan>(base.plan());
    for (PlannedTensor& tensor : lean->tensors()) tensor.keep = Keep::OnDemand;
    const Watched watched{.everything = false, .globs = {stream.path}};
    Progress* const progress = for_each.progress();
    Progress of_one;
    const ForEach silent = for_each.followed_by(of_one);
    if (progress) progress->begin(static_cast<double>(outputs.size()));
    for (const TensorId id : outputs) {
        if (progress) progress->enter(base[id].path());
        Interventions changed = before;
        changed[base[id].path()] = intervention_for(base, id, sweep);
        const Trace trace = compute(lean, changed, watched, &base, silent);
        const Matrix logits = read_out(base, trace.at(stream.path).value->row(place));
        double after = static_cast<double>(logits(0, sweep.question.word));
        if (sweep.question.minus) after -= static_cast<double>(logits(0, *sweep.question.minus));
        const Identity& identity = base[id].identity();
        result.change(row_of_layer.at(identity.layer), identity.head) =
            static_cast<Scalar>(after - result.before);
        if (progress) progress->advance(1);
    }
    return result;
}

std::string sweep_sentence(SweepKind kind) {
    switch (kind) {
        case SweepKind::Zero:
            return "each head's output replaced by 0, one at a time";
        case SweepKind::Mean:
            return "each head's output replaced by its mean, one at a time";
        case SweepKind::Patch:
            return "each head's output replaced by what it is in B, one at a time";
    }
    return "";
}

}  // namespace headlight
