// Keeps the lecture that is open and not saved in a file, so that nothing is lost when the program
// is killed or closed.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "io/files/open_file.h"
#include "lecture/lecture_book.h"

namespace headlight {

class LectureRecovery {
  public:
    /// Keeps files in that folder, one for each window, which holds a lock on it.
    void start(const std::filesystem::path& folder);
    bool keeps() const { return !own_.empty(); }

    /// Writes changes, called once a frame, at most once a second, and removes the file when
    /// nothing is unsaved. Never throws: `problem` says once why nothing could be written.
    void follow(const LectureBook& book);
    /// Returns the seconds until there is something to write; infinity if there is nothing.
    double secs_until_due(const LectureBook& book) const;
    std::string take_problem() { return std::exchange(problem_, {}); }

    /// Writes at once, before the window closes.
    void write_now(const LectureBook& book);
    /// Gives up the lecture's changes; they are not offered again.
    void drop(const LectureBook& book);

    /// Takes the newest lecture whose window is gone, of that file if one is given. From now on it
    /// is kept as this window's. One that is in its file as it is was saved, and is removed.
    std::optional<KeptLecture> take_left(const std::filesystem::path& of_file = {});

  private:
    using Clock = std::chrono::steady_clock;

    bool is_due(const LectureBook& book) const;
    struct Left {
        std::filesystem::path file;
        Descriptor lock;
    };
    std::optional<Left> find_left(const std::filesystem::path& of_file) const;
    void remove();

    std::filesystem::path folder_, own_;
    std::optional<Descriptor> lock_;  // on the file, if there is one
    LectureHistoryWriter writer_;
    std::uint64_t written_ = 0;     // the version in the file; 0: there is none …
    std::size_t written_page_ = 0;  // … and the chosen page
    std::uint64_t given_up_ = 0;    // a version of which nothing is written any more
    Clock::time_point written_at_{};
    std::string problem_;
};

}  // namespace headlight
