// The words that stand for choices in a study; the command line uses the same.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "model/document.h"

namespace headlight {

template <typename Choice, std::size_t n>
using ChoiceWords = std::array<std::pair<std::string_view, Choice>, n>;

inline constexpr ChoiceWords<MaskKind, 2> kMaskWords = {
    {{"none", MaskKind::None}, {"causal", MaskKind::Causal}}};
inline constexpr ChoiceWords<PositionKind, 2> kPositionWords = {
    {{"none", PositionKind::None}, {"sinusoidal", PositionKind::Sinusoidal}}};
inline constexpr ChoiceWords<Combine, 2> kCombineWords = {
    {{"concat", Combine::Concat}, {"mean", Combine::Mean}}};
inline constexpr ChoiceWords<Activation, 2> kActivationWords = {
    {{"none", Activation::None}, {"elu", Activation::Elu}}};
inline constexpr ChoiceWords<RowRule, 2> kRowWords = {
    {{"keep", RowRule::Keep}, {"renormalise", RowRule::Renormalise}}};

template <typename Choice, std::size_t n>
constexpr std::string_view word_for(const ChoiceWords<Choice, n>& words, Choice choice) {
    for (const auto& [word, meaning] : words)
        if (meaning == choice) return word;
    return "";
}

}  // namespace headlight
