// A lecture being written: the strip of its pages, the chosen one alive, its text, its notes, and
// the choice of its view.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "present/page/page_thumbnails.h"
#include "ui/lecture/page_canvas.h"
#include "ui/window/window_places.h"

namespace headlight {

/// A part of the window beside the page, or a drawer over it.
enum class Dock { Column, Overlay };

class LectureView {
  public:
    /// Draws below the top bar, in `box`. Returns true if more thumbnails are to be made, and so it
    /// must be drawn again. Parts that are folded away are drawn over the page while their drawer
    /// is open.
    bool draw(PanelContext& context, OpenLecture& lecture, PageCanvas& page, Box box,
              Drawer drawer);
    /// Returns the parts that have no room beside the page: its side, then the strip of pages.
    static Folded folded(Box box);
    /// Draws the lessons, and the offer of a new lecture, where none is open.
    void draw_welcome(PanelContext& context, Box box);
    void press_keys(PanelContext& context, const OpenLecture& lecture);

    PageThumbnails& thumbnails() { return thumbnails_; }

  private:
    /// A field that a lecture's text stands in.
    struct Field {
        std::string shown, buffer;  // shown: the lecture's text; buffer: as it is typed
        bool has_focus = false;
        std::optional<int> clicked = {};  // the byte of the buffer where a click was
    };

    /// Draws one line; true when it was changed.
    static bool draw_title(PanelContext& context, const char* name, Field& field,
                           const std::string& title);
    void draw_strip(PanelContext& context, const OpenLecture& lecture, Box box, Dock dock);
    void draw_thumbnail(PanelContext& context, const OpenLecture& lecture, std::size_t page,
                        float width);
    void draw_page_menu(PanelContext& context, const OpenLecture& lecture, std::size_t page);
    void draw_page(PanelContext& context, const OpenLecture& lecture, PageCanvas& page, Box box);
    void draw_texts(PanelContext& context, const OpenLecture& lecture, Box box);
    void draw_side(PanelContext& context, const OpenLecture& lecture, Box box, Dock dock);
    void draw_claims(PanelContext& context, const OpenLecture& lecture);
    void draw_view_field(PanelContext& context, const OpenLecture& lecture);
    /// True if the user has changed the text, which then is in `field.shown`.
    bool draw_field(PanelContext& context, const char* name, Field& field, const std::string& text,
                    Point size);
    /// False if the text is too long: then the field is as before, and a message names the limit.
    static bool is_short(PanelContext& context, Field& field, const std::string& before,
                         std::size_t most_bytes);

    PageThumbnails thumbnails_;
    Field lecture_title_, title_, text_, notes_, view_;
    std::string view_problem_;
    std::size_t scrolled_to_ = 0;
};

}  // namespace headlight
