#include "core/mechanisms/image_attention.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include "core/analyses/head_scores.h"
#include "core/analyses/influence.h"
#include "core/error.h"
#include "core/mechanisms/add_tensor.h"
#include "core/mechanisms/stack.h"
#include "core/operations/operations.h"
#include "core/operations/score_operations.h"

namespace headlight {

std::vector<std::string> grid_names(Index rows, Index columns) {
    std::vector<std::string> names;
    names.reserve(static_cast<std::size_t>(rows * columns));
    for (Index y = 0; y < rows; ++y)
        for (Index x = 0; x < columns; ++x) names.push_back(fmt::format("{},{}", y, x));
    return names;
}

std::vector<std::string> channel_names(Index n_channels) {
    if (n_channels == 3) return {"red", "green", "blue"};
    std::vector<std::string> names;
    for (Index c = 0; c < n_channels; ++c) names.push_back(std::to_string(c));
    return names;
}

std::vector<std::string> class_names(int n_classes, std::vector<std::string> names) {
    if (std::ssize(names) == n_classes) return names;
    names.clear();
    for (int c = 0; c < n_classes; ++c) names.push_back(std::to_string(c));
    return names;
}

TensorId add_class_readout(Plan& plan, TensorId x, std::vector<std::string> names,
                           std::uint64_t seed, Switch bias) {
    const auto n_classes = static_cast<Index>(names.size());
    const Axis classes{AxisKind::Named, n_classes, plan.add_list("class", std::move(names))};
    const Axis rows = plan[x].rows;
    const TensorId W =
        add_weight(plan, {kNetworkOutput.at("W_C"), "W_C", plan[x].columns, classes}, seed);
    const std::string product = plan[x].symbol + " W_C";
    TensorName name{kNetworkOutput.at(Role::ClassLogits), "logits", rows, classes, Stage::Output};
    TensorId logits = 0;
    if (bias == Switch::On) {
        const TensorId b = add_constant(
            plan, {kNetworkOutput.at("b_C", Role::Bias), "b_C", {}, classes}, operations::zeros);
        logits = add_result(plan, std::move(name), product + " + b_C", operations::multiply_add,
                            {x, W, b});
    } else {
        logits = add_product(plan, std::move(name), product, x, W);
    }
    add_result(plan,
               {kNetworkOutput.at(Role::ClassProbabilities), "p", rows, classes, Stage::Output,
                Quantity::Probability},
               "p(class) = softmax(logits)", operations::softmax_rows, {logits});
    return logits;
}

namespace {

constexpr int kKernelCells = 9;  // 3 × 3

/// Returns the same names for each image.
std::vector<std::string> grid_names_of(Index n_images, Index rows, Index columns) {
    const std::vector<std::string> of_one = grid_names(rows, columns);
    std::vector<std::string> names;
    for (Index image = 0; image < n_images; ++image)
        names.insert(names.end(), of_one.begin(), of_one.end());
    return names;
}

/// Names the tensors of one image, or of several.
class ImagePlan {
  public:
    ImagePlan(const Image& image, const ImageSettings& settings, std::uint64_t seed,
              const std::vector<std::string>& classes)
        : image_(image), settings_(settings), seed_(seed), classes_(classes) {
        const Index side = settings.mechanism == ImageMechanism::Attention ? settings.patch : 1;
        const Index rows = image.pixels.rows() / image.n_images / image.columns;
        columns_ = (image.columns + side - 1) / side;
        n_ = (rows + side - 1) / side * columns_;
        plan_.lists[0] = {side == 1 ? "pixel" : "patch",
                          std::make_shared<const std::vector<std::string>>(item_names())};
        plan_.grid_columns = columns_;
        plan_.grid_begin = first_patch();
        plan_.image_columns = image.columns;
        const Axis pixel = side == 1 && !has_class_item() ? item() : pixels(rows);
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
    bool has_class_item() const {
        return settings_.mechanism == ImageMechanism::Attention &&
               settings_.class_token != ClassToken::Reader;
    }
    /// Returns the number of items of an image before its patches.
    Index first_patch() const {
        return has_class_item() && settings_.class_token == ClassToken::First ? 1 : 0;
    }
    /// Returns the index of the class token among the items of an image.
    Index class_item() const { return first_patch() > 0 ? 0 : n_; }
    /// Returns the number of items of one image: its patches, and perhaps the class token.
    Index n_items() const { return n_ + (has_class_item() ? 1 : 0); }
    Axis item() const { return {AxisKind::Item, n_items() * image_.n_images, 0, image_.n_images}; }
    Index group_rows() const { return image_.n_images > 1 ? n_items() : 0; }
    std::vector<std::string> item_names() const {
        std::vector<std::string> names;
        for (Index image = 0; image < image_.n_images; ++image) {
            if (first_patch() > 0) names.push_back("class");
            std::ranges::move(grid_names(n_ / columns_, columns_), std::back_inserter(names));
            if (has_class_item() && first_patch() == 0) names.push_back("class");
        }
        return names;
    }
    /// Returns the axis of the patches, without the class token.
    Axis patch_axis() {
        if (!has_class_item()) return item();
        return {AxisKind::Named, n_ * image_.n_images,
                plan_.add_list("patch", grid_names_of(image_.n_images, n_ / columns_, columns_)),
                image_.n_images};
    }
    Axis channel() {
        if (channel_list_ < 0)
            channel_list_ = plan_.add_list("channel", channel_names(image_.pixels.cols()));
        return {AxisKind::Named, image_.pixels.cols(), channel_list_};
    }
    Axis pixels(Index rows) {
        return {AxisKind::Named, image_.pixels.rows(),
                plan_.add_list("pixel", grid_names_of(image_.n_images, rows, image_.columns))};
    }
    PatternAxes axes() const {
        Axis query = item();
        query.kind = AxisKind::Query;
        return {query, {AxisKind::Key, n_}, group_rows()};
    }

    // ---- attention ----

    void add_layers() {
        Stack stack(plan_, settings_.stack, {.groups = image_.n_images}, seed_);
        const std::vector<TensorId> input = add_embedding(stack);
        const std::vector<TensorId> masks = stack.add_self_masks(settings_.stack.mask);
        const TensorId x = stack.add_layers(
            input, {.causal = settings_.stack.mask.causal, .grid_columns = columns_}, masks);
        const TensorId last = stack.add_final_norm(x);
        if (has_class_item())
            add_class_row(last);
        else if (settings_.n_classes > 0)
            add_classes(stack, last);
        add_influence(plan_, last, input[0], "influence");
    }

    /// Adds the addends of the first layer's X: patches, and their positions.
    std::vector<TensorId> add_embedding(const Stack& stack) {
        const Axis item = stack.item(), model = stack.model(), patch = patch_axis();
        const Index side = settings_.patch;
        const Axis values{AxisKind::Hidden, side * side * image_.pixels.cols()};
        const TensorId patches = add_result(
            plan_, {Location().at(Role::Patches), "patches", patch, values, Stage::Input},
            side == 1 ? "a pixel each" : "their pixels side by side", operations::patches,
            {add_normalized()},
            {.count = image_.columns, .step = side, .group_rows = image_.n_images > 1 ? n_ : 0});
        const TensorId W_E = add_weight(plan_, {"W_E", "W_E", values, model, Stage::Input}, seed_);
        const TensorId b_E =
            add_constant(plan_, {Location().at("b_E", Role::Bias), "b_E", {}, model, Stage::Input},
                         operations::zeros);
        const auto embedded = [&](Named named) {
            return add_result(plan_, {std::move(named), "E", patch, model, Stage::Input},
                              "E = patches W_E + b_E", operations::multiply_add,
                              {patches, W_E, b_E});
        };
        std::vector<TensorId> parts{
            has_class_item() ? add_class_item(embedded(Location().at("patch_embed")), item)
                             : embedded(Location().at(Role::Embedding))};
        const TensorName P{Location().at(Role::Positions), "P", item, model, Stage::Input};
        if (settings_.stack.positions == Positions::Sinusoidal)
            parts.push_back(add_result(plan_, P, "sin, cos of row and column",
                                       operations::sinusoidal_2d, {},
                                       {.count = columns_, .group_rows = group_rows()}));
        if (settings_.stack.positions == Positions::Learned)
            parts.push_back(add_learned_positions(P));
        return parts;
    }

    /// Adds the image as the network reads it, by the settings.
    TensorId add_normalized() {
        if (settings_.normalized == Switch::Off) return image_id_;
        const auto of_channels = [&](const char* last, const char* symbol) {
            return TensorName{Location().at(last), symbol, {}, channel(), Stage::Input};
        };
        const TensorId mean =
                           add_constant(plan_, of_channels("image_mean", "m"), operations::zeros),
                       deviation =
                           add_constant(plan_, of_channels("image_std", "s"), operations::ones);
        return add_result(plan_,
                          {Location().at("image_normalized"), "N", plan_[image_id_].rows, channel(),
                           Stage::Input},
                          "N = (I − m) / s", operations::normalized_channels,
                          {image_id_, mean, deviation});
    }

    /// Adds the class token above or below the patches of each image.
    TensorId add_class_item(TensorId patches, const Axis& item) {
        if (settings_.stack.positions == Positions::Sinusoidal ||
            settings_.stack.attention.relative == RelativePositions::Quadratic)
            throw Error("image",
                        "a class token among the patches has no place in the grid: positions can "
                        "be learned or none, and not quadratic");
        const Axis model{AxisKind::Model, settings_.stack.d_model};
        const TensorId token =
            add_table(plan_, {Location().at("class_token"), "C", {}, model, Stage::Input}, seed_);
        const TensorName E{Location().at(Role::Embedding), "E", item, model, Stage::Input};
        const bool is_first = first_patch() > 0;
        if (image_.n_images == 1)
            return add_result(plan_, E, is_first ? "C, then the patches" : "the patches, then C",
                              operations::append_rows,
                              is_first ? std::vector{token, patches} : std::vector{patches, token});
        const Axis all{AxisKind::Hidden, n_ * image_.n_images + 1};
        const TensorId once = add_result(
            plan_, {Location().at("patches_and_class"), "E, C", all, model, Stage::Input},
            "the patches of all images, then C", operations::append_rows, {patches, token});
        auto places = std::make_shared<std::vector<Index>>();
        for (Index image = 0; image < image_.n_images; ++image)
            for (Index i = 0; i < n_items(); ++i)
                places->push_back(i == class_item() ? n_ * image_.n_images
                                                    : image * n_ + i - first_patch());
        return add_result(plan_, E, "the patches of each image, and C", operations::gather_rows,
                          {once}, {.indices = places});
    }

    /// Adds the class token's row of the result, and the classes that it predicts.
    void add_class_row(TensorId x) {
        auto places = std::make_shared<std::vector<Index>>();
        for (Index image = 0; image < image_.n_images; ++image)
            places->push_back(image * n_items() + class_item());
        const Axis rows{
            AxisKind::Named, image_.n_images,
            plan_.add_list("class token", std::vector<std::string>(places->size(), "class"))};
        const TensorId out = add_result(
            plan_,
            {kNetworkOutput.at("class_out"), "y_{class}", rows, plan_[x].columns, Stage::Output},
            "the class token's row of " + plan_[x].symbol, operations::gather_rows, {x},
            {.indices = places});
        if (settings_.n_classes > 0)
            add_class_readout(plan_, out, class_names(settings_.n_classes, classes_), seed_,
                              Switch::On);
    }

    /// Adds one learned row an item, the same in every image.
    TensorId add_learned_positions(TensorName P) {
        P.rows = {AxisKind::Item, n_items()};
        const TensorId table = add_table(plan_, P, seed_);
        if (image_.n_images == 1) return table;
        auto places = std::make_shared<std::vector<Index>>();
        for (Index i = 0; i < item().size; ++i) places->push_back(i % n_items());
        P.rows = item();
        P.named = Location().at("stacked_pos_embed");
        return add_result(plan_, P, "P of each image", operations::gather_rows, {table},
                          {.indices = places});
    }

    // ---- classes ----

    /// Adds the class token's reading of x, and the classes that it predicts.
    void add_classes(const Stack& stack, TensorId x) {
        const int list = plan_.add_list(
            "class token",
            std::vector<std::string>(static_cast<std::size_t>(image_.n_images), "class"));
        Stack token(plan_, settings_.stack, {.list = list, .groups = image_.n_images}, seed_);
        const TensorId mask = token.add_mask(Location().at("class_mask", Role::Mask),
                                             {.n_sentences = image_.n_images}, stack.item());
        const Location here{.component = ComponentKind::ClassAttention,
                            .layer = settings_.stack.n_layers};
        AttentionSettings attention = settings_.stack.attention;
        attention.relative = RelativePositions::None;  // the token has no place
        const TensorId out = add_attention(plan_, attention,
                                           {.here = here,
                                            .weights = here,
                                            .queries = add_class_tokens(token.item()),
                                            .keys = x,
                                            .mask = mask},
                                           seed_);
        add_class_readout(plan_, out, class_names(settings_.n_classes, classes_), seed_);
    }

    /// Adds one learned row, the same for every image.
    TensorId add_class_tokens(const Axis& tokens) {
        TensorName C{Location().at("class_token"),
                     "C",
                     tokens,
                     {AxisKind::Model, settings_.stack.d_model},
                     Stage::Input};
        C.rows.size = C.rows.groups = 1;
        const TensorId token = add_table(plan_, C, seed_);
        if (image_.n_images == 1) return token;
        C.rows = tokens;
        C.named = Location().at("class_tokens");
        return add_result(plan_, C, "C for each image", operations::gather_rows, {token},
                          {.indices = std::make_shared<const std::vector<Index>>(
                               static_cast<std::size_t>(image_.n_images), 0)});
    }

    // ---- convolution ----

    void add_convolution() {
        const bool is_random = settings_.kernel == Kernel::Random;
        const Axis out{AxisKind::Model, is_random ? settings_.kernel_out : kKernelCells};
        const Location attention{.component = ComponentKind::Attention, .layer = 0};
        const TensorId alpha =
            add_parameter(plan_, {attention.at("alpha"), "α"}, "how narrow the heads look",
                          Matrix::Constant(1, 1, static_cast<Scalar>(settings_.alpha)));
        std::vector<TensorId> z, kernel{image_id_};
        for (int h = 0; h < kKernelCells; ++h) {
            const Location head = attention.of_head(h);
            const TensorId W_V = add_kernel_cell(head, out);
            Axis key = item();
            key.kind = AxisKind::Key;
            const TensorId v =
                add_product(plan_, {head.at(Role::Value), "V", key, out, Stage::Projection},
                            "V = X W_V", image_id_, W_V);
            const TensorId pattern = add_pattern_of_place(head, alpha);
            z.push_back(add_result(
                plan_, {head.at(Role::HeadOutput), "Z", axes().query, out, Stage::Mix}, "Z = A V",
                operations::multiply, {pattern, v}, {.group_rows = group_rows()}));
            kernel.push_back(W_V);
        }
        const TensorId sum = add_result(
            plan_, {attention.at(Role::AttentionOutput), "out", item(), out, Stage::Output},
            "Σ_h Z_h", operations::scaled_sum, z);
        const TensorId convolved = add_result(
            plan_, {kNetworkOutput.at("convolution"), "conv", item(), out, Stage::Output},
            "Σ_h I(p + Δ_h) W_V[h]", operations::convolution, kernel,
            {.count = columns_, .group_rows = group_rows()});
        add_result(plan_,
                   {kNetworkOutput.at("difference"), "out − conv", item(), out, Stage::Output},
                   "out − conv", operations::subtract, {sum, convolved});
    }

    /// Adds the head's W_V: the cell of the kernel at its place, through which the head brings its
    /// pixel.
    TensorId add_kernel_cell(const Location& head, const Axis& out) {
        TensorName W_V{head.at("W_V"), "W_V", channel(), out};
        if (settings_.kernel == Kernel::Random) return add_weight(plan_, W_V, seed_);
        Matrix mean = Matrix::Zero(W_V.rows.size, out.size);
        mean.col(head.head).setConstant(1 / static_cast<Scalar>(W_V.rows.size));
        return add_listed(plan_, W_V, "the mean of the channels", std::move(mean));
    }

    TensorId add_pattern_of_place(const Location& head, TensorId alpha) {
        const PatternAxes pattern = axes();
        const auto name = [&](Role role, const char* symbol, Quantity quantity) {
            return TensorName{head.at(role), symbol,   pattern.query,  pattern.key,
                              Stage::Score,  quantity, Keep::WhenSmall};
        };
        // The place where the head looks before any training.
        const TensorName place{head.at("center"), "Δ", {}, {AxisKind::Direction, 2}};
        const TensorId center = settings_.centers == Centers::Random
                                    ? add_table(plan_, place, seed_)
                                    : add_parameter(plan_, place, "where the head looks",
                                                    grid_center(head.head, kKernelCells));
        const TensorId scores =
            add_result(plan_, name(Role::PositionScores, "S", Quantity::Signed),
                       "S = −α ‖(j − i) − Δ‖²", operations::quadratic_scores, {center, alpha},
                       {.count = columns_, .group_rows = group_rows()});
        return add_result(plan_, name(Role::Pattern, "A", Quantity::Probability), "A = softmax(S)",
                          operations::softmax_rows, {scores});
    }

    const Image& image_;
    const ImageSettings& settings_;
    std::uint64_t seed_;
    const std::vector<std::string>& classes_;
    Index columns_ = 1, n_ = 0;
    int channel_list_ = -1;
    TensorId image_id_ = 0;
    Plan plan_;
};

}  // namespace

Plan plan_image(const Image& image, const ImageSettings& settings, std::uint64_t seed,
                const std::vector<std::string>& classes) {
    if (image.pixels.size() == 0 || image.columns < 1 ||
        image.pixels.rows() % (image.columns * image.n_images) != 0)
        throw Error("image", "the image has no pixels, or rows of different lengths");
    if (settings.patch < 1 || settings.kernel_out < 1)
        throw Error("image", "a patch and a kernel are at least 1 wide");
    return ImagePlan(image, settings, seed, classes).plan();
}

}  // namespace headlight
