// One study of a sweep: its text evaluated, what is asked of it, and what is patched from.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "cli/readout_command.h"
#include "scene/readout/done_sweep.h"

namespace headlight {

class SweptStudy {
  public:
    /// `options` outlives it; its words, and its texts of --from, may be those of a prompt. Throws
    /// Error if the text has no such word or place.
    SweptStudy(Document document, const SweepStudy& options, const Streams& streams);
    SweptStudy(const SweptStudy&) = delete;
    SweptStudy& operator=(const SweptStudy&) = delete;

    SweepResult run(const ForEach& for_each) const;

    /// The quantity in words: "the logit of ␣Mary after ␣to".
    std::string quantity() const;
    /// With what a picture says of it.
    DoneSweep done(SweepResult result) const;
    const Document& document() const { return document_; }
    std::string sentence() const { return sweep_sentence(sweep_.settings, sweep_.from.size()); }

  private:
    /// Throws Error if what is asked of is NaN before anything is changed.
    void check_has_change() const;
    std::string asked() const;

    Document document_;
    Trace base_;
    std::deque<Trace> others_;
    Sweep sweep_;
};

}  // namespace headlight
