// The sides of a comparison where a view shows more than one matrix: A, B and A − B as scenes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/analyses/difference.h"
#include "figure/figure_look.h"
#include "figure/graphs/graph_figure.h"
#include "figure/heatmap_layout.h"
#include "figure/image_figure.h"
#include "views/scene.h"

namespace headlight {

enum class ComparedSide { A, B, Difference };

/// "A", "B", "A − B"
const char* side_text(ComparedSide side);
/// Returns the cells of that matrix of A, in the picture of a side.
Target target_of(ComparedSide side, const std::string& path);
/// Returns the heading of a side's picture: "A  ·  now".
std::string side_title(const Comparison& comparison, ComparedSide side);

/// Returns only A if nothing is compared. Another head of A is no B for a view of all heads.
enum class HasHeads { One, All };
std::vector<ComparedSide> sides_of(const Scene& scene, HasHeads heads);
/// Returns A and B without their difference, which the view has no picture of.
std::vector<ComparedSide> sides_without_difference(const Scene& scene, HasHeads heads);

/// B as a scene, with what is selected in A as B names it; where the edges of the two differ,
/// nothing is held. B must have a trace.
class SceneOfB {
  public:
    explicit SceneOfB(const Scene& a);
    SceneOfB(const SceneOfB&) = delete;
    SceneOfB& operator=(const SceneOfB&) = delete;

    const Scene& scene() const { return scene_; }

  private:
    Selection selection_;
    Scene scene_;
};

/// Describes how the words along an axis of B differ from those of A: "7 tokens in place of 8",
/// "“wide” in place of “tired”"; "" where they are the same.
std::string other_words_text(const TensorIn& a, const TensorIn& b);

/// In a picture of A − B, gives items of A in whose places B has others the names of both.
void name_both(HeatmapInput& of_difference, const TensorIn& a, const TensorIn& b);

/// A − B for one matrix of a head.
struct HeadDifference {
    MatrixPtr a, b;       // the matrices that it was made from
    std::string problem;  // why there is none; then the rest is empty
    Tensor tensor;
    Scalar largest = 0;  // magnitude of a cell
    Scalar signed_largest = 0, mean_magnitude = 0;
    std::optional<RowDistances> rows;  // of patterns
};
HeadDifference head_difference(const TensorIn& a, const TensorIn& b);

/// The differences of many heads, each kept while its matrices stay.
class HeadDifferences {
  public:
    /// Returns null while B has no values for the tensor of A.
    const HeadDifference* of(const Scene& scene, const Tensor& tensor);

  private:
    std::map<std::string, HeadDifference> kept_;  // by path
};

/// The sizes and titles of pictures that are read from far away, see HeatmapInput.
struct ProjectorStyle {
    float stretch = 1;
    TimesRange times = {};
    float graph_times = 1;
    FigureLook::Heading heading = FigureLook::Heading::Shown;  // Hidden: without A and B, too
};

/// The place of one picture, for the pointer, in coordinates of the whole figure.
struct ComparedPicture {
    ComparedSide side;
    Box box;
    CellGrid grid = {};     // for a matrix of which all is shown; otherwise 0 × 0
    float number_size = 0;  // in the cells of a matrix; 0: there are none
    std::optional<GraphGeometry> graph = {};
    std::optional<ImageFigure> image = {};
};

struct ComparisonPictures {
    Figure figure;
    std::vector<ComparedPicture> pictures;
};

/// Draws the comparison of the chosen tensor: as matrices, for a graph's pattern as graphs, for an
/// image's as images. A and B share one colour scale; their difference has its own. If it cannot be
/// shown, the result says why.
ComparisonPictures comparison_pictures(const Scene& scene, const PictureRoom& room,
                                       const MeasureText& measure, const ProjectorStyle& look = {});

/// Returns the indices that B highlights for it. Where the two cannot be subtracted place by place,
/// words are those of the same name, and a word that B does not have is left out.
AxisIndices indices_in_b(const Scene& scene, const AxisIndices& indices);

/// Draws the whole view, the sides beside each other where each has room.
Figure compared_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure);

}  // namespace headlight
