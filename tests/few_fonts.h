// Only the fonts of one folder, while this lives.
#pragma once

#include <filesystem>
#include <fontconfig/fontconfig.h>
#include <pango/pangocairo.h>
#include <string>

#include "io/pictures/font_files.h"

namespace headlight {

/// While it lives, fontconfig offers DejaVu and nothing else.
class FewFonts {
  public:
    FewFonts() {
        const std::string folder =
            std::filesystem::path(find_symbol_file().path).parent_path().string();
        const std::string text = "<fontconfig><dir>" + folder +
                                 "</dir><cachedir prefix=\"xdg\">fontconfig</cachedir>"
                                 "</fontconfig>";
        all_ = FcConfigReference(nullptr);
        FcConfig* few = FcConfigCreate();
        FcConfigParseAndLoadFromMemory(few, reinterpret_cast<const FcChar8*>(text.c_str()), FcTrue);
        FcConfigBuildFonts(few);
        FcConfigSetCurrent(few);
        FcConfigDestroy(few);
        forget_found();
    }
    FewFonts(const FewFonts&) = delete;
    FewFonts& operator=(const FewFonts&) = delete;
    ~FewFonts() {
        FcConfigSetCurrent(all_);
        FcConfigDestroy(all_);
        forget_found();
    }

  private:
    static void forget_found() { pango_cairo_font_map_set_default(nullptr); }

    FcConfig* all_;
};

}  // namespace headlight
