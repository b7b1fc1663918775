// TracePtr: the trace of a study that perhaps cannot be computed.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "core/error.h"
#include "core/trace.h"

namespace headlight {

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
