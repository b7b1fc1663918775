// Trace: a plan, and the value of every tensor in it.
//
// Goals: panels, exporters, commands and tests read everything from here. Immutable once computed.
// Not goals: being saved; knowing what a user asked for (that is the Document).
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/intervention.h"
#include "core/plan.h"

namespace headlight {

/// One tensor of a trace: its entry in the plan, and its numbers.
class Tensor {
  public:
    Tensor() = default;
    explicit Tensor(std::shared_ptr<const PlannedTensor> planned) : planned_(std::move(planned)) {}

    const PlannedTensor& planned() const { return *planned_; }
    /// Code that needs only the tensor's description can take the planned tensor.
    operator const PlannedTensor&() const { return *planned_; }
    const std::string& path() const { return planned_->path; }
    std::string_view name() const { return planned_->name(); }
    const Identity& identity() const { return planned_->identity; }
    const std::string& symbol() const { return planned_->symbol; }
    /// Returns the planned equation. For a rule, such as the mask, it also says how many of its
    /// cells were set by hand.
    std::string equation() const;
    const Axis& rows() const { return planned_->rows; }
    const Axis& columns() const { return planned_->columns; }
    Quantity quantity() const { return planned_->quantity; }
    Stage stage() const { return planned_->stage; }
    Keep keep() const { return planned_->keep; }
    const Operation* operation() const { return planned_->operation; }
    const OperationSettings& settings() const { return planned_->settings; }
    const std::vector<TensorId>& inputs() const { return planned_->inputs; }
    Index first_row() const { return planned_->first_row; }
    bool is_leaf() const { return planned_->is_leaf(); }
    const Edges* row_edges() const { return planned_->row_edges(); }

    bool is_given = false;           // computed elsewhere: a leaf that got its numbers
    Intervention intervention = {};  // cells set by hand
    MatrixPtr computed = {};         // before the intervention; null when not kept
    MatrixPtr value = {};            // after it; the same matrix when no cell is set

  private:
    std::shared_ptr<const PlannedTensor> planned_;
};

class Trace {
  public:
    /// A trace of the empty plan.
    Trace() : Trace(std::make_shared<const Plan>()) {}
    /// A trace without values.
    explicit Trace(std::shared_ptr<const Plan> plan);
    explicit Trace(Plan plan) : Trace(std::make_shared<const Plan>(std::move(plan))) {}

    const Plan& plan() const { return *plan_; }
    const std::shared_ptr<const Plan>& shared_plan() const { return plan_; }
    /// Code that needs only the tensors' descriptions can take the plan.
    operator const Plan&() const { return *plan_; }

    const std::vector<Tensor>& tensors() const { return tensors_; }
    std::vector<Tensor>& tensors() { return tensors_; }
    const Tensor& operator[](TensorId id) const { return tensors_[id]; }

    const Tensor* find(std::string_view path) const;  // null if absent
    const Tensor& at(std::string_view path) const { return tensors_[id_at(path)]; }
    TensorId id_at(std::string_view path) const { return plan_->id_at(path); }  // throws Error

    const std::vector<ItemList>& lists() const { return plan_->lists; }
    const std::vector<std::string>& items(int list = 0) const { return plan_->items(list); }
    const std::vector<std::string>& shown_items(int list = 0) const {
        return plan_->shown_items(list);
    }
    const std::shared_ptr<const Edges>& edges() const { return plan_->edges; }
    Index grid_columns() const { return plan_->grid_columns; }
    Index grid_begin() const { return plan_->grid_begin; }
    Index image_columns() const { return plan_->image_columns; }

  private:
    std::shared_ptr<const Plan> plan_;
    std::vector<Tensor> tensors_;
};

/// Points to the trace of a study. A study that cannot be computed, or is not computed yet, has no
/// values: reading them throws Error, where a bare pointer would end the program. A caller with a
/// better message checks first.
class TracePtr {
  public:
    TracePtr() = default;
    TracePtr(std::nullptr_t) {}
    TracePtr(std::shared_ptr<const Trace> trace) : trace_(std::move(trace)) {}

    explicit operator bool() const { return trace_ != nullptr; }
    const Trace& operator*() const {
        if (!trace_) throw Error("study", "it cannot be computed, so it has no values");
        return *trace_;
    }
    const Trace* operator->() const { return &**this; }
    const Trace* get() const { return trace_.get(); }  // null: there is none
    const std::shared_ptr<const Trace>& shared() const { return trace_; }

    bool operator==(const TracePtr&) const = default;

  private:
    std::shared_ptr<const Trace> trace_;
};

}  // namespace headlight
