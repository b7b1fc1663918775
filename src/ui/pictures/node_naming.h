// The field in which a node's name is typed, where the node is.
#pragma once

#include <string>

#include "ui/panel.h"

namespace headlight {

class NodeNaming {
  public:
    /// A new node, at a place in [0,1]² of the graph; it comes to be when its name is entered.
    void begin_new(const PanelContext& context, Point place);
    void begin_rename(const PanelContext& context, int node);
    bool is_on() const { return is_on_; }

    /// The field, around the point `at` of the window. Enter and a click elsewhere take the name,
    /// Esc does not. True if the pointer is on the field.
    bool draw(PanelContext& context, Point at);

    /// Of the new node, or of the one that is renamed.
    Point place() const { return place_; }

  private:
    void enter(PanelContext& context);
    bool is_taken(const PanelContext& context) const;

    bool is_on_ = false, must_focus_ = false, had_focus_ = false;
    int node_ = -1;  // that is renamed; −1: a new one
    Point place_;
    std::string text_;
};

}  // namespace headlight
