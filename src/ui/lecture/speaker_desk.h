// The speaker's window while a lecture is presented: notes, the next page, the time.
#pragma once

#include "lecture/lecture_book.h"
#include "lecture/page/page_thumbnails.h"
#include "ui/window/workbench_frame.h"

namespace headlight {

class SpeakerDesk {
  public:
    bool is_open() const { return is_open_; }
    void turn() { is_open_ = !is_open_; }
    void close() { is_open_ = false; }

    /// The lecture is presented from that page on. The clock runs from its beginning: it is set to
    /// 0 on the first page, or if it does not run.
    void begin(std::size_t page, double now_secs) {
        if (page == 0 || !began_at_secs_) began_at_secs_ = now_secs;
    }
    void stop_clock() { began_at_secs_.reset(); }

    /// What the window shows at that time, in seconds of any clock; nothing while it is closed.
    /// The book and the thumbnails outlive the frame; these are drawn in `theme`.
    SecondPicture picture(const LectureBook& book, const PageThumbnails& thumbnails,
                          const Theme& theme, double now_secs) const;
    /// Until the time that it shows is another one; infinite while it is closed.
    double secs_until_due(double now_secs) const;

  private:
    double elapsed_secs(double now_secs) const;

    bool is_open_ = false;
    std::optional<double> began_at_secs_;
};

}  // namespace headlight
