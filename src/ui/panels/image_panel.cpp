// The image's canvas: the picture, the patches that the chosen one reads, and the flow of its
// matrices.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <imgui.h>

#include "figure/image_figure.h"
#include "io/files/file.h"
#include "learn/tasks/shapes_source.h"
#include "ui/panels/component_strip.h"
#include "ui/panels/origin_view.h"
#include "ui/panels/panels.h"
#include "ui/pictures/comparison_canvas.h"
#include "ui/pictures/flow_canvas.h"
#include "ui/pictures/image_canvas.h"
#include "ui/widgets/widgets.h"
#include "views/image_view.h"

namespace headlight {
namespace {

class ImagePanel final : public Panel {
  public:
    const char* title() const override { return "Image canvas"; }
    const char* help() const override {
        return "The left side shows the image, the right side how much the chosen patch reads of "
               "each patch in the chosen head. Point at a patch; a click holds it.";
    }

    void draw(PanelContext& context) override {
        draw_component_strip(context, ImGui::GetContentRegionAvail().x);
        if (context.comparison.is_on()) {
            const ImVec2 size = ImGui::GetContentRegionAvail();
            const auto room = canvas_.draw_cards_below(context, {size.x, size.y});
            comparison_.draw(context, room.box, room.origin);
            return;
        }
        const auto place = canvas_.draw_beside_picture(
            context, shows_picture_alone(*context.trace, context.selection), 0.5f);
        draw_image_canvas(context, place.box, place.origin);
    }

  private:
    FlowCanvas canvas_;
    ComparisonCanvas comparison_;
};

class ImageInputPanel final : public Panel {
  public:
    const char* title() const override { return "Image"; }
    const char* help() const override {
        return "Each patch of pixels is an item: one row of X and of every pattern. Change a pixel "
               "in the matrix “image” of the input. Of the shapes there are more pictures that the "
               "network was never trained on. A pretrained model reads any picture.";
    }

    void draw(PanelContext& context) override {
        if (const RecordedStudy* recorded = context.document.recorded())
            return recording_.draw(context, *recorded);
        const ImageStudy* study = context.document.image();
        if (!study) return;
        widgets::hint(context, fmt::format("{} × {} pixels · {} channels", study->rows,
                                           study->columns, study->channels));
        if (study->picture) draw_given(context, *study->picture);
        if (context.error) widgets::hint(context, text_for_user(*context.error));
        if (study->rows == kShapeSide && study->columns == kShapeSide) draw_shapes(context, *study);
    }

  private:
    /// Draws the name of the picture's file, and a way to another picture.
    static void draw_given(PanelContext& context, const ImageFile& picture) {
        const std::filesystem::path file = picture.file;
        widgets::hint(context, file.empty() ? "the picture that comes with Headlight"
                                            : path_text(file.filename()));
        if (!file.empty()) widgets::tooltip(path_text(file).c_str());
        if (widgets::button(context, "Another picture…",
                            "A PNG or JPEG, which is resized as the model wants it; it can be "
                            "dropped on the window, too"))
            context.requests.run("open");
    }

    /// Draws the number of the held-out picture, and a way to the next one.
    void draw_shapes(PanelContext& context, const ImageStudy& study) {
        if (shapes_.empty()) shapes_ = held_out_shapes(kMostShapes);
        const auto shown = std::ranges::find_if(shapes_, [&](const ShapePicture& picture) {
            return picture.example.pixels == study.pixels;
        });
        if (shown == shapes_.end()) return;
        const auto number = shown - shapes_.begin();
        const auto shape = static_cast<std::size_t>(shown->example.shown);
        widgets::hint(context, fmt::format("held-out picture {}: {}", number,
                                           ShapesSource().classes()[shape]));
        if (!widgets::button(context, "Next picture",
                             "Another one that the network was never trained on"))
            return;
        const auto next = static_cast<std::size_t>(number + 1) % shapes_.size();
        context.edits.push(fmt::format("Show picture {}", next),
                           [pixels = shapes_[next].example.pixels](Document& document) {
                               if (ImageStudy* image = document.image()) image->pixels = pixels;
                           });
    }

    static constexpr int kMostShapes = 100;
    std::vector<ShapePicture> shapes_;
    RecordingView recording_;
};

}  // namespace

std::unique_ptr<Panel> make_image_panel() {
    return std::make_unique<ImagePanel>();
}

std::unique_ptr<Panel> make_image_input_panel() {
    return std::make_unique<ImageInputPanel>();
}

}  // namespace headlight
