// The view of logits and its cards: the likeliest words, what they would be after fewer layers, and
// what adds up to one of them.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analyses/readout.h"
#include "figure/figure_look.h"
#include "figure/heatmap_figure.h"
#include "views/compared_sides.h"
#include "views/readout_words.h"
#include "views/scene.h"

namespace headlight {

/// True if the trace names words or classes by layers.
bool has_readout(const Trace& trace);

/// A word and its probability.
struct LikelyWord {
    std::string name;  // as pictures write it
    double probability = 0;
    bool is_asked = false;
};

struct LogitView {
    LogitQuestion question;
    std::string after, word, minus;  // as pictures write them; minus: "" if there is none
    std::string context;             // the words before `after`, and it: "… there was a"
    LogitsName names = LogitsName::NextWord;
    double logit = 0;
    std::vector<LikelyWord> next;  // the likeliest ones
    Index n_more = 0;              // of the others
    double more_sum = 0;           // their probabilities together
    struct Stage {
        std::string name;  // "input", "0", "1" …
        std::vector<LikelyWord> likeliest;
        double asked = 0;  // the probability of the asked word
    };
    std::vector<Stage> lens;
    std::optional<LogitParts> parts;
    std::string problem;   // why the asked word is not in it; "": it is
    std::string unranked;  // why no word is likely; then the likeliest words are none; "": they are
    /// The other side of a comparison, whose bars have the same scale. It outlives the pictures.
    const LogitView* beside = nullptr;
};

/// Reads out the held row, or else the last word, by the selection's look. If the vocabulary does
/// not have the asked word, it is named as the problem, and the likeliest one is taken, without a
/// difference. Reads millions of numbers where the vocabulary is large.
LogitView make_readout(const Scene& scene);

/// Returns the title of a side, and its difference from A: "B  ·  before, “wide” in place of
/// “tired”".
std::string readout_title(const Scene& scene, ComparedSide side, const Scene& of_side);
/// Gives the bars of both sides one scale.
void set_beside(LogitView& a, LogitView& b);

/// Returns the largest number of words that the lens has after any layer.
std::size_t most_likely_words(const LogitView& view);

/// "␣Mary − ␣John after ␣to", "tabby"
std::string asked_text(const LogitView& view);

/// Returns the result of the last sweep as a matrix of layers × heads, or × attention and MLP;
/// nothing if none was done. It says so if the study has changed since then, or if something else
/// is asked now.
std::optional<HeatmapInput> sweep_input(const Scene& scene, const std::string& asked_now = "");

/// The sweep's picture, and its place in the view of that size. Without marks there is no picture.
struct SweepPicture {
    Figure figure;
    CellGrid grid;
    Point at;
};
SweepPicture sweep_picture(const Scene& scene, const LogitView& readout, Point size,
                           const MeasureText& measure);
/// Draws the sweep as a card that fills the size.
SweepPicture sweep_card(const Scene& scene, const LogitView& readout, Point size,
                        const MeasureText& measure);

/// Draws all cards, and the sweep below them, or only the sweep where there is no room for both.
Figure readout_figure(const Scene& scene, const LogitView& readout, Point size,
                      const MeasureText& measure);

/// The cards of the view.
enum class LogitCard { Next, Lens, Attribution };
inline constexpr std::array kLogitCards{LogitCard::Next, LogitCard::Lens, LogitCard::Attribution};

/// Draws the cards, or only one of them, for a file: in the look's room, or else as large as reads
/// well; in a comparison B's below A's.
Figure readout_picture(const Scene& scene, std::span<const LogitCard> cards, const FigureLook& look,
                       const MeasureText& measure);

/// In less width, in points, cards stand above each other.
inline constexpr float kLeastCardsBeside = 620;

/// Draws the cards beside or above each other, filling the size.
Figure logit_cards(const LogitView& readout, std::span<const LogitCard> cards, Point size,
                   const Theme& theme, const MeasureText& measure);

}  // namespace headlight
