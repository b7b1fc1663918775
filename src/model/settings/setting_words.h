// The words that stand for choices, in studies, on the command line and in the window.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "model/document.h"

namespace headlight {

template <typename Choice, std::size_t n>
using ChoiceWords = std::array<std::pair<std::string_view, Choice>, n>;

inline constexpr ChoiceWords<Projection, 3> kProjectionWords = {{{"learned", Projection::Learned},
                                                                 {"identity", Projection::Identity},
                                                                 {"shared", Projection::Shared}}};
inline constexpr ChoiceWords<Score, 5> kScoreWords = {{{"scaled_dot", Score::ScaledDot},
                                                       {"dot", Score::Dot},
                                                       {"cosine", Score::Cosine},
                                                       {"bilinear", Score::Bilinear},
                                                       {"additive", Score::Additive}}};
inline constexpr ChoiceWords<Normalizer, 5> kNormalizerWords = {
    {{"softmax", Normalizer::Softmax},
     {"hard", Normalizer::Hard},
     {"top_k", Normalizer::TopK},
     {"sparsemax", Normalizer::Sparsemax},
     {"entmax", Normalizer::Entmax}}};
inline constexpr ChoiceWords<Positions, 3> kPositionWords = {{{"none", Positions::None},
                                                              {"sinusoidal", Positions::Sinusoidal},
                                                              {"learned", Positions::Learned}}};
inline constexpr ChoiceWords<RelativePositions, 6> kRelativePositionWords = {
    {{"none", RelativePositions::None},
     {"rotary", RelativePositions::Rotary},
     {"shaw", RelativePositions::Shaw},
     {"alibi", RelativePositions::Alibi},
     {"buckets", RelativePositions::Buckets},
     {"quadratic", RelativePositions::Quadratic}}};
inline constexpr ChoiceWords<RotaryPairs, 2> kRotaryPairsWords = {
    {{"interleaved", RotaryPairs::Interleaved}, {"halves", RotaryPairs::Halves}}};
inline constexpr ChoiceWords<RotaryScaling, 5> kRotaryScalingWords = {
    {{"none", RotaryScaling::None},
     {"linear", RotaryScaling::Linear},
     {"dynamic", RotaryScaling::Dynamic},
     {"llama3", RotaryScaling::Llama3},
     {"yarn", RotaryScaling::Yarn}}};
inline constexpr ChoiceWords<Norm, 3> kNormWords = {
    {{"none", Norm::None}, {"pre", Norm::Pre}, {"post", Norm::Post}}};
inline constexpr ChoiceWords<NormType, 2> kNormTypeWords = {
    {{"layer", NormType::Layer}, {"rms", NormType::Rms}}};
inline constexpr ChoiceWords<Mlp, 5> kMlpWords = {{{"none", Mlp::None},
                                                   {"relu", Mlp::Relu},
                                                   {"gelu", Mlp::Gelu},
                                                   {"gelu_tanh", Mlp::GeluTanh},
                                                   {"silu", Mlp::Silu}}};
inline constexpr ChoiceWords<Unembedding, 3> kUnembeddingWords = {
    {{"none", Unembedding::None}, {"learned", Unembedding::Learned}, {"tied", Unembedding::Tied}}};
inline constexpr ChoiceWords<LastLayer, 2> kLastLayerWords = {
    {{"block", LastLayer::Block}, {"pointing", LastLayer::Pointing}}};
inline constexpr ChoiceWords<Readout, 4> kReadoutWords = {{{"next-word", Readout::NextWord},
                                                           {"pronoun", Readout::Pronoun},
                                                           {"masked-word", Readout::MaskedWord},
                                                           {"questions", Readout::Questions}}};
inline constexpr ChoiceWords<AlignmentMechanism, 3> kAlignmentMechanismWords = {
    {{"cross", AlignmentMechanism::Cross},
     {"transformer", AlignmentMechanism::Transformer},
     {"recurrent", AlignmentMechanism::Recurrent}}};
inline constexpr ChoiceWords<RecurrentCellType, 3> kRecurrentCellWords = {
    {{"rnn", RecurrentCellType::Rnn},
     {"gru", RecurrentCellType::Gru},
     {"lstm", RecurrentCellType::Lstm}}};
inline constexpr ChoiceWords<Feeding, 2> kFeedingWords = {
    {{"teacher", Feeding::Teacher}, {"free", Feeding::Free}}};
inline constexpr ChoiceWords<GraphMechanism, 3> kGraphMechanismWords = {
    {{"gat", GraphMechanism::Gat},
     {"gatv2", GraphMechanism::GatV2},
     {"transformer", GraphMechanism::Transformer}}};
inline constexpr ChoiceWords<Combine, 2> kCombineWords = {
    {{"concat", Combine::Concat}, {"mean", Combine::Mean}}};
inline constexpr ChoiceWords<Activation, 3> kActivationWords = {
    {{"none", Activation::None}, {"elu", Activation::Elu}, {"relu", Activation::Relu}}};
inline constexpr ChoiceWords<ImageMechanism, 2> kImageMechanismWords = {
    {{"attention", ImageMechanism::Attention}, {"convolution", ImageMechanism::Convolution}}};
inline constexpr ChoiceWords<ClassToken, 3> kClassTokenWords = {
    {{"reader", ClassToken::Reader}, {"item", ClassToken::Item}, {"first", ClassToken::First}}};
inline constexpr ChoiceWords<Resample, 6> kResampleWords = {{{"nearest", Resample::Nearest},
                                                             {"lanczos", Resample::Lanczos},
                                                             {"bilinear", Resample::Bilinear},
                                                             {"bicubic", Resample::Bicubic},
                                                             {"box", Resample::Box},
                                                             {"hamming", Resample::Hamming}}};
inline constexpr ChoiceWords<Kernel, 2> kKernelWords = {
    {{"random", Kernel::Random}, {"neighbours", Kernel::Neighbours}}};
inline constexpr ChoiceWords<Centers, 2> kCentersWords = {
    {{"grid", Centers::Grid}, {"random", Centers::Random}}};
inline constexpr ChoiceWords<Ablation, 2> kAblationWords = {
    {{"zero", Ablation::Zero}, {"mean", Ablation::Mean}}};
inline constexpr ChoiceWords<RowRule, 2> kRowWords = {
    {{"keep", RowRule::Keep}, {"renormalise", RowRule::Renormalise}}};

template <typename Choice, std::size_t n>
constexpr std::string_view word_for(const ChoiceWords<Choice, n>& words, Choice choice) {
    for (const auto& [word, meaning] : words)
        if (meaning == choice) return word;
    return "";
}

}  // namespace headlight
