// A dialog that asks which pretrained model to download, from where, and into which folder.
//
// Goals: size, address and licence are seen before anything is asked of the network.
// Not goals: the download itself (window/file_desk.h).
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "download/known_models.h"
#include "ui/panel.h"

namespace headlight {

struct WantedModel {
    KnownModel model;
    std::string from;  // a server or a folder
    std::filesystem::path folder;
};

class ModelDialog {
  public:
    /// Opens in the next frame.
    void open();
    /// Once a frame. The model, when it was asked for.
    std::optional<WantedModel> draw(PanelContext& context);

  private:
    void draw_models(PanelContext& context);
    void draw_row(PanelContext& context, const KnownModel& model);
    void draw_details(PanelContext& context);
    static void draw_field(PanelContext& context, const char* name, std::string& text);
    std::optional<WantedModel> draw_buttons(PanelContext& context);
    void choose(const std::string& name);

    std::string name_, from_, folder_, problem_;  // name_: as typed, or of the table
    bool is_open_ = false, must_open_ = false;
};

}  // namespace headlight
