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

#include "io/files/file_stamp.h"
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

class ChangedFileNotice {
  public:
    /// A file that is open, what is known of it, and whether it differs from that now.
    struct Open {
        const std::filesystem::path& file;
        const FileStamp& known;
        std::function<bool()> is_changed;
    };
    /// Looks at the file now and then, and says at the bottom of `box` that it was changed. Returns
    /// the height of what is said.
    float draw(PanelContext& context, const Open& open, Box box);
    /// Whether it is to be read again; once.
    bool take_reload();
    /// That failed: said instead, until the file is another one.
    void cannot_read(const std::filesystem::path& file, std::string why);

  private:
    void look(const Open& open);

    bool must_reload_ = false;
    // The last look at a file: when, on ImGui's clock, at which, and what was known of it.
    double looked_at_ = 0;
    std::filesystem::path file_;
    std::optional<std::uint64_t> known_;

    std::optional<std::uint64_t> foreign_;     // contents that another program has written
    std::optional<std::uint64_t> dismissed_;   // those of them that the user knows about
    std::optional<std::uint64_t> unreadable_;  // … that could not be read
    std::string why_;
};

}  // namespace headlight
