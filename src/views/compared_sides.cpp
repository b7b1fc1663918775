#include "views/compared_sides.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/plan.h"
#include "figure/color_scale.h"
#include "figure/figure_look.h"
#include "figure/figure_parts.h"
#include "figure/heatmap_figure.h"
#include "figure/labels.h"
#include "figure/number_format.h"
#include "figure/tensor_figure.h"
#include "text/strings.h"
#include "views/graph_view.h"
#include "views/held.h"
#include "views/image_view.h"
#include "views/matrix_view.h"

namespace headlight {
namespace {

Selection selection_in_b(const Scene& scene) {
    const Comparison& comparison = *scene.comparison;
    Selection selection = scene.selection;
    selection.chosen = comparison.path_in_b(selection.chosen);
    if (const OtherHead* head = comparison.other<OtherHead>()) {
        selection.component = head->attention;
        selection.head = head->head;
    }
    const bool has_same_edges =
        !scene.trace.edges() ||
        (comparison.trace->edges() && scene.trace.edges()->row == comparison.trace->edges()->row &&
         scene.trace.edges()->neighbour == comparison.trace->edges()->neighbour);
    if (!has_same_edges) {
        selection.release();
        selection.advance();
    }
    return selection;
}

}  // namespace

const char* side_text(ComparedSide side) {
    return side == ComparedSide::A ? "A" : side == ComparedSide::B ? "B" : "A − B";
}

Target target_of(ComparedSide side, const std::string& path) {
    return {.path = path, .side = side == ComparedSide::A ? "" : side_text(side)};
}

std::string side_title(const Comparison& comparison, ComparedSide side) {
    // Where only A − B is shown, nothing else says what A and B are.
    const bool is_alone = comparison.show == Comparison::Show::Difference;
    const std::string name = side == ComparedSide::A   ? comparison.name_a
                             : side == ComparedSide::B ? comparison.name_b
                             : is_alone
                                 ? fmt::format("{} − {}", comparison.name_a, comparison.name_b)
                                 : "";
    return std::string(side_text(side)) + (name.empty() ? "" : "  ·  " + name);
}

namespace {

/// Returns the sides that the comparison shows, in order.
std::vector<ComparedSide> shown_sides(Comparison::Show show) {
    switch (show) {
        case Comparison::Show::Both:
            return {ComparedSide::A, ComparedSide::B};
        case Comparison::Show::All:
            return {ComparedSide::A, ComparedSide::B, ComparedSide::Difference};
        case Comparison::Show::Difference:
            break;
    }
    return {ComparedSide::Difference};
}

}  // namespace

std::vector<ComparedSide> sides_of(const Scene& scene, HasHeads heads) {
    const Comparison* comparison = scene.comparison;
    const bool has_b = comparison && comparison->is_on() && comparison->trace;
    const bool is_head = has_b && comparison->other<OtherHead>();
    if (!has_b || (is_head && heads == HasHeads::All)) return {ComparedSide::A};
    return shown_sides(comparison->show);
}

std::vector<ComparedSide> sides_without_difference(const Scene& scene, HasHeads heads) {
    const bool is_alone = sides_of(scene, heads) == std::vector{ComparedSide::A};
    return is_alone ? std::vector{ComparedSide::A} : shown_sides(Comparison::Show::Both);
}

SceneOfB::SceneOfB(const Scene& a)
    : selection_(selection_in_b(a)),
      scene_{.document = *a.comparison->document,
             .trace = *a.comparison->trace,
             .components = a.comparison->components,
             .selection = selection_,
             .theme = a.theme,
             .kept = a.comparison->trace.shared()} {}

std::string other_words_text(const TensorIn& a, const TensorIn& b) {
    const Axis &of_a = a.tensor.rows(), &of_b = b.tensor.rows();
    if (!is_of_items(of_a) || !is_of_items(of_b)) return "";
    if (of_a.size != of_b.size)
        return fmt::format("{} in place of {}", counted(of_b.size, "token"), of_a.size);
    std::string first;
    Index n = 0;
    for (Index k = 0; k < of_a.size; ++k) {
        const std::string word_a = shown_label(a.trace, of_a, k),
                          word_b = shown_label(b.trace, of_b, k);
        if (word_a != word_b && n++ == 0)
            first = fmt::format("{} in place of {}", quoted_word(word_b), quoted_word(word_a));
    }
    return n > 1 ? fmt::format("{}, and {} more", first, n - 1) : first;
}

void name_both(HeatmapInput& of_difference, const TensorIn& a, const TensorIn& b) {
    const auto name = [&](std::vector<std::string>& labels, const Axis& of_a, const Axis& of_b) {
        if (!is_of_items(of_a) || !is_of_items(of_b)) return;
        const auto n = std::min<Index>(std::ssize(labels), of_b.size);
        for (Index k = 0; k < n; ++k) {
            std::string& label = labels[static_cast<std::size_t>(k)];
            label = name_of_both(label, shown_label(b.trace, of_b, k));
        }
    };
    name(of_difference.row_labels, a.tensor.rows(), b.tensor.rows());
    name(of_difference.column_labels, a.tensor.columns(), b.tensor.columns());
}

HeadDifference head_difference(const TensorIn& a, const TensorIn& b) {
    HeadDifference made;
    made.a = a.tensor.value;
    made.b = b.tensor.value;
    made.problem = why_not_subtracted(a, b);
    if (!made.problem.empty()) return made;
    const MatchedValues matched = match_by_name(a, b);
    const Difference d = difference(a, matched);
    made.tensor = difference_tensor(a.tensor, d.values);
    made.largest = std::abs(d.largest);
    made.signed_largest = d.largest;
    made.mean_magnitude = d.mean_magnitude;
    if (a.tensor.quantity() == Quantity::Probability && matched.has_all())
        made.rows = row_distances(a, *matched.values);
    return made;
}

const HeadDifference* HeadDifferences::of(const Scene& scene, const Tensor& tensor) {
    const Tensor* b = scene.comparison->find(tensor.path());
    if (!b || !tensor.value) return nullptr;
    HeadDifference& kept = kept_[tensor.path()];
    if (kept.a != tensor.value || kept.b != b->value)
        kept = head_difference({scene.trace, tensor}, {*scene.comparison->trace, *b});
    return &kept;
}

namespace {

constexpr float kPictureGap = 12, kPictureTitle = 34, kReasonSize = 13, kReasonLine = 19;

/// Returns the item of B with the name of A's: the second one if it is the second in A. Returns
/// nothing if B has no such item.
std::optional<Index> item_in_b(const Trace& a, const Trace& b, int list, Index item) {
    const auto l = static_cast<std::size_t>(list);
    if (l >= a.lists().size() || l >= b.lists().size()) return item;
    const auto &names_a = a.lists()[l].names, &names_b = b.lists()[l].names;
    if (!names_a || !names_b || *names_a == *names_b || item >= std::ssize(*names_a)) return item;
    const std::string& name = (*names_a)[static_cast<std::size_t>(item)];
    auto n_before = std::count(names_a->begin(), names_a->begin() + item, name);
    for (Index k = 0; k < std::ssize(*names_b); ++k)
        if ((*names_b)[static_cast<std::size_t>(k)] == name && n_before-- == 0) return k;
    return std::nullopt;
}

std::string size_text(const Matrix& values) {
    return fmt::format("{} × {}", values.rows(), values.cols());
}

class Pictures {
  public:
    Pictures(const Scene& scene, const PictureRoom& room, const MeasureText& measure,
             const ProjectorStyle& look)
        : scene_(scene),
          look_(look),
          label_size_(room.label_size),
          comparison_(*scene.comparison),
          chosen_(comparison_.chosen),
          difference_scales_(scene.selection.scales.for_difference()),
          measure_(measure) {
        result_.figure.width = room.size.x;
        result_.figure.height = room.size.y;
        if (comparison_.trace) scene_b_.emplace(scene);
    }

    ComparisonPictures paint() {
        const std::vector<ComparedSide> sides = shown_sides(comparison_.show);
        const std::vector<Box> boxes =
            place_pictures({0, 0, result_.figure.width, result_.figure.height},
                           static_cast<int>(sides.size()), kPictureGap, aspect());
        for (std::size_t k = 0; k < sides.size(); ++k) add(sides[k], boxes[k]);
        draw_matrices();
        titles_.tell(result_.figure);
        return std::move(result_);
    }

  private:
    /// Returns the width of a picture over its height: a matrix with a few rows is flat, also with
    /// its names.
    float aspect() const {
        constexpr float kNames = 4, kFlattest = 3;
        if (!chosen_.a) return 1;
        const auto columns = static_cast<float>(chosen_.a->columns().size);
        const auto rows = static_cast<float>(chosen_.a->rows().size);
        return std::clamp((columns + kNames) / (rows + kNames), 1.0f, kFlattest);
    }

    void add(ComparedSide side, Box box) {
        const Theme& theme = scene_.theme;
        const Color border = side == ComparedSide::A ? theme.accent : theme.border;
        result_.figure.add(
            RectMark{box, theme.card, border, side == ComparedSide::A ? 2.0f : 1.0f, 8});
        ComparedPicture picture{.side = side, .box = box};
        const std::string why = why_not(side);
        if (!why.empty())
            add_reason(side, box, why);
        else if (scene_.document.drawn_graph() &&
                 shows_picture_alone(scene_.trace, scene_.selection))
            add_graph(picture);
        else if (has_image(scene_.trace) && shows_picture_alone(scene_.trace, scene_.selection))
            add_image(picture);
        else
            add_matrix(picture);
        result_.pictures.push_back(std::move(picture));
    }

    /// Explains why there is no picture of this side; empty if there is one.
    std::string why_not(ComparedSide side) const {
        const bool has_a = chosen_.a && chosen_.a->value;
        if (side == ComparedSide::A) return has_a ? "" : "computing …";
        if (!chosen_.b) return chosen_.problem;
        return side == ComparedSide::Difference && !chosen_.difference ? chosen_.problem : "";
    }

    std::string shown_title(ComparedSide side) const {
        return look_.heading == FigureLook::Heading::Hidden ? "" : side_title(comparison_, side);
    }

    void add_title(ComparedSide side, Box box) {
        TextMark mark{{box.x + kFigurePad, box.y + kFigurePad + 11},
                      shown_title(side),
                      13,
                      scene_.theme.text,
                      Font::Bold};
        titles_.shorten(mark, box.width - 2 * kFigurePad, measure_);
        if (!mark.text.empty()) result_.figure.add(std::move(mark));
    }

    void add_reason(ComparedSide side, Box box, const std::string& why) {
        add_title(side, box);
        const auto lines =
            wrapped_lines({{}, why, kReasonSize}, box.width - 4 * kFigurePad, measure_);
        float y = box.center().y - static_cast<float>(lines.size() - 1) * kReasonLine / 2;
        for (const std::string& line : lines) {
            TextMark mark{{box.center().x, y}, line,          kReasonSize,
                          scene_.theme.muted,  Font::Regular, Align::Middle};
            shorten(mark, box.width - 2 * kFigurePad, measure_);
            result_.figure.add(std::move(mark));
            y += kReasonLine;
        }
    }

    void add_matrix(const ComparedPicture& picture) {
        const ComparedSide side = picture.side;
        const bool is_b = side == ComparedSide::B;
        const Trace& trace = is_b ? *comparison_.trace : scene_.trace;
        const Tensor& tensor = side == ComparedSide::A ? *chosen_.a
                               : is_b                  ? *chosen_.b
                                                       : chosen_.tensor;
        const PictureScales& scales =
            side == ComparedSide::Difference ? difference_scales_ : scene_.selection.scales;
        HeatmapInput input = heatmap_input(trace, tensor, scene_.theme, scales);
        input.target = target_of(side, chosen_.a->path());
        input.title = shown_title(side);
        if (look_.heading != FigureLook::Heading::Shown) input.formula.clear();
        if (side == ComparedSide::Difference) {
            name_difference(input);
        } else if (chosen_.b) {  // one scale for both
            MatrixColors colors = scales.colors(*chosen_.a, chosen_.extremes, scene_.theme);
            input.scale = std::move(colors.scale);
            input.clipped = colors.clipped;
        }
        const auto on_side = [&](const AxisIndices& indices) {
            return cell_pick(tensor, is_b ? indices_in_b(scene_, indices) : indices);
        };
        input.selected = on_side(scene_.selection.held().indices);
        input.hovered = on_side(scene_.selection.hovered().indices);
        input.width = picture.box.width;
        input.height = picture.box.height;
        input.label_size = label_size_;
        input.stretch = look_.stretch;
        input.times = look_.times;
        // In a narrow box the cells need the width.
        if (input.width < 1.1f * input.height) input.legend = LegendPlace::Bottom;
        const bool is_part = show_part_on(side, input);
        matrices_.push_back({result_.pictures.size(), is_part});
        inputs_.push_back(std::move(input));
    }

    void draw_matrices() {
        const std::vector<HeatmapFigure> drawn =
            heatmaps_in_line(std::move(inputs_), scene_.theme, measure_);
        for (std::size_t k = 0; k < drawn.size(); ++k) {
            ComparedPicture& picture = result_.pictures[matrices_[k].picture];
            add_part(result_.figure, drawn[k].figure, {picture.box.x, picture.box.y});
            picture.number_size = drawn[k].number_size;
            if (matrices_[k].is_part) continue;  // its cells are not those of the matrix
            picture.grid = drawn[k].grid;
            picture.grid.cells.x += picture.box.x;
            picture.grid.cells.y += picture.box.y;
        }
    }

    /// Names the difference by both sides. It has no numbers where A shall have none.
    void name_difference(HeatmapInput& input) const {
        name_both(input, {scene_.trace, *chosen_.a}, {*comparison_.trace, *chosen_.b});
        using Numbers = PictureSettings::Numbers;
        input.legend_name = difference_legend(difference_colors());
        if (scene_.selection.scales.of(chosen_.a->quantity()).numbers == Numbers::Never)
            input.numbers = HeatmapInput::Numbers::Never;
    }

    /// Shows only the chosen rows and columns; those of B by their names where words have other
    /// places there. Returns false if all are shown.
    bool show_part_on(ComparedSide side, HeatmapInput& input) const {
        auto part = chosen_.a ? shown_part(scene_, *chosen_.a) : std::nullopt;
        if (!part) return false;
        if (side == ComparedSide::B && !chosen_.difference) {
            part->rows = in_b(part->rows, chosen_.a->rows(), chosen_.b->rows());
            part->columns = in_b(part->columns, chosen_.a->columns(), chosen_.b->columns());
        }
        if (!input.values) return true;
        const std::string title = input.title, all = size_text(*input.values);
        show_part(input, *part);
        if (title.empty()) return input.title.clear(), true;
        // There is less room than a title in words needs.
        input.title = title;
        const std::string shown = size_text(*input.values);
        if (shown != all) input.title += fmt::format(" · {} of {}", shown, all);
        if (!part->note.empty()) input.title += " · " + part->note;
        return true;
    }
    std::vector<Index> in_b(const std::vector<Index>& part, const Axis& a, const Axis& b) const {
        std::vector<Index> found;
        for (const Index at : part)
            if (const auto item = item_in_b(scene_.trace, *comparison_.trace, a.list, at);
                item && *item < b.size)
                found.push_back(*item);
        return found;
    }

    void add_graph(ComparedPicture& picture) {
        GraphInput input = graph_input(scene_on(picture.side));
        input.color = head_color(scene_.theme, scene_.selection.head);  // one scale for both
        if (picture.side == ComparedSide::Difference) {
            input.color = scene_.theme.positive;
            input.negative_color = scene_.theme.negative;
            input.full = difference_colors().scale.high;
            input.symbol = "A − B";
            for (std::size_t e = 0; e < input.edges.size(); ++e)
                input.edges[e].alpha = (*chosen_.difference->values)(static_cast<Index>(e), 0);
            filter_edges(input, scene_.selection.looks.graph);
        }
        const Box& box = picture.box;
        input.label_size = label_size_;
        input.times = look_.graph_times;
        input.box = {box.x, box.y + kPictureTitle, box.width, box.height - kPictureTitle};
        GraphFigure graph = graph_figure(input, scene_.theme, measure_);
        add_part(result_.figure, graph.figure, {0, 0});
        add_title(picture.side, box);
        picture.graph = std::move(graph.geometry);
    }

    void add_image(ComparedPicture& picture) {
        ImageInput input = image_input(scene_on(picture.side));
        if (chosen_.b) {  // one scale for both
            const Scalar high = image_input(scene_on(ComparedSide::B)).scale.high;
            input.scale = image_input(scene_).scale;
            input.scale.high = std::max(input.scale.high, high);
        }
        if (picture.side == ComparedSide::Difference) make_difference(input);
        input.width = picture.box.width;
        input.height = picture.box.height - kPictureTitle;
        ImageFigure image = image_figure(input, scene_.theme, measure_);
        const Point at{picture.box.x, picture.box.y + kPictureTitle};
        add_part(result_.figure, image.figure, at);
        add_title(picture.side, picture.box);
        for (Box* box : {&image.image, &image.attention}) {
            box->x += at.x;
            box->y += at.y;
        }
        picture.image = std::move(image);
    }

    MatrixColors difference_colors() const {
        return difference_scales_.colors(chosen_.tensor, chosen_.tensor.value, scene_.theme);
    }

    /// Sets the weights of the queries to A − B.
    void make_difference(ImageInput& input) const {
        input.scale = difference_colors().scale;
        if (input.weights.empty()) return;
        input.weights = read_patches(scene_.trace, chosen_.tensor, scene_.selection).weights;
        input.title = "A − B, ±" + format_value(input.scale.high, 3);
    }

    /// Returns B's own scene for pictures of B that show more than a tensor.
    const Scene& scene_on(ComparedSide side) const {
        return side == ComparedSide::B ? scene_b_->scene() : scene_;
    }

    const Scene& scene_;
    const ProjectorStyle look_;
    const std::optional<float> label_size_;
    const Comparison& comparison_;
    const ComparedTensor& chosen_;
    const PictureScales difference_scales_;
    const MeasureText& measure_;
    std::optional<SceneOfB> scene_b_;  // while B has a trace
    CutTexts titles_{"titles"};
    struct Waiting {
        std::size_t picture;  // of the result
        bool is_part;
    };
    std::vector<Waiting> matrices_;     // they are drawn when all are known …
    std::vector<HeatmapInput> inputs_;  // … from these
    ComparisonPictures result_;
};

}  // namespace

AxisIndices indices_in_b(const Scene& scene, const AxisIndices& indices) {
    const Comparison& comparison = *scene.comparison;
    if (!comparison.trace || comparison.chosen.difference) return indices;
    AxisIndices in_b = indices;
    const auto move = [&](std::optional<Index>& item, int list) {
        if (item) item = item_in_b(scene.trace, *comparison.trace, list, *item);
    };
    move(in_b.query, indices.query_list);
    move(in_b.key, indices.key_list);
    in_b.also.clear();
    for (const Index also : indices.also) {
        std::optional<Index> item = also;
        move(item, indices.query ? indices.query_list : indices.key_list);
        if (item) in_b.also.push_back(*item);
    }
    return in_b;
}

ComparisonPictures comparison_pictures(const Scene& scene, const PictureRoom& room,
                                       const MeasureText& measure, const ProjectorStyle& look) {
    return Pictures(scene, room, measure, look).paint();
}

Figure compared_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure) {
    constexpr float kEach = 480, kLeastOfEach = 240, kTallest = 1.15f;
    using Show = Comparison::Show;
    const Show show = scene.comparison->show;
    const float n = show == Show::Both ? 2 : show == Show::All ? 3 : 1.5f;
    const Point room{n * kEach, show == Show::Difference ? kUsualRoom.y : kEach + 40};
    const auto height_for = [&](float width) {
        const float columns = std::clamp(std::floor(width / kLeastOfEach), 1.0f, n);
        return width / columns * std::ceil(n / columns) * kTallest;
    };
    return comparison_pictures(scene, picture_room(look, room, height_for), measure,
                               {.heading = look.heading})
        .figure;
}

}  // namespace headlight
