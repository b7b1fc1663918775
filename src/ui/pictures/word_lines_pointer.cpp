#include "ui/pictures/word_lines_pointer.h"

#include <imgui.h>

#include "ui/widgets/widgets.h"

namespace headlight {
namespace {

void name_words(PanelContext& context, const std::vector<Box>& places, Point origin,
                const std::string& name) {
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Box& box = places[i];
        const Box at{origin.x + box.x, origin.y + box.y, box.width, box.height};
        if (ImGui::IsRectVisible({at.x, at.y}, {at.right(), at.bottom()}))
            context.regions.add(name + std::to_string(i), at);
    }
}

}  // namespace

void point_at_lines(PanelContext& context, const WordLinesFigure& lines, Point origin,
                    const std::string& name) {
    const Tensor* pattern = shown_pattern(*context.trace, context.components, context.selection);
    if (!pattern) return;
    name_words(context, lines.readers, origin, name + " reader ");
    name_words(context, lines.read, origin, name + " read ");
    const Point pointer = widgets::pointer_in(origin);
    const int rows = pattern->rows().list, columns = pattern->columns().list;
    if (const auto reader = lines.reader_at(pointer))
        return widgets::point_at_word(context, reader, rows);
    const auto read = lines.read_at(pointer);
    if (!read) return;
    if (rows == columns) return widgets::point_at_word(context, read, rows);
    Pointed pointed;
    pointed.focus.key = *read;
    pointed.focus.key_list = columns;
    context.selection.hover(pointed);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) widgets::hold_clicked(context, pointed);
}

}  // namespace headlight
