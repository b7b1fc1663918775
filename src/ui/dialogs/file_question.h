// A question in the middle of the window, answered by one of a row of buttons; and the one about a
// file that another program has changed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "ui/panel.h"

namespace headlight {

/// A button, and what it does.
struct QuestionChoice {
    const char* label;
    const char* tooltip;
};

/// Called in each frame until there is an answer: the index of the choice that was pressed, of the
/// last one by Esc.
std::optional<std::size_t> draw_question(PanelContext& context, const char* title,
                                         const std::string& text,
                                         std::span<const QuestionChoice> choices);

enum class ChangedFileAnswer { Overwrite, SaveAs, Reload, Cancel };
/// The same before that file is overwritten, which was changed since it was read or written here.
std::optional<ChangedFileAnswer> draw_changed_file_question(PanelContext& context,
                                                            const std::filesystem::path& file);

}  // namespace headlight
