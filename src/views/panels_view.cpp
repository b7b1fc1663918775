#include "views/panels_view.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "core/error.h"
#include "core/plan.h"
#include "figure/figure_look.h"
#include "figure/number_format.h"
#include "figure/tensor_figure.h"
#include "figure/words/formula.h"
#include "views/answer.h"
#include "views/compared_sides.h"
#include "views/held.h"
#include "views/matrix_view.h"
#include "views/view_figure.h"

namespace headlight {
namespace {

constexpr float kPanelsWidth = 900;  // in points, where no width is given
constexpr float kNoPage = 1e5f;
constexpr float kPageHeight_mm = 230;     // of paper, for panels below each other
constexpr std::size_t kMostFormulas = 3;  // above the panels
constexpr std::size_t kMostColorBars = 2;

/// A matrix that becomes a panel.
struct PanelSource {
    ComparedSide side;
    const Trace* trace;
    const Tensor* tensor;
    std::string path;  // of A's
};

/// Values that share a bar: those of one kind; differences have a bar apart from what they are made
/// of.
struct PanelKind {
    Quantity quantity;
    bool is_difference;

    bool operator==(const PanelKind&) const = default;
};
PanelKind kind_of(const PanelSource& source) {
    return {source.tensor->quantity(), source.side == ComparedSide::Difference};
}

std::string path_and_shape(const Tensor& tensor) {
    return fmt::format("{} is {}", tensor.path(),
                       shape_text(tensor.rows().size, tensor.columns().size));
}

std::string why_no_panel(const Tensor& tensor) {
    if (tensor.row_edges())
        return tensor.path() + " has a number for each edge, and is no matrix; panels are matrices";
    if (tensor.rows().kind == AxisKind::Single || tensor.columns().kind == AxisKind::Single)
        return tensor.path() + " is a vector; panels are matrices";
    if (!tensor.value || tensor.value->size() == 0) return tensor.path() + " has no values";
    return "";
}

std::string why_not_together(const std::vector<PanelSource>& sources) {
    if (sources.empty()) return "no matrix is chosen for the panels";
    const Tensor& first = *sources.front().tensor;
    for (const PanelSource& source : sources) {
        const std::string why = why_no_panel(*source.tensor);
        if (!why.empty()) return why;
        const Tensor& tensor = *source.tensor;
        if (tensor.rows().size != first.rows().size ||
            tensor.columns().size != first.columns().size)
            return fmt::format("panels have one shape: {}, {}", path_and_shape(first),
                               path_and_shape(tensor));
    }
    return "";
}

/// Adds its question to the name of a head that was trained to answer one.
std::string asked_by(const std::string& head) {
    for (std::size_t q = 0; q < kQuestionNames.size(); ++q)
        if (head == kQuestionNames[q]) return fmt::format("{}: {}", head, kQuestionWords[q]);
    return head;
}

/// Returns "Layer 9 · head 3", "L9H3", "who: which noun?"; for a matrix of no head its path and its
/// name.
std::vector<std::string> title_forms(const PanelSource& source, const Components& components) {
    const Identity& identity = source.tensor->identity();
    const Component* part = find_component(components, identity.of_head(-1));
    if (identity.head < 0 || !part)
        return {source.tensor->path(), std::string(source.tensor->name())};
    const std::string head = head_word(*source.tensor), name = attention_name(*part);
    if (source.tensor->planned().head_name) return {asked_by(head), head};
    std::vector<std::string> forms{fmt::format("{} · {}", name, head_title(*source.tensor))};
    const bool is_plain = identity.layer >= 0 && name == fmt::format("Layer {}", identity.layer);
    forms.push_back(is_plain ? fmt::format("L{}H{}", identity.layer, head)
                             : fmt::format("{} · {}", name, head));
    return forms;
}

class PanelsList {
  public:
    PanelsList(const Scene& scene, FigureLook::Heading heading)
        : scene_(scene),
          heading_(heading),
          difference_scales_(scene.selection.scales.for_difference()) {
        list_sources();
    }

    ShownPanels take() {
        made_.problem = why_not_together(sources_);
        asks_ = made_.problem.empty() && are_questions();
        if (made_.problem.empty()) list_kinds();
        if (!made_.problem.empty()) return {{}, made_.problem};
        for (const PanelSource& source : sources_) add(source);
        if (scene_.selection.looks.matrix.sort == MatrixLook::Sort::Similarity) sort();
        made_.input.across = scene_.selection.looks.panels.across;
        if (heading_ == FigureLook::Heading::Shown) {
            std::vector<std::string> all = formulas();
            made_.input.formulas.insert(made_.input.formulas.begin(), all.begin(), all.end());
        }
        return std::move(made_);
    }

  private:
    void list_sources() {
        const std::vector<ComparedSide> sides = sides_of(scene_, HasHeads::All);
        made_.input.group = static_cast<int>(sides.size());
        for (const std::string& path : panel_paths(scene_)) {
            const Tensor* a = scene_.trace.find(path);
            for (const ComparedSide side : sides) {
                if (side == ComparedSide::A) sources_.push_back({side, &scene_.trace, a, path});
                const Tensor* b = side == ComparedSide::B ? scene_.comparison->find(path) : nullptr;
                if (b) sources_.push_back({side, scene_.comparison->trace.get(), b, path});
                if (side == ComparedSide::Difference) add_difference(*a);
            }
        }
    }

    void add_difference(const Tensor& a) {
        const HeadDifference* made = differences_.of(scene_, a);
        if (made && made->problem.empty())
            sources_.push_back({ComparedSide::Difference, &scene_.trace, &made->tensor, a.path()});
    }

    /// Makes one bar for each kind, over all values of it.
    void list_kinds() {
        for (const PanelSource& source : sources_)
            if (std::ranges::find(kinds_, kind_of(source)) == kinds_.end())
                kinds_.push_back(kind_of(source));
        if (kinds_.size() > kMostColorBars) {
            made_.problem = fmt::format(
                "the values of the panels are of {} kinds; a figure has bars for at most {}",
                kinds_.size(), kMostColorBars);
            return;
        }
        for (const PanelKind& kind : kinds_) {
            const auto first = std::ranges::find(sources_, kind, kind_of);
            const Tensor all = of_no_head(*first->tensor, extremes_of(kind));
            MatrixColors colors = scales_for(kind).colors(all, all.value, scene_.theme);
            if (kind.is_difference) colors.legend = difference_legend(colors);
            made_.input.bars.push_back(
                {std::move(colors.scale), std::move(colors.legend), colors.clipped});
        }
        if (asks_) color_questions(made_.input.bars.front());
    }

    /// True if the heads answer a question each, and nothing is compared.
    bool are_questions() const {
        return made_.input.group == 1 &&
               std::ranges::all_of(sources_, [](const PanelSource& source) {
                   return source.tensor->planned().head_name != nullptr;
               });
    }

    /// Colours each in its head's own colour, as everywhere else, unless all have been given one.
    void color_questions(ColorBar& bar) const {
        for (const PanelSource& source : sources_) {
            ColorScale scale = bar.scale;
            const MatrixColors own =
                scene_.selection.scales.colors(*source.tensor, source.tensor->value, scene_.theme);
            scale.colors = own.scale.colors;
            if (!bar.stripes.empty() && bar.stripes.front().colors == scale.colors)
                return bar.stripes.clear();
            bar.stripes.push_back(std::move(scale));
        }
        if (bar.stripes.size() < 2) return bar.stripes.clear();
        bar.name += "; a colour for each head";
    }

    const PictureScales& scales_for(const PanelKind& kind) const {
        return kind.is_difference ? difference_scales_ : scene_.selection.scales;
    }

    /// Returns the lowest and the highest value.
    MatrixPtr extremes_of(const PanelKind& kind) const {
        constexpr Scalar kMost = std::numeric_limits<Scalar>::infinity();
        Scalar low = kMost, high = -kMost;
        for (const PanelSource& source : sources_) {
            if (!(kind_of(source) == kind)) continue;
            for (const Scalar value : source.tensor->value->reshaped()) {
                if (!std::isfinite(value)) continue;
                low = std::min(low, value);
                high = std::max(high, value);
            }
        }
        if (!(low <= high)) low = high = 0;
        Matrix extremes(1, 2);
        extremes << low, high;
        return std::make_shared<const Matrix>(std::move(extremes));
    }

    void add(const PanelSource& source) {
        const PanelKind kind = kind_of(source);
        const auto bar = static_cast<std::size_t>(std::ranges::find(kinds_, kind) - kinds_.begin());
        HeatmapInput matrix =
            heatmap_input(*source.trace, *source.tensor, scene_.theme, scales_for(kind));
        matrix.target = target_of(source.side, source.path);
        const ColorBar& shared = made_.input.bars[bar];
        matrix.scale =
            shared.stripes.empty() ? shared.scale : shared.stripes[made_.input.panels.size()];
        using Numbers = HeatmapInput::Numbers;
        if (asks_ && matrix.numbers == Numbers::WhenTheyFit) matrix.numbers = Numbers::Small;
        matrix.moved_rows = scene_.selection.changed.rows_of(source.path);
        matrix.moved_strength = scene_.selection.changed.strength();
        // With names only, the title begins with a side, which may be called like the matrix.
        if (heading_ == FigureLook::Heading::Names) matrix.symbol.clear();
        const bool has_difference = std::ranges::any_of(sources_, [&](const PanelSource& other) {
            return other.side == ComparedSide::Difference && other.path == source.path;
        });
        if (has_difference) name_by_both(matrix, source.path);
        const auto on_side = [&](const AxisIndices& indices) {
            return cell_pick(*source.tensor, source.side == ComparedSide::B
                                                 ? indices_in_b(scene_, indices)
                                                 : indices);
        };
        matrix.selected = on_side(scene_.selection.held().indices);
        matrix.hovered = on_side(scene_.selection.hovered().indices);
        if (asks_) point_at_answers(matrix, source);
        made_.input.panels.push_back({std::move(matrix), titles(source), bar});
    }

    /// Marks the held word's answer in each panel; the held cell is in one of them.
    void point_at_answers(HeatmapInput& matrix, const PanelSource& source) const {
        const std::optional<CellPlace>& cell = scene_.selection.held().cell;
        CellPick& held = matrix.selected;
        if ((cell && cell->path == source.path) || held.rows.size() != 1) return;
        if (const auto answer = answer_in(*source.tensor, held.rows.front()))
            held = {held.rows, answer};
    }

    /// Sorts all panels in the order of the first.
    void sort() {
        const MatrixPart part = sorted_part(*sources_.front().tensor);
        for (PanelInput& panel : made_.input.panels) show_part(panel.matrix, part);
        if (heading_ == FigureLook::Heading::Shown) made_.input.formulas.push_back(part.note);
    }

    /// Gives A and B the names that A − B has, so that these can stand once for all three.
    void name_by_both(HeatmapInput& matrix, const std::string& path) const {
        const Tensor& a = scene_.trace.at(path);
        const HeatmapInput of_a =
            heatmap_input(scene_.trace, a, scene_.theme, scene_.selection.scales);
        const auto take = [](std::vector<std::string>& names, const Axis& axis,
                             const std::vector<std::string>& names_of_a) {
            if (is_of_items(axis)) names = names_of_a;
        };
        take(matrix.row_labels, a.rows(), of_a.row_labels);
        take(matrix.column_labels, a.columns(), of_a.column_labels);
        name_both(matrix, {scene_.trace, a},
                  {*scene_.comparison->trace, *scene_.comparison->find(path)});
    }

    std::vector<std::string> titles(const PanelSource& source) const {
        if (heading_ == FigureLook::Heading::Hidden) return {};
        const bool is_b = source.side == ComparedSide::B;
        const Components& parts = is_b ? scene_.comparison->components : scene_.components;
        const auto& own = scene_.selection.looks.panels.titles;
        const auto given = own.find(source.path);
        const bool is_own = given != own.end() && !given->second.empty();
        std::vector<std::string> forms =
            is_own ? std::vector{given->second} : title_forms(source, parts);
        if (has_many_symbols() && !is_own)
            for (std::string& form : forms)
                form = fmt::format("{} · {}", plain_formula(source.tensor->symbol()), form);
        if (const Index n = scene_.selection.scales.count_nan(source.tensor->value); n > 0)
            for (std::string& form : forms) form += fmt::format(" · {} NaN", format_count(n));
        const bool are_names = heading_ == FigureLook::Heading::Names;
        if (are_names && !is_own) forms.erase(forms.begin(), forms.end() - 1);
        if (made_.input.group == 1 && source.side == ComparedSide::A) return forms;
        std::vector<std::string> with_side, sides{std::string(side_text(source.side))};
        // The names of the sides stand once, below panels with titles of their own.
        if (!is_own) sides.insert(sides.begin(), side_title(*scene_.comparison, source.side));
        if (are_names && !is_own && is_of_one_matrix()) return sides;
        for (const std::string& side : sides)
            for (const std::string& form : forms)
                with_side.push_back(fmt::format("{} · {}", form, side));
        return with_side;
    }

    /// True if all panels show the same matrix, and differ only in their sides.
    bool is_of_one_matrix() const {
        return std::ranges::all_of(sources_, [&](const PanelSource& source) {
            return source.path == sources_.front().path;
        });
    }

    bool has_many_symbols() const {
        const std::string& first = sources_.front().tensor->symbol();
        return std::ranges::any_of(sources_, [&](const PanelSource& source) {
            return source.side != ComparedSide::Difference && source.tensor->identity().head >= 0 &&
                   source.tensor->symbol() != first;
        });
    }

    /// Returns each formula once.
    std::vector<std::string> formulas() const {
        std::vector<std::string> all;
        for (const PanelSource& source : sources_) {
            const std::string equation = source.tensor->equation();
            const bool is_new = std::ranges::find(all, equation) == all.end();
            if (!equation.empty() && is_new) all.push_back(equation);
        }
        if (all.size() > kMostFormulas) return {};
        return all;
    }

    const Scene& scene_;
    const FigureLook::Heading heading_;
    const PictureScales difference_scales_;
    HeadDifferences differences_;
    std::vector<PanelSource> sources_;
    std::vector<PanelKind> kinds_;
    bool asks_ = false;
    ShownPanels made_;
};

/// Returns the pattern of a head that answers a question, if the network is of such.
const Tensor* pattern_of_questions(const Scene& scene) {
    const Component* asking = attention_of_questions(scene.components);
    return asking ? find_of_head(scene.trace, *asking, 0, Role::Pattern) : nullptr;
}

/// Returns the matrix that each chosen head has in the place of the chosen matrix; of all heads if
/// fewer than two are chosen. Where the heads answer questions, these stand for a matrix of none.
std::vector<std::string> paths_of_heads(const Scene& scene) {
    const Selection& selection = scene.selection;
    const Tensor* chosen = scene.trace.find(selection.chosen);
    if (!chosen || chosen->identity().head < 0)
        if (const Tensor* answers = pattern_of_questions(scene)) chosen = answers;
    if (!chosen) return {};
    const Component* attention = find_component(scene.components, chosen->identity().of_head(-1));
    if (chosen->identity().head < 0 || !attention || attention->n_heads == 0)
        return {chosen->path()};
    std::vector<int> heads = selection.shown_heads();
    if (heads.size() < 2) {
        heads.clear();
        for (int h = 0; h < attention->n_heads; ++h) heads.push_back(h);
    }
    std::vector<std::string> paths;
    for (const int head : heads) {
        const std::string path = path_of_other(*chosen, *attention, head);
        const bool is_new = std::ranges::find(paths, path) == paths.end();
        if (is_new && scene.trace.find(path)) paths.push_back(path);
    }
    return paths;
}

/// Returns "A: now; B: before", where titles of one's own leave it out; "" otherwise.
std::string note_of_names(const Scene& scene) {
    const std::vector<ComparedSide> sides = sides_of(scene, HasHeads::All);
    const auto& own = scene.selection.looks.panels.titles;
    const bool has_own = std::ranges::any_of(panel_paths(scene), [&](const std::string& path) {
        const auto given = own.find(path);
        return given != own.end() && !given->second.empty();
    });
    if (sides == std::vector{ComparedSide::A} || !has_own) return "";
    return fmt::format("A: {}; B: {}", scene.comparison->name_a, scene.comparison->name_b);
}

}  // namespace

float tallest_on_page(const FigureLook& look) {
    if (!look.width || !look.type) return kNoPage;
    const float scale = points_in(*look.type, look.dpi) / kLabelType;
    return points_in({FigureLength::Unit::Millimetres, kPageHeight_mm}, look.dpi) / scale;
}

Tensor of_no_head(const Tensor& tensor, MatrixPtr values) {
    PlannedTensor planned = tensor.planned();
    planned.identity.head = -1;
    Tensor copy(std::make_shared<const PlannedTensor>(std::move(planned)));
    copy.value = std::move(values);
    return copy;
}

std::vector<std::string> panel_paths(const Scene& scene) {
    std::vector<std::string> paths;
    for (const std::string& path : scene.selection.looks.panels.matrices)
        if (scene.trace.find(path)) paths.push_back(path);
    return paths.empty() ? paths_of_heads(scene) : paths;
}

const Tensor* leading_matrix(const Scene& scene, ViewId view) {
    if (view != ViewId::Panels) return scene.trace.find(scene.selection.chosen);
    const std::vector<std::string> paths = panel_paths(scene);
    return paths.empty() ? nullptr : scene.trace.find(paths.front());
}

ShownPanels list_panels(const Scene& scene, FigureLook::Heading heading) {
    return PanelsList(scene, heading).take();
}

std::string panels_origin(const Scene& scene) {
    std::string sides = note_of_names(scene);
    const std::string of_chosen = shown_origin(scene);
    const bool is_of_one = of_chosen == shown_origin(scene, scene.trace.at(scene.selection.chosen));
    std::string fullest = of_chosen;
    for (const std::string& path : panel_paths(scene)) {
        std::string origin = shown_origin(scene, scene.trace.at(path));
        if (is_of_one && origin.size() > fullest.size()) fullest = std::move(origin);
    }
    if (!sides.empty() && !fullest.empty()) sides += "; ";
    return sides + fullest;
}

Figure panels_picture(const Scene& scene, const FigureLook& look, const MeasureText& measure) {
    ShownPanels panels = list_panels(scene, look.heading);
    if (!panels.problem.empty()) throw Error("--panel", panels.problem);
    const PictureRoom room = picture_room(look, {kPanelsWidth, 0}, [](float w) { return w; });
    PanelsInput& input = panels.input;
    using Numbers = HeatmapInput::Numbers;
    for (PanelInput& panel : input.panels)  // small numbers could not be read from far away
        if (look.is_far && panel.matrix.numbers == Numbers::Small)
            panel.matrix.numbers = Numbers::WhenTheyFit;
    input.width = room.size.x;
    input.height = look.room ? room.size.y : 0;
    input.tallest = tallest_on_page(look);
    if (look.width || look.room) input.largest = std::max(input.width, input.height);
    PanelsFigure made = panels_figure(input, scene.theme, measure);
    if (!made.problem.empty()) throw Error(input.across > 0 ? "--across" : "--panel", made.problem);
    if (look.width || look.room) made.figure.width = input.width;
    if (look.room) made.figure.height = input.height;
    return std::move(made.figure);
}

Figure picture_of_panels(const Scene& scene, std::vector<std::string> paths, const FigureLook& look,
                         const MeasureText& measure) {
    Selection selection = scene.selection;
    selection.looks.panels = {std::move(paths)};
    Scene of_panels = scene.with(selection, scene.theme);
    of_panels.comparison = nullptr;
    return panels_picture(of_panels, look, measure);
}

}  // namespace headlight
