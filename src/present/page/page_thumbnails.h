// Small pictures of all pages, made one after another while nothing else is to do.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "present/open_lecture.h"

namespace headlight {

class PageThumbnails {
  public:
    /// Makes one that is missing or out of date; returns true if there are more. Pages that cannot
    /// be opened have only their text. Letters have the widths that they have in files: they are
    /// drawn in any size, by two windows.
    bool advance(OpenLecture& lecture, const Theme& theme);

    /// Returns null while it is not made.
    const Figure* find(std::size_t page) const {
        return page < made_.size() && made_[page].figure ? &*made_[page].figure : nullptr;
    }
    /// True if the page could not be opened.
    bool has_failed(std::size_t page) const {
        return page < made_.size() && made_[page].has_failed;
    }

  private:
    struct Made {
        std::uint64_t content = 0;  // a hash of what it was made of
        std::optional<Figure> figure;
        bool has_failed = false;
    };

    void count_contents(const Lecture& lecture, const Theme& theme);
    void make(OpenLecture& lecture, std::size_t page, const Theme& theme);

    std::uint64_t version_ = 0;
    const Theme* theme_ = nullptr;
    std::vector<std::uint64_t> contents_;
    std::vector<Made> made_;
    std::unique_ptr<Workspace> space_;
};

}  // namespace headlight
