#include "core/operations/normalizer.h"

#include "core/error.h"
#include "core/operations/normalizer_operations.h"
#include "core/operations/operations.h"

namespace headlight {

const Operation& normalizer_operation(Normalizer normalizer) {
    switch (normalizer) {
        case Normalizer::Softmax:
            return operations::softmax_rows;
        case Normalizer::Hard:
            return operations::hard_rows;
        case Normalizer::TopK:
            return operations::top_k_rows;
        case Normalizer::Sparsemax:
            return operations::sparsemax_rows;
        case Normalizer::Entmax:
            return operations::entmax_rows;
    }
    throw Error("attention", "this normalizer is unknown");
}

std::string normalized_text(Normalizer normalizer, int top_k, const std::string& scores) {
    switch (normalizer) {
        case Normalizer::Softmax:
            return "softmax(" + scores + ")";
        case Normalizer::Hard:
            return "1 at the row's largest " + scores;
        case Normalizer::TopK:
            return "softmax of the row's " + std::to_string(top_k) + " largest";
        case Normalizer::Sparsemax:
            return "sparsemax(" + scores + ")";
        case Normalizer::Entmax:
            return "entmax_{1.5}(" + scores + ")";
    }
    return {};
}

}  // namespace headlight
