// The cards of the view of logits: the likeliest words, the logit lens, and what a logit comes
// from.
#pragma once

#include <array>
#include <span>

#include "scene/figures/readout_view.h"

namespace headlight {

inline constexpr float kCardGap = 12;
/// Points: in less width cards stand above each other.
inline constexpr float kLeastCardsBeside = 620;

/// The height in which a card shows what matters, or, alone, all of it: of what adds up to a logit
/// the strongest.
enum class CardRows { Few, All };
inline constexpr std::size_t kMostPartsShown = 32;
float card_height(const LogitView& readout, ReadoutCard card, CardRows rows = CardRows::Few);
/// With less a card shows nothing.
float least_card_height();

/// Beside or above each other, filling the size.
Figure readout_cards(const LogitView& readout, std::span<const ReadoutCard> cards, Point size,
                     const Theme& theme, const MeasureText& measure);

}  // namespace headlight
