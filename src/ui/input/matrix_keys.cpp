#include "ui/input/matrix_keys.h"

#include <algorithm>
#include <imgui.h>

#include "scene/held_steps.h"

namespace headlight {
namespace {

/// The index `by` steps after `at`, kept within the ends.
std::size_t stepped(std::size_t at, int by, std::size_t count) {
    const auto last = static_cast<std::ptrdiff_t>(count) - 1;
    return static_cast<std::size_t>(
        std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(at) + by, 0, last));
}

void step_matrix(Selection& selection, const Trace& trace, const Components& components, int by) {
    const auto shown = shown_tensors(trace, open_component(components, selection), selection.head);
    const auto at = std::find(shown.begin(), shown.end(), trace.id_at(selection.chosen));
    if (at == shown.end()) return;
    const auto next = stepped(static_cast<std::size_t>(at - shown.begin()), by, shown.size());
    selection.choose_tensor(trace, components, trace[shown[next]].path());
}

void step_component(Selection& selection, const Trace& trace, const Components& components,
                    int by) {
    const auto at =
        static_cast<std::size_t>(&open_component(components, selection) - components.data());
    selection.choose_component(trace, components,
                               components[stepped(at, by, components.size())].path);
}

/// Arrow keys step the held cell through its matrix, a held word through its text; where nothing is
/// held they hold the first cell.
void move_held_cell(PanelContext& context) {
    Selection& selection = context.selection;
    const Trace* trace = context.trace;
    const ImGuiIO& io = ImGui::GetIO();
    if (!trace || io.WantTextInput || io.KeyCtrl || io.KeyAlt || ImGui::IsAnyItemActive()) return;
    const auto pressed = [](Key key) { return compat::is_key_pressed(key, compat::Repeat::Yes); };
    const Index down = pressed(Key::Down) - pressed(Key::Up);
    const Index right = pressed(Key::Right) - pressed(Key::Left);
    if (down == 0 && right == 0) return;
    using Hold = ArrowSteps::Hold;
    context.requests.picture.ask(PictureRequest::SeeHeld);
    if (!selection.held().is_empty())
        return step_held(selection, *trace, {down, right, io.KeyShift ? Hold::Extend : Hold::Move});
    const Tensor& chosen = trace->at(selection.chosen);
    if (chosen.value && chosen.value->size() > 0)
        selection.keep_held(point_at(*trace, chosen, 0, 0));
}

/// Ctrl with the arrows, or with Page up and Page down.
void step_through(const Trace* trace, const Components& components, Selection& selection) {
    const ImGuiIO& io = ImGui::GetIO();
    if (!trace || !io.KeyCtrl || io.KeyShift || io.KeyAlt || io.WantTextInput) return;
    const auto step = [](Key forward, Key back) {
        return compat::is_key_pressed(forward, compat::Repeat::Yes) -
               compat::is_key_pressed(back, compat::Repeat::Yes);
    };
    if (const int by = step(Key::Right, Key::Left); by != 0)
        step_matrix(selection, *trace, components, by);
    if (const int by = step(Key::PageDown, Key::PageUp); by != 0)
        step_component(selection, *trace, components, by);
    const Component* attention = shown_attention(components, selection);
    if (const int by = step(Key::Down, Key::Up); by != 0 && attention) {
        const auto n_heads = static_cast<std::size_t>(attention->n_heads);
        const auto next = stepped(static_cast<std::size_t>(selection.head), by, n_heads);
        selection.choose_head(*trace, components, static_cast<int>(next));
    }
}

}  // namespace

void press_matrix_keys(PanelContext& context) {
    move_held_cell(context);
    step_through(context.trace, context.components, context.selection);
}

}  // namespace headlight
