// The names of settings, and the words that stand for their choices, in studies, on the command
// line and in the window.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "core/settings.h"
#include "model/document.h"

namespace headlight {

/// The name of a setting, and how it is shown.
struct Field {
    const char* key;    // in studies; with dashes an option of the command line
    const char* label;  // in the window
    const char* help;   // one sentence
    bool is_relevant =
        true;  // has an effect with the other settings; if not, it is saved, not shown
    std::string_view idle = {};  // of a group: the keys inside that have no effect there
    const char* each = "head";   // of widths: the part that a list has one for
};

/// Returns the field of widths whose list has one for each layer.
constexpr Field of_layers(Field field) {
    field.each = "layer";
    return field;
}

/// Says if a setting has an effect where it stands; told of every group that a visitor enters.
class Relevance {
  public:
    bool of(const Field& field) const {
        return is_relevant_ && field.is_relevant && !is_idle(field.key);
    }

    /// Visits the settings inside the group.
    void inside(const Field& group, auto visit) {
        const Relevance outer = *this;
        is_relevant_ = of(group);
        if (!group.idle.empty()) idle_ = group.idle;
        visit();
        *this = outer;
    }

  private:
    bool is_idle(std::string_view key) const {
        for (std::size_t at = 0; at < idle_.size();) {
            const std::size_t end = std::min(idle_.find(' ', at), idle_.size());
            if (idle_.substr(at, end - at) == key) return true;
            at = end + 1;
        }
        return false;
    }

    bool is_relevant_ = true;
    std::string_view idle_;
};

template <typename Number>
struct Range {
    Number low, high;
};
template <typename Number>
Range(Number, Number) -> Range<Number>;  // clang 14 does not deduce it by itself

inline constexpr int kMaxSeed = 999999;  // the largest that the window offers
/// Limits beyond any network that was published: only the memory limits a study.
inline constexpr int kMaxLayers = 256, kMaxHeads = 256, kMaxWidth = 100'000;
inline constexpr int kMaxDistance = 4096;

/// The range of one number for all parts, or of each in a list.
struct WidthRange : Range<int> {
    constexpr WidthRange(Range<int> range, const char* zero_word = nullptr)
        : Range<int>(range), zero(zero_word) {}

    Range<int> of_each(const Widths& value) const {
        return {value.is_list() && zero ? std::max(low, 1) : low, high};
    }
    const char* zero;  // what 0 for all stands for, which no list has; null: nothing else
};
inline constexpr WidthRange kWidths{{1, kMaxWidth}};
inline constexpr WidthRange kHeadWidths{{0, kMaxWidth}, "d_model / heads"};
inline constexpr WidthRange kWindows{{0, kMaxDistance}};
inline constexpr WidthRange kOnOff{{0, 1}};

template <typename Choice, std::size_t n>
using EnumNames = std::array<std::pair<std::string_view, Choice>, n>;

inline constexpr EnumNames<Projection, 3> kProjectionWords = {{{"learned", Projection::Learned},
                                                               {"identity", Projection::Identity},
                                                               {"shared", Projection::Shared}}};
inline constexpr EnumNames<Score, 5> kScoreWords = {{{"scaled_dot", Score::ScaledDot},
                                                     {"dot", Score::Dot},
                                                     {"cosine", Score::Cosine},
                                                     {"bilinear", Score::Bilinear},
                                                     {"additive", Score::Additive}}};
inline constexpr EnumNames<Normalizer, 5> kNormalizerWords = {{{"softmax", Normalizer::Softmax},
                                                               {"hard", Normalizer::Hard},
                                                               {"top_k", Normalizer::TopK},
                                                               {"sparsemax", Normalizer::Sparsemax},
                                                               {"entmax", Normalizer::Entmax}}};
inline constexpr EnumNames<Positions, 3> kPositionWords = {{{"none", Positions::None},
                                                            {"sinusoidal", Positions::Sinusoidal},
                                                            {"learned", Positions::Learned}}};
inline constexpr EnumNames<RelativePositions, 6> kRelativePositionWords = {
    {{"none", RelativePositions::None},
     {"rotary", RelativePositions::Rotary},
     {"shaw", RelativePositions::Shaw},
     {"alibi", RelativePositions::Alibi},
     {"buckets", RelativePositions::Buckets},
     {"quadratic", RelativePositions::Quadratic}}};
inline constexpr EnumNames<RotaryPairs, 2> kRotaryPairsWords = {
    {{"interleaved", RotaryPairs::Interleaved}, {"halves", RotaryPairs::Halves}}};
inline constexpr EnumNames<RotaryScaling, 5> kRotaryScalingWords = {
    {{"none", RotaryScaling::None},
     {"linear", RotaryScaling::Linear},
     {"dynamic", RotaryScaling::Dynamic},
     {"llama3", RotaryScaling::Llama3},
     {"yarn", RotaryScaling::Yarn}}};
inline constexpr EnumNames<Norm, 4> kNormWords = {
    {{"none", Norm::None}, {"pre", Norm::Pre}, {"post", Norm::Post}, {"both", Norm::Both}}};
inline constexpr EnumNames<NormType, 2> kNormTypeWords = {
    {{"layer", NormType::Layer}, {"rms", NormType::Rms}}};
inline constexpr EnumNames<Mlp, 5> kMlpWords = {{{"none", Mlp::None},
                                                 {"relu", Mlp::Relu},
                                                 {"gelu", Mlp::Gelu},
                                                 {"gelu_tanh", Mlp::GeluTanh},
                                                 {"silu", Mlp::Silu}}};
inline constexpr EnumNames<Unembedding, 3> kUnembeddingWords = {
    {{"none", Unembedding::None}, {"learned", Unembedding::Learned}, {"tied", Unembedding::Tied}}};
inline constexpr EnumNames<LastLayer, 2> kLastLayerWords = {
    {{"block", LastLayer::Block}, {"pointing", LastLayer::Pointing}}};
inline constexpr EnumNames<Readout, 4> kReadoutWords = {{{"next-word", Readout::NextWord},
                                                         {"pronoun", Readout::Pronoun},
                                                         {"masked-word", Readout::MaskedWord},
                                                         {"questions", Readout::Questions}}};
inline constexpr EnumNames<AlignmentMechanism, 3> kAlignmentMechanismWords = {
    {{"cross", AlignmentMechanism::Cross},
     {"transformer", AlignmentMechanism::Transformer},
     {"recurrent", AlignmentMechanism::Recurrent}}};
inline constexpr EnumNames<RecurrentCellType, 3> kRecurrentCellWords = {
    {{"rnn", RecurrentCellType::Rnn},
     {"gru", RecurrentCellType::Gru},
     {"lstm", RecurrentCellType::Lstm}}};
inline constexpr EnumNames<Feeding, 2> kFeedingWords = {
    {{"teacher", Feeding::Teacher}, {"free", Feeding::Free}}};
inline constexpr EnumNames<GraphMechanism, 3> kGraphMechanismWords = {
    {{"gat", GraphMechanism::Gat},
     {"gatv2", GraphMechanism::GatV2},
     {"transformer", GraphMechanism::Transformer}}};
inline constexpr EnumNames<Combine, 2> kCombineWords = {
    {{"concat", Combine::Concat}, {"mean", Combine::Mean}}};
inline constexpr EnumNames<Activation, 3> kActivationWords = {
    {{"none", Activation::None}, {"elu", Activation::Elu}, {"relu", Activation::Relu}}};
inline constexpr EnumNames<ImageMechanism, 2> kImageMechanismWords = {
    {{"attention", ImageMechanism::Attention}, {"convolution", ImageMechanism::Convolution}}};
inline constexpr EnumNames<ClassToken, 3> kClassTokenWords = {
    {{"reader", ClassToken::Reader}, {"item", ClassToken::Item}, {"first", ClassToken::First}}};
inline constexpr EnumNames<Resample, 6> kResampleWords = {{{"nearest", Resample::Nearest},
                                                           {"lanczos", Resample::Lanczos},
                                                           {"bilinear", Resample::Bilinear},
                                                           {"bicubic", Resample::Bicubic},
                                                           {"box", Resample::Box},
                                                           {"hamming", Resample::Hamming}}};
inline constexpr EnumNames<Kernel, 2> kKernelWords = {
    {{"random", Kernel::Random}, {"neighbours", Kernel::Neighbours}}};
inline constexpr EnumNames<Centers, 2> kCentersWords = {
    {{"grid", Centers::Grid}, {"random", Centers::Random}}};
inline constexpr EnumNames<Ablation, 2> kAblationWords = {
    {{"zero", Ablation::Zero}, {"mean", Ablation::Mean}}};
inline constexpr EnumNames<RowRule, 2> kRowWords = {
    {{"keep", RowRule::Keep}, {"renormalise", RowRule::Renormalise}}};

template <typename Choice, std::size_t n>
constexpr std::string_view word_for(const EnumNames<Choice, n>& words, Choice choice) {
    for (const auto& [word, meaning] : words)
        if (meaning == choice) return word;
    return "";
}

}  // namespace headlight
