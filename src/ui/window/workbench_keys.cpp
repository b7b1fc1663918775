// The effects of keys, by what is shown.
#include <algorithm>
#include <cmath>
#include <imgui.h>

#include "ui/panel.h"
#include "ui/window/workbench.h"
#include "views/cell_edits.h"
#include "views/held.h"

namespace headlight {
namespace {

struct Arrows {
    Index down = 0, right = 0;
};

Arrows pressed_arrows() {
    const auto pressed = [](Key key) { return compat::is_key_pressed(key, compat::Repeat::Yes); };
    return {pressed(Key::Down) - pressed(Key::Up), pressed(Key::Right) - pressed(Key::Left)};
}

/// One axis of the block moves its edge on the side of the arrow away from the held cell, or if
/// there is none on that side, the other edge towards it.
void extend(Index& first, Index& count, Index held, Index by, Index size) {
    Index last = first + count - 1;
    if (by > 0 && first < held && last == held)
        ++first;
    else if (by > 0)
        last = std::min(last + 1, size - 1);
    else if (by < 0 && last > held && first == held)
        --last;
    else if (by < 0)
        first = std::max<Index>(first - 1, 0);
    count = last - first + 1;
}

void extend_block(PanelContext& context, const ChosenCells& cells, Arrows arrows) {
    const CellPlace held = *context.selection.held().cell;
    CellRange range = cells.range;
    extend(range.row, range.rows, held.row, arrows.down, cells.tensor.rows().size);
    extend(range.column, range.columns, held.column, arrows.right, cells.tensor.columns().size);
    context.selection.hold_block(context.selection.held(), range);
}

void step(PanelContext& context, const ChosenCells& cells, Scalar steps) {
    if (cells.tensor.quantity() == Quantity::Mask || steps == 0) return;
    const Scalar fine = ImGui::GetIO().KeyShift ? Scalar(0.1) : Scalar(1);
    const Scalar by = steps * fine * cell_step(cells.tensor);
    context.edits.push(step_edit(*context.trace, cells, by));
}

/// Turns the cells' values with the wheel. The cell under the pointer is held first, unless it is
/// in the block.
void turn_wheel(PanelContext& context) {
    const Scalar notches = ImGui::GetIO().MouseWheel;
    const Pick pick = context.selection.hovered();
    if (notches == 0 || !pick.cell) return;
    auto cells = chosen_cells(*context.trace, context.selection);
    const bool is_chosen = cells && cells->tensor.path() == pick.cell->path &&
                           cells->range.contains(pick.cell->row, pick.cell->column);
    if (!is_chosen) {
        context.selection.keep_held(pick);
        cells.emplace(need_chosen_cells(*context.trace, context.selection));
    }
    step(context, *cells, notches);
}

/// Returns the typed text, as far as a number can begin with it.
std::string typed_number() {
    std::string text;
    for (const ImWchar character : ImGui::GetIO().InputQueueCharacters)
        if (character < 128 &&
            std::string_view("0123456789.,-").find(static_cast<char>(character)) !=
                std::string_view::npos)
            text += static_cast<char>(character);
    return text;
}

/// Ctrl+Shift+arrows grow or shrink the block around the held cell, Ctrl+A takes the whole matrix;
/// Alt+↑ ↓ step the held cells, the wheel with Alt those under the pointer; a digit, a point or a
/// minus begins to type. Once a frame, where no text field or popup has the keyboard.
void press_cell_keys(PanelContext& context) {
    const ImGuiIO& io = ImGui::GetIO();
    if (!context.trace || io.WantTextInput || ImGui::IsAnyItemActive()) return;
    if (io.KeyAlt) turn_wheel(context);
    const auto cells = chosen_cells(*context.trace, context.selection);
    if (!cells) return;
    const Arrows arrows = pressed_arrows();
    const bool has_arrows = arrows.down != 0 || arrows.right != 0;
    if (io.KeyCtrl && io.KeyShift && has_arrows) return extend_block(context, *cells, arrows);
    if (io.KeyCtrl && compat::is_key_pressed(Key::A))
        return context.selection.hold_block(
            context.selection.held(),
            {0, 0, cells->tensor.rows().size, cells->tensor.columns().size});
    if (io.KeyAlt && arrows.down != 0)
        return step(context, *cells, static_cast<Scalar>(-arrows.down));
    if (io.KeyCtrl || io.KeyAlt) return;
    if (const std::string text = typed_number(); !text.empty()) context.requests.type(text);
}

/// Returns the index `by` steps after `at`, kept within the ends.
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
    if (context.requests.keeps_arrows()) return;
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
        selection.keep_held(pick_at(*trace, chosen, 0, 0));
}

/// Steps with Ctrl and the arrows, or with Ctrl and Page up and Page down.
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

/// Arrow keys move what is held; with Ctrl, and with Page up and Page down, they change what is
/// shown. Called once a frame while no popup has the keyboard.
void press_matrix_keys(PanelContext& context) {
    move_held_cell(context);
    step_through(context.trace, context.components, context.selection);
}

}  // namespace

/// True if the command saves while a field holds a text that is taken over first.
bool Workbench::waits_for_field(CommandId command) {
    const bool saves = command == "save" || command == "save-as";
    if (!saves || !bench_.requests.keeps_text()) return false;
    after_field_.push_back(command);
    return true;
}

void Workbench::press_keys(PanelContext& context) {
    const bool has_control = context.requests.keeps_arrows();
    for (const CommandId command : pressed_commands())
        if (waits_for_field(command))
            continue;
        else if (has_control && command == "release")
            keyboard_.give_up();
        else
            context.requests.run(command);
    const bool is_lecture = shows_lecture(bench_);
    if (bench_.presentation.is_on())
        return bench_.presentation.press_keys(context, make_slide(context));
    if (is_lecture) bench_.lecture.view.press_keys(context, bench_.lecture.opened);
    press_matrix_keys(context);
    if (!shows_training(bench_)) press_cell_keys(context);
}

/// Does commands pressed with Ctrl, which are meant for the window, and those that close the dialog
/// that they opened: a list is closed before.
void Workbench::press_keys_over_list(PanelContext& context) {
    Commands commands = pressed_commands();
    if (!ImGui::GetIO().KeyCtrl)
        std::erase_if(commands, [](CommandId command) {
            return command_at(command).again != Command::Again::Closes;
        });
    std::erase_if(commands, [this](CommandId command) { return waits_for_field(command); });
    if (!commands.empty()) ImGui::SetWindowFocus(nullptr);
    for (const CommandId command : commands) context.requests.run(command);
}

}  // namespace headlight
