#include "core/mechanisms/image_attention.h"

#include "core/analyses/influence.h"
#include "core/error.h"
#include "core/mechanisms/add_tensor.h"
#include "core/mechanisms/head_scores.h"
#include "core/mechanisms/stack.h"
#include "core/operations/image_operations.h"
#include "core/operations/operations.h"
#include "core/operations/position_operations.h"
#include "core/operations/score_operations.h"

namespace headlight {
namespace {

constexpr int kKernelCells = 9;  // 3 × 3

std::vector<std::string> grid_names(Index rows, Index columns) {
    std::vector<std::string> names;
    for (Index y = 0; y < rows; ++y)
        for (Index x = 0; x < columns; ++x)
            names.push_back(std::to_string(y) + "," + std::to_string(x));
    return names;
}

/// Names the tensors of one image.
class ImagePlan {
  public:
    ImagePlan(const Image& image, const ImageSettings& settings, std::uint64_t seed)
        : image_(image), settings_(settings), seed_(seed) {
        const Index side = settings.mechanism == ImageMechanism::Attention ? settings.patch : 1;
        const Index rows = image.pixels.rows() / image.columns;
        columns_ = (image.columns + side - 1) / side;
        n_ = (rows + side - 1) / side * columns_;
        plan_.lists[0] = {
            side == 1 ? "pixel" : "patch",
            std::make_shared<const std::vector<std::string>>(grid_names(n_ / columns_, columns_))};
        plan_.grid_columns = columns_;
        const Axis pixel = side == 1 ? item() : pixels(rows);
        image_id_ = add_listed(
            plan_,
            {Location().at(Role::Image), "I", pixel, channel(), Stage::Input, Quantity::Intensity},
            "one row a pixel", image.pixels);
    }

    Plan plan() {
        if (settings_.mechanism == ImageMechanism::Convolution)
            add_convolution();
        else
            add_layers();
        return std::move(plan_);
    }

  private:
    Axis item() const { return {AxisKind::Item, n_}; }
    Axis channel() {
        static constexpr const char* kNames[] = {"red", "green", "blue"};
        if (channel_list_ < 0) {
            std::vector<std::string> names;
            for (Index c = 0; c < image_.pixels.cols(); ++c)
                names.push_back(image_.pixels.cols() == 3 ? kNames[c] : std::to_string(c));
            channel_list_ = plan_.add_list("channel", std::move(names));
        }
        return {AxisKind::Named, image_.pixels.cols(), channel_list_};
    }
    Axis pixels(Index rows) {
        return {AxisKind::Named, image_.pixels.rows(),
                plan_.add_list("pixel", grid_names(rows, image_.columns))};
    }
    PatternAxes axes() const { return {{AxisKind::Query, n_}, {AxisKind::Key, n_}, 0}; }

    // ---- attention ----

    void add_layers() {
        Stack stack(plan_, settings_.stack, {}, seed_);
        const std::vector<TensorId> input = add_embedding(stack);
        const TensorId mask = stack.add_self_mask(settings_.stack.mask);
        const TensorId x = stack.add_layers(
            input, {.mask = mask, .causal = settings_.stack.mask.causal, .grid_columns = columns_});
        add_influence(plan_, stack.add_final_norm(x), input[0], "influence");
    }

    /// What the first layer's X is the sum of: patches, and where they are.
    std::vector<TensorId> add_embedding(const Stack& stack) {
        const Axis item = stack.item(), model = stack.model();
        const Index side = settings_.patch;
        const Axis values{AxisKind::Hidden, side * side * image_.pixels.cols()};
        const TensorId patches =
            add_result(plan_, {Location().at(Role::Patches), "patches", item, values, Stage::Input},
                       side == 1 ? "a pixel each" : "their pixels side by side",
                       operations::patches, {image_id_}, {.count = image_.columns, .step = side});
        const TensorId W_E = add_weight(plan_, {"W_E", "W_E", values, model, Stage::Input}, seed_);
        const TensorId b_E =
            add_constant(plan_, {Location().at("b_E", Role::Bias), "b_E", {}, model, Stage::Input},
                         operations::zeros);
        std::vector<TensorId> parts{
            add_result(plan_, {Location().at(Role::Embedding), "E", item, model, Stage::Input},
                       "E = patches W_E + b_E", operations::multiply_add, {patches, W_E, b_E})};
        const TensorName P{Location().at(Role::Positions), "P", item, model, Stage::Input};
        if (settings_.stack.positions == Positions::Sinusoidal)
            parts.push_back(add_result(plan_, P, "sin, cos of row and column",
                                       operations::sinusoidal_2d, {}, {.count = columns_}));
        if (settings_.stack.positions == Positions::Learned)
            parts.push_back(add_table(plan_, P, seed_));
        return parts;
    }

    // ---- convolution ----

    void add_convolution() {
        const Axis out{AxisKind::Model, settings_.kernel_out};
        const Location attention{.component = ComponentKind::Attention, .layer = 0};
        const Location output{.component = ComponentKind::Output};
        const TensorId alpha =
            add_listed(plan_, {attention.at("alpha"), "α"}, "how narrow the heads look",
                       Matrix::Constant(1, 1, static_cast<Scalar>(settings_.alpha)));
        std::vector<TensorId> z, kernel{image_id_};
        for (int h = 0; h < kKernelCells; ++h) {
            const Location head = attention.of_head(h);
            const TensorId W_V = add_weight(plan_, {head.at("W_V"), "W_V", channel(), out}, seed_);
            const TensorId v = add_product(
                plan_, {head.at(Role::Value), "V", {AxisKind::Key, n_}, out, Stage::Projection},
                "V = X W_V", image_id_, W_V);
            const TensorId pattern = add_pattern_of_place(head, alpha);
            z.push_back(add_product(
                plan_, {head.at(Role::HeadOutput), "Z", {AxisKind::Query, n_}, out, Stage::Mix},
                "Z = A V", pattern, v));
            kernel.push_back(W_V);
        }
        const TensorId sum = add_result(
            plan_, {attention.at(Role::AttentionOutput), "out", item(), out, Stage::Output},
            "Σ_h Z_h", operations::scaled_sum, z);
        const TensorId convolved = add_result(
            plan_, {output.at("convolution"), "conv", item(), out, Stage::Output},
            "Σ_h I(p + Δ_h) W_V[h]", operations::convolution, kernel, {.count = columns_});
        add_result(plan_, {output.at("difference"), "out − conv", item(), out, Stage::Output},
                   "out − conv", operations::subtract, {sum, convolved});
    }

    TensorId add_pattern_of_place(const Location& head, TensorId alpha) {
        const PatternAxes pattern = axes();
        const auto name = [&](Role role, const char* symbol, Quantity quantity) {
            return TensorName{head.at(role), symbol,   pattern.query,  pattern.key,
                              Stage::Score,  quantity, Keep::WhenSmall};
        };
        const TensorId center =
            add_listed(plan_, {head.at("center"), "Δ", {}, {AxisKind::Direction, 2}},
                       "where the head looks", grid_center(head.head, kKernelCells));
        const TensorId scores = add_result(plan_, name(Role::PositionScores, "S", Quantity::Signed),
                                           "S = −α ‖(j − i) − Δ‖²", operations::quadratic_scores,
                                           {center, alpha}, {.count = columns_});
        return add_result(plan_, name(Role::Pattern, "A", Quantity::Probability), "A = softmax(S)",
                          operations::softmax_rows, {scores});
    }

    const Image& image_;
    const ImageSettings& settings_;
    std::uint64_t seed_;
    Index columns_ = 1, n_ = 0;
    int channel_list_ = -1;
    TensorId image_id_ = 0;
    Plan plan_;
};

}  // namespace

Plan plan_image(const Image& image, const ImageSettings& settings, std::uint64_t seed) {
    if (image.pixels.size() == 0 || image.columns < 1 || image.pixels.rows() % image.columns != 0)
        throw Error("image", "the image has no pixels, or rows of different lengths");
    if (settings.patch < 1 || settings.kernel_out < 1)
        throw Error("image", "a patch and a kernel are at least 1 wide");
    return ImagePlan(image, settings, seed).plan();
}

}  // namespace headlight
