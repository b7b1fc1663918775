// A sweep over each prompt of a file, and the mean and deviation of its changes.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "app/signal_watcher.h"
#include "cli/readout/sweep_prompts.h"
#include "cli/readout_command.h"
#include "core/analyses/head_tally.h"
#include "io/text/table.h"
#include "scene/readout/done_sweep.h"

namespace headlight {

/// Throws Error for prompts that would be a mean of several quantities. Each prompt counts once. A
/// prompt that cannot be swept, or whose table has another shape than the first one's, is left out,
/// and named. With an output, what was counted is kept beside it (FILE.part), and the next call
/// goes on from there.
class PromptSweep {
  public:
    PromptSweep(const SweepStudy& options, const Streams& streams);
    PromptSweep(const PromptSweep&) = delete;
    PromptSweep& operator=(const PromptSweep&) = delete;

    /// Throws Error if no prompt could be swept, and when Ctrl+C ends it behind one.
    void run();

    /// A row for each cell: row, column, prompts, mean, deviation, lowest, highest.
    Table table() const;
    /// The mean as a sweep of its own, for a picture.
    DoneSweep mean() const;
    const Document& document() const { return document_; }
    /// Removes what was kept, if all prompts are done.
    void forget() const;

  private:
    void check_one_quantity() const;
    std::string asked() const;
    std::string quantity() const;
    void go_on();
    void sweep(const SweepPrompt& prompt, const ForEach& for_each);
    bool has_enough() const;
    void add(SweepResult result);
    void keep() const;
    void stop_if_asked() const;

    std::atomic<bool> is_interrupted_ = false;
    SignalWatcher signals_{[this] { is_interrupted_ = true; }};  // before all threads
    const SweepStudy& options_;
    const Streams& streams_;
    Document document_;
    std::vector<SweepPrompt> prompts_;
    std::uint64_t question_ = 0;  // the study, the options and the prompts
    std::filesystem::path part_;  // empty: nothing is kept

    // What was counted:
    std::size_t n_done_ = 0;  // prompts, with those left out
    std::vector<std::string> left_out_;
    SweepResult shape_;           // its numbers are those of the first prompt
    std::vector<Moments> cells_;  // row by row; none of them: there is no such component
    Moments before_;
    std::string sentence_;
};

}  // namespace headlight
