#include "core/analyses/influence.h"

#include <cmath>
#include <fmt/format.h>

#include "core/gradient.h"
#include "core/mechanisms/add_tensor.h"

namespace headlight {
namespace {

/// The sentences stacked in both tensors: rows of one in each.
struct Stack {
    Index groups, n_out, n_in;
};

Stack make_stack(const PlannedTensor& output, const PlannedTensor& input) {
    const Index groups = output.rows.groups == input.rows.groups ? input.rows.groups : 1;
    return {groups, output.rows.size / groups, input.rows.size / groups};
}

/// The Jacobian between two tensors, a row of the output at a time.
class Jacobian {
  public:
    Jacobian(const Trace& trace, TensorId output, TensorId input)
        : backward_(trace, output, {input}),
          stack_(make_stack(trace[output], trace[input])),
          seed_(Matrix::Zero(trace[output].rows().size, trace[output].columns().size)) {
        backward_.read(trace);
    }

    const Stack& stack() const { return stack_; }

    /// Returns ‖∂Y(i,d)/∂X(j,·)‖² for row i and column d of every sentence, which do not affect
    /// each other: groups × n_in.
    Matrix squares(Index i, Index d) {
        for (Index g = 0; g < stack_.groups; ++g) seed_(g * stack_.n_out + i, d) = 1;
        backward_.pull(seed_);
        for (Index g = 0; g < stack_.groups; ++g) seed_(g * stack_.n_out + i, d) = 0;
        const Matrix sums = backward_.gradient(0).rowwise().squaredNorm();
        return sums.reshaped<Eigen::RowMajor>(stack_.groups, stack_.n_in);
    }

  private:
    Backward backward_;
    Stack stack_;
    Matrix seed_;
};

Jacobian make_jacobian(const Call& call) {
    const std::vector<TensorId>& inputs = (*call.trace)[call.id].inputs();
    return {*call.trace, inputs[0], inputs[1]};
}

void influence_forward(const Call& call, View J) {
    Jacobian jacobian = make_jacobian(call);
    const Stack& stack = jacobian.stack();
    J.setZero();
    for (Index i = 0; i < stack.n_out; ++i)
        for (Index d = 0; d < call[0].cols(); ++d) {
            const Matrix squares = jacobian.squares(i, d);
            for (Index g = 0; g < stack.groups; ++g) J.row(g * stack.n_out + i) += squares.row(g);
        }
    J = J.cwiseSqrt();
}

Explanation influence_explain(const Call& call, ConstView J, Index i, Index j) {
    Jacobian jacobian = make_jacobian(call);
    const Index n_out = jacobian.stack().n_out;
    Explanation e;
    e.rule = "√ Σ_d ‖∂Y(i,d)/∂X(j)‖²";
    for (Index d = 0; d < call[0].cols(); ++d) {
        const Scalar square = jacobian.squares(i % n_out, d)(i / n_out, j);
        e.terms.push_back({{{0, i, d, call[0](i, d)}}, square});
        e.sum += square;
    }
    e.finish = {{"√", J(i, j)}};
    return e;
}

}  // namespace

const Operation operations::influence{"influence",       {},      kWhole,
                                      influence_forward, nullptr, influence_explain};

bool is_reading(const PlannedTensor& tensor) {
    if (tensor.rows.kind == AxisKind::Edge) return true;
    return tensor.rows.kind == AxisKind::Query && tensor.columns.kind == AxisKind::Key &&
           tensor.operation != &operations::influence;
}

TensorId add_influence(Plan& plan, TensorId output, TensorId input, std::string_view name) {
    const PlannedTensor &Y = plan[output], &X = plan[input];
    Axis rows = Y.rows, columns = X.rows;
    if (rows.kind == AxisKind::Item) rows.kind = AxisKind::Query;
    if (columns.kind == AxisKind::Item) columns.kind = AxisKind::Key;
    columns.size = make_stack(Y, X).n_in;
    columns.groups = 1;
    return add_result(plan,
                      {Location{.component = ComponentKind::Analyses}.at(name), "J", rows, columns,
                       Stage::Output, Quantity::Amount, Keep::OnDemand},
                      fmt::format("J(i,j) = ‖∂{}(i)/∂{}(j)‖", Y.symbol, X.symbol),
                      operations::influence, {output, input});
}

}  // namespace headlight
