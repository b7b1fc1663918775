// A sweep as the arguments of `headlight sweep`, and the words of its options.
#pragma once

#include <string>
#include <vector>

#include "model/settings/setting_words.h"
#include "scene/readout/done_sweep.h"

namespace headlight {

inline constexpr ChoiceWords<SweepKind, 4> kSweepWords = {{{"mean", SweepKind::Mean},
                                                           {"zero", SweepKind::Zero},
                                                           {"resample", SweepKind::Resample},
                                                           {"patch", SweepKind::Patch}}};
inline constexpr ChoiceWords<SweepOver, 3> kSweepOverWords = {
    {{"heads", SweepOver::Heads}, {"layers", SweepOver::Layers}, {"tokens", SweepOver::Tokens}}};
inline constexpr ChoiceWords<SweepQuantity, 4> kSweepQuantityWords = {
    {{"logit", SweepQuantity::Logit},
     {"probability", SweepQuantity::Probability},
     {"divergence", SweepQuantity::Divergence},
     {"loss", SweepQuantity::Loss}}};
inline constexpr ChoiceWords<HeadInput, 4> kHeadInputWords = {{{"all", HeadInput::All},
                                                               {"q", HeadInput::Query},
                                                               {"k", HeadInput::Key},
                                                               {"v", HeadInput::Value}}};

/// What was swept, without the study, the output and how it looks.
std::vector<std::string> sweep_arguments(const DoneSweep& sweep);

/// Why the command cannot make the sweep again: B is no other text of the study, or a word has no
/// name of its own. "": it can.
std::string why_no_sweep_command(const DoneSweep& sweep);

}  // namespace headlight
