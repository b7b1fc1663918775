// A question in the middle of the window, answered by one of a row of buttons; and the one about a
// file that another program has changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "io/files/file.h"
#include "ui/panel.h"

namespace headlight {

/// A button and its tooltip.
struct QuestionChoice {
    const char* label;
    const char* tooltip;
};

/// Called in each frame until it returns an answer: the index of the choice that was pressed, or of
/// the last one after Esc.
std::optional<std::size_t> draw_question(PanelContext& context, const char* title,
                                         const std::string& text,
                                         std::span<const QuestionChoice> choices);

enum class ChangedFileAnswer { Overwrite, SaveAs, Reload, Cancel };
/// Asks before it overwrites a file that was changed since it was read or written here. Called like
/// draw_question.
std::optional<ChangedFileAnswer> draw_changed_file_question(PanelContext& context,
                                                            const std::filesystem::path& file);

class ChangedFileNotice {
  public:
    /// A file that is open, what is known of it, and whether it differs from that now.
    struct Open {
        const std::filesystem::path& file;
        const FileStamp& known;
        std::function<bool()> is_changed;
    };
    /// Looks at the file now and then, and says at the bottom of `box` that it was changed. Returns
    /// the height of that message.
    float draw(PanelContext& context, const Open& open, Box box);
    /// True once after the user has asked that the file be read again.
    bool take_reload();
    /// Says that reading it again failed, until the contents of the file are different.
    void cannot_read(const std::filesystem::path& file, std::string why);

  private:
    void look(const Open& open);

    bool must_reload_ = false;
    // The last look at a file: its time on ImGui's clock, the file, and its known contents.
    double looked_at_ = 0;
    std::filesystem::path file_;
    std::optional<std::uint64_t> known_;

    std::optional<std::uint64_t> foreign_;     // contents that another program has written
    std::optional<std::uint64_t> dismissed_;   // the foreign contents that the user knows about
    std::optional<std::uint64_t> unreadable_;  // the foreign contents that could not be read
    std::string why_;
};

}  // namespace headlight
