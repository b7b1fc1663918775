#include "paint/tensor_scale.h"

#include <algorithm>

#include "core/components.h"

namespace headlight {

ColorScale standard_scale(const Tensor& tensor, Scalar limit, const Theme& theme) {
    const Color color = head_color(theme, std::max(0, tensor.identity().head));
    switch (tensor.quantity()) {
        case Quantity::Probability:
            return sequential_scale(theme, color, 0, 1);
        case Quantity::Amount:
            return sequential_scale(theme, color, 0, limit);
        case Quantity::Rank:
            return rank_scale(theme, color, tensor.columns().size);
        case Quantity::Intensity:
            return intensity_scale(theme);
        case Quantity::Signed:
        case Quantity::Mask:
            break;
    }
    return diverging_scale(theme, limit);
}

std::string scale_name(const Tensor& tensor) {
    switch (tensor.quantity()) {
        case Quantity::Probability:
            return "probability, linear";
        case Quantity::Mask:
            return "mask: 0 open, −∞ closed";
        case Quantity::Intensity:
            return "brightness, linear";
        case Quantity::Amount:
            return "0 to the largest, linear";
        case Quantity::Rank:
            return "rank of key for query; 0 is first";
        case Quantity::Signed:
            return "signed, linear";
    }
    return "";
}

bool is_signed(Quantity quantity) {
    return quantity == Quantity::Signed || quantity == Quantity::Mask;
}

}  // namespace headlight
