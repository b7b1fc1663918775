#include "views/explanation_view.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/analyses/influence.h"
#include "core/error.h"
#include "figure/figure_look.h"
#include "figure/figure_parts.h"
#include "figure/labels.h"
#include "figure/number_format.h"
#include "figure/terms_figure.h"
#include "figure/words/arithmetic.h"
#include "figure/words/formula.h"
#include "text/strings.h"
#include "views/cell_edits.h"
#include "views/held.h"

namespace headlight {
namespace {

constexpr float kStoryPad = 12, kStoryPitch = 1.5f;
constexpr Point kExplanationRoom{760, 400};
constexpr float kCellTitle = 24, kBelowCellTitle = 10, kBetweenStoryAndTerms = 22;
constexpr float kLeastStoryBeside = 520, kStoryShare = 0.4f, kStoryAboveShare = 0.45f;
constexpr float kLeastTerms = 96;  // title, remark, heads, a row and how many there are

/// Returns the arithmetic's lines, with as many terms as fit.
std::vector<std::string> fitting_lines(const Scene& scene, const std::vector<ArithmeticStep>& steps,
                                       float width, const StoryStyle& look,
                                       const MeasureText& measure) {
    const FormulaStyle smallest{look.smallest, scene.theme.text, Font::Math};
    const auto fits = [&](const std::string& line) {
        return formula_width(line, smallest, measure) <= width;
    };
    std::vector<std::string> all;
    for (const ArithmeticStep& step : steps) {
        // A step that only takes the same number from another matrix is explained by those before
        // it.
        const Explanation& e = step.explanation;
        const bool is_moved =
            e.finish.empty() && e.terms.size() == 1 && e.terms[0].cells.size() == 1;
        if (!all.empty() && is_moved) continue;
        auto lines = arithmetic_lines(scene.trace, step, look.most_terms);
        for (std::size_t n = look.most_terms; n > 1 && !std::ranges::all_of(lines, fits);)
            lines = arithmetic_lines(scene.trace, step, --n);
        for (const std::string& line : lines) {
            const std::size_t equals = fits(line) ? std::string::npos : line.find(" = ");
            if (equals != std::string::npos) all.push_back(line.substr(0, equals));
            all.push_back(equals == std::string::npos ? line : line.substr(equals + 1));
        }
    }
    return all;
}

}  // namespace

std::optional<CellPlace> explained_cell(const Trace& trace, const Selection& selection) {
    const std::optional<CellPlace>& held = selection.held().cell;
    if (!held) return largest_of_held_row(trace, selection);
    const Tensor* tensor = trace.find(held->path);
    return tensor && tensor->value ? held : std::nullopt;
}

std::string cell_title(const Trace& trace, const Tensor& tensor, const CellPlace& cell) {
    if (tensor.rows().kind == AxisKind::Edge) return shown_label(trace, tensor.rows(), cell.row);
    if (is_reading(tensor))
        return fmt::format("{} → {}", shown_label(trace, tensor.rows(), cell.row),
                           shown_label(trace, tensor.columns(), cell.column));
    return cell_label(trace, cell);
}

Figure cell_title_figure(const Scene& scene, const CellPlace& cell, float size, float width,
                         const MeasureText& measure) {
    constexpr float kLeastTitle = 13, kBeforeValue = 16;
    const Tensor& tensor = scene.trace.at(cell.path);
    const std::string value = format_value((*tensor.value)(cell.row, cell.column));
    Figure figure{width, size + kBelowCellTitle, {}};
    TextMark title{.at = {0, size + 2},
                   .text = cell_title(scene.trace, tensor, cell),
                   .size = size,
                   .color = scene.theme.text,
                   .font = Font::Bold};
    const auto width_at = [&](float text_size) {
        return measure(title.text, text_size, Font::Bold) + measure(value, text_size, Font::Bold) +
               kBeforeValue;
    };
    while (title.size > kLeastTitle && width_at(title.size) > width) title.size -= 1;
    shorten(title, width - measure(value, title.size, Font::Bold) - kBeforeValue, measure);
    const float title_width = measure(title.text, title.size, Font::Bold);
    figure.add(title);
    figure.add(TextMark{.at = {title_width + kBeforeValue, size + 2},
                        .text = value,
                        .size = title.size,
                        .color = scene.theme.accent,
                        .font = Font::Bold});
    return figure;
}

Figure story_figure(const Scene& scene, const std::vector<ArithmeticStep>& steps,
                    const StoryStyle& style, float width, const MeasureText& measure) {
    StoryStyle look = style;
    const float room = width - 2 * kStoryPad;
    const std::vector<std::string> lines = fitting_lines(scene, steps, room, look, measure);
    if (look.height > 0 && !lines.empty()) {
        const float pitch = (look.height - 2 * kStoryPad) / static_cast<float>(lines.size());
        look.size = std::clamp(pitch / kStoryPitch, look.smallest, look.size);
    }
    const float line_height = kStoryPitch * look.size;
    Figure figure{width, static_cast<float>(lines.size()) * line_height + 2 * kStoryPad - 4, {}};
    figure.add(RectMark{{0, 0, width, figure.height}, scene.theme.canvas, {}, 0, 8});
    float baseline = kStoryPad + look.size - 2;
    for (const std::string& line : lines) {
        FormulaStyle set{look.size, scene.theme.text, Font::Math};
        while (set.size > look.smallest && formula_width(line, set, measure) > room)
            set.size -= 0.5f;
        add_formula(figure, {kStoryPad, baseline}, shortened_formula(line, room, set, measure), set,
                    measure);
        baseline += line_height;
    }
    return figure;
}

const ArithmeticStep* listed_step(const Scene& scene, const std::vector<ArithmeticStep>& steps) {
    const ArithmeticStep* listed = nullptr;
    for (const ArithmeticStep& step : steps) {
        if (!has_table(step)) continue;
        listed = &step;
        if (scene.trace[step.tensor].name() == scene.selection.looks.explanation.terms_of)
            return listed;
    }
    return listed;
}

bool has_named_step(const Scene& scene) {
    const auto cell = explained_cell(scene.trace, scene.selection);
    if (!cell) return false;
    const auto steps =
        arithmetic_steps(scene.trace, scene.trace.id_at(cell->path), cell->row, cell->column);
    const ArithmeticStep* step = listed_step(scene, steps);
    return step && scene.trace[step->tensor].name() == scene.selection.looks.explanation.terms_of;
}

namespace {

void check_named_step(const Scene& scene, const std::vector<ArithmeticStep>& steps) {
    const ExplanationLook& look = scene.selection.looks.explanation;
    if (!look.must_exist || has_named_step(scene)) return;
    std::vector<std::string> names;
    for (const ArithmeticStep& step : steps)
        if (has_table(step)) names.emplace_back(scene.trace[step.tensor].name());
    throw Error(
        "--terms-of", "the cell has no step {} with terms; {}", in_quotes(look.terms_of),
        names.empty() ? "none of its steps has any" : "it has " + joined(names, ", ", in_quotes));
}

/// The explanation of one cell, with its terms beside or below the formulas.
class ExplanationPicture {
  public:
    ExplanationPicture(const Scene& scene, const CellPlace& cell, const MeasureText& measure)
        : scene_(scene),
          cell_(cell),
          measure_(measure),
          steps_(
              arithmetic_steps(scene.trace, scene.trace.id_at(cell.path), cell.row, cell.column)) {
        if (const ArithmeticStep* step = listed_step(scene, steps_))
            terms_.emplace(scene.trace, *step, scene.selection.looks.explanation.order);
    }

    const std::vector<ArithmeticStep>& steps() const { return steps_; }

    float height_for(float width) const {
        const float told = kCellTitle + kBelowCellTitle + story(story_width(width), 0).height;
        const float listed = terms_ ? terms_height(*terms_) : 0;
        const float inner =
            are_beside(width) || !terms_ ? std::max(told, listed) : told + kStoryPad + listed;
        return inner + 2 * kFigurePad;
    }

    Figure draw(Point size, FigureLook::Heading heading) const {
        Figure figure{size.x, size.y, {}};
        const Box inside{kFigurePad, kFigurePad, size.x - 2 * kFigurePad,
                         std::max(1.0f, size.y - 2 * kFigurePad)};
        float top = inside.y;
        const float left = story_width(size.x);
        if (heading != FigureLook::Heading::Hidden) {
            add_part(figure, cell_title_figure(scene_, cell_, kCellTitle, left, measure_),
                     {inside.x, top});
            top += kCellTitle + kBelowCellTitle;
        }
        const bool is_above = terms_ && !are_beside(size.x);
        const Figure told =
            story(left, (is_above ? kStoryAboveShare : 1.0f) * (inside.bottom() - top));
        add_part(figure, told, {inside.x, top});
        if (!terms_) return figure;
        Box listed = inside;
        if (!is_above) {
            listed.x += left + kBetweenStoryAndTerms;
            listed.width -= left + kBetweenStoryAndTerms;
        } else {
            listed.y = top + told.height + kStoryPad;
            listed.height = std::max(1.0f, inside.bottom() - listed.y);
        }
        const Index n_terms = terms_->size();
        if (listed.height < kLeastTerms)
            figure.leave_out({"terms", n_terms, n_terms});
        else
            add_part(figure,
                     terms_figure(*terms_, {listed.width, listed.height}, scene_.theme, measure_),
                     {listed.x, listed.y});
        return figure;
    }

  private:
    bool are_beside(float width) const { return terms_ && width >= kLeastStoryBeside; }

    float story_width(float width) const {
        const float inside = width - 2 * kFigurePad;
        return are_beside(width) ? kStoryShare * inside : inside;
    }

    /// A `height` of 0 means as high as it needs.
    Figure story(float width, float height) const {
        return story_figure(scene_, steps_,
                            {.size = 18, .smallest = 11, .most_terms = 4, .height = height}, width,
                            measure_);
    }

    const Scene& scene_;
    const CellPlace& cell_;
    const MeasureText& measure_;
    std::vector<ArithmeticStep> steps_;
    std::optional<TermTable> terms_;
};

}  // namespace

Figure explanation_figure(const Scene& scene, const FigureLook& look, const MeasureText& measure) {
    const auto cell = explained_cell(scene.trace, scene.selection);
    if (!cell) throw Error("export", "no cell is held whose arithmetic could be shown");
    const ExplanationPicture picture(scene, *cell, measure);
    check_named_step(scene, picture.steps());
    const PictureRoom room = picture_room(look, kExplanationRoom,
                                          [&](float width) { return picture.height_for(width); });
    return picture.draw(room.size, look.heading);
}

}  // namespace headlight
