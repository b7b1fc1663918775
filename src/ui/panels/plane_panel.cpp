// The rows of a matrix with two columns as vectors in the plane, and of a second one beside them.
#include <algorithm>
#include <fmt/format.h>
#include <imgui.h>

#include "core/error.h"
#include "figure/plots/plane_figure.h"
#include "figure/words/formula.h"
#include "ui/panels/component_strip.h"
#include "ui/panels/panels.h"
#include "ui/pictures/canvas.h"
#include "ui/widgets/widgets.h"
#include "views/plane_view.h"

namespace headlight {
namespace {

constexpr float kPlaneMargin = 16, kPlaneField = 150;

/// The matrices that a field lists, by path and by what they are called.
struct PlaneChoices {
    std::vector<std::string> paths, names;

    void add(const std::string& path, const std::string& name) {
        paths.push_back(path);
        names.push_back(name);
    }
    int place_of(const std::string& path) const {
        const auto at = std::ranges::find(paths, path);
        return at == paths.end() ? 0 : static_cast<int>(at - paths.begin());
    }
};

class PlanePanel final : public Panel {
  public:
    const char* title() const override { return "Plane"; }
    const char* help() const override {
        return "Each row of a matrix with two columns is an arrow. A click on a tip holds the row; "
               "of two held rows (Shift with a click) the angle and the dot product are shown: the "
               "length of the one's projection times the length of the other. Beside puts the rows "
               "of a second matrix into the same plane, such as the keys to the queries; then a "
               "click on a tip of each shows their dot product.";
    }

    void draw(PanelContext& context) override {
        draw_component_strip(context, ImGui::GetContentRegionAvail().x);
        const PlaneChoices matrices = list_matrices(context);
        ImGui::SetCursorPosX(kPlaneMargin);
        if (matrices.paths.empty())
            return widgets::hint(context,
                                 "This part has no matrix with two columns. Choose another part, "
                                 "or a width of 2.");
        ImGui::BeginGroup();
        draw_matrix_choice(context, matrices);
        draw_second_choice(context, matrices);
        ImGui::EndGroup();
        ImGui::Dummy({0, 4});
        ImGui::SetCursorPosX(kPlaneMargin);
        draw_plane(context);
    }

  private:
    /// Lists the matrices of the open part, and the chosen one.
    static PlaneChoices list_matrices(const PanelContext& context) {
        const Trace& trace = *context.trace;
        const Component& open = open_component(context.components, context.selection);
        std::vector<const Tensor*> tensors;
        for (const TensorId id : shown_tensors(trace.plan(), open, context.selection.head))
            if (has_two_columns(trace[id])) tensors.push_back(&trace[id]);
        const Tensor* chosen = trace.find(context.selection.chosen);
        if (chosen && has_two_columns(*chosen) &&
            std::ranges::find(tensors, chosen) == tensors.end())
            tensors.insert(tensors.begin(), chosen);
        PlaneChoices matrices;
        for (const Tensor* tensor : tensors) {
            const auto n_alike = std::ranges::count(tensors, tensor->symbol(), &Tensor::symbol);
            const std::string symbol = plain_formula(tensor->symbol());
            matrices.add(tensor->path(),
                         n_alike > 1 ? fmt::format("{} · {}", symbol, tensor->path()) : symbol);
        }
        return matrices;
    }

    static bool choose(PanelContext& context, const char* name, int& picked,
                       const PlaneChoices& choices) {
        std::vector<const char*> names;
        for (const std::string& each : choices.names) names.push_back(each.c_str());
        return widgets::row_choice(context, name, picked, names, kPlaneField);
    }

    static void draw_matrix_choice(PanelContext& context, PlaneChoices choices) {
        Selection& selection = context.selection;
        const Tensor* chosen = context.trace->find(selection.chosen);
        if (!chosen || !has_two_columns(*chosen)) {
            choices.paths.insert(choices.paths.begin(), "");
            choices.names.insert(choices.names.begin(), "choose");
        }
        int picked = choices.place_of(selection.chosen);
        if (!choose(context, "Rows of", picked, choices)) return;
        const std::string& path = choices.paths[static_cast<std::size_t>(picked)];
        if (path.empty()) return;
        selection.choose_tensor(*context.trace, context.components, path);
        selection.view = ViewId::Plane;
    }

    static void draw_second_choice(PanelContext& context, const PlaneChoices& matrices) {
        PlaneChoices choices;
        choices.add("", "nothing");
        std::string& against = context.selection.looks.matrix.against;
        for (std::size_t k = 0; k < matrices.paths.size(); ++k)
            if (matrices.paths[k] != context.selection.chosen)
                choices.add(matrices.paths[k], matrices.names[k]);
        if (const Tensor* other = context.trace->find(against);
            other && choices.place_of(against) == 0)
            choices.add(against, fmt::format("{} · {}", plain_formula(other->symbol()), against));
        widgets::same_line_if_fits(widgets::labelled_width("Beside", kPlaneField), 14);
        int picked = choices.place_of(against);
        if (choose(context, "Beside", picked, choices))
            against = choices.paths[static_cast<std::size_t>(picked)];
    }

    // ---- the figure ----

    static void draw_plane(PanelContext& context) {
        const Selection& selection = context.selection;
        const Tensor* tensor = context.trace->find(selection.chosen);
        if (!tensor || !has_two_columns(*tensor))
            return widgets::hint(context, "Choose a matrix with two columns.");
        const Tensor* other = context.trace->find(selection.looks.matrix.against);
        const bool is_computed = tensor->value && (!other || other->value);
        if (!is_computed) return widgets::hint(context, "computing …");
        PlaneInput input;
        try {
            input = plane_input(context.scene);
        } catch (const Error& error) {
            return widgets::hint(context, error.what());
        }
        const ImVec2 room = ImGui::GetContentRegionAvail();
        input.width = std::max(1.0f, room.x - kPlaneMargin);
        input.height = std::max(1.0f, room.y - kPlaneMargin);
        const PlaneFigure plane = plane_figure(input, context.theme, context.painter.measure());
        const Point origin = widgets::place_figure(context, plane.figure);
        point_at_targets(context, plane.figure, origin);
    }
};

}  // namespace

std::unique_ptr<Panel> make_plane_panel() {
    return std::make_unique<PlanePanel>();
}

}  // namespace headlight
