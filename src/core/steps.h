// Steps: a share of a progress, handed down to what does that part of the work.
#pragma once

#include "core/progress.h"

namespace headlight {

class Steps {
  public:
    Steps() = default;  // nobody waits
    Steps(Progress& progress, double work) : progress_(&progress), work_(work) {}

    /// A part of them, 0 … 1.
    Steps part(double share) const {
        Steps steps = *this;
        steps.work_ *= share;
        return steps;
    }

    /// That share of them is done. Throws Cancelled.
    void advance(double share) const {
        if (progress_) progress_->advance(work_ * share);
    }

  private:
    Progress* progress_ = nullptr;
    double work_ = 0;
};

}  // namespace headlight
