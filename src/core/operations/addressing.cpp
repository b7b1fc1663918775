#include "core/operations/addressing.h"

#include "core/error.h"
#include "core/operations/address_operations.h"
#include "core/operations/operations.h"

namespace headlight {

const Operation& addressing_operation(Addressing addressing) {
    switch (addressing) {
        case Addressing::Softmax:
            return operations::softmax_rows;
        case Addressing::Hard:
            return operations::hard_rows;
        case Addressing::TopK:
            return operations::top_k_rows;
        case Addressing::Sparsemax:
            return operations::sparsemax_rows;
        case Addressing::Entmax:
            return operations::entmax_rows;
    }
    throw Error("attention", "this addressing is unknown");
}

std::string addressed_text(Addressing addressing, int top_k, const std::string& scores) {
    switch (addressing) {
        case Addressing::Softmax:
            return "softmax(" + scores + ")";
        case Addressing::Hard:
            return "1 at the row's largest " + scores;
        case Addressing::TopK:
            return "softmax of the row's " + std::to_string(top_k) + " largest";
        case Addressing::Sparsemax:
            return "sparsemax(" + scores + ")";
        case Addressing::Entmax:
            return "entmax_{1.5}(" + scores + ")";
    }
    return {};
}

}  // namespace headlight
