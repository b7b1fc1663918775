// Steps: a share of a Progress, passed down to the code that does that part of the work.
#pragma once

#include "core/progress.h"

namespace headlight {

class Steps {
  public:
    Steps() = default;  // reports to nobody
    Steps(Progress& progress, double work) : progress_(&progress), work_(work) {}

    /// Returns a share of these steps, from 0 to 1.
    Steps part(double share) const {
        Steps steps = *this;
        steps.work_ *= share;
        return steps;
    }

    /// Reports that share as done. Throws Cancelled.
    void advance(double share) const {
        if (progress_) progress_->advance(work_ * share);
    }

  private:
    Progress* progress_ = nullptr;
    double work_ = 0;
};

}  // namespace headlight
