// The origin of a study, as the left panels tell it: of a recording, shown in place of the
// sentence, with its oddities; and of weights that come from a file, with the words that they know.
#pragma once

#include "ui/panel.h"

namespace headlight {

/// The button that joins the pieces of words, where tokens are such.
class PiecesButton {
  public:
    void draw_button(PanelContext& context, const std::vector<std::string>& tokens);

  private:
    std::vector<std::string> tokens_;  // the tokens that were looked through
    std::size_t n_words_ = 0;
};

class RecordingView {
  public:
    void draw(PanelContext& context, const RecordedStudy& study);

  private:
    void draw_file(PanelContext& context, const RecordedStudy& study);
    void draw_pieces(PanelContext& context, const RecordedStudy& study);
    void draw_choice(PanelContext& context, const RecordedStudy& study);
    void show(PanelContext& context, int text);
    void warn_of_shown(PanelContext& context);

    PiecesButton pieces_;
    MatrixPtr looked_at_;  // the matrix that was looked through last
    std::string faults_;
};

/// Draws nothing where all weights are drawn from the seed.
void draw_weights(PanelContext& context);

}  // namespace headlight
