// Tensors and their cells by the names that expressions use.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "expression/expression.h"
#include "expression/expression_node.h"

namespace headlight {

/// The tensors that the name can mean: one if it is known, several if it is ambiguous.
std::vector<TensorId> tensors_called(const NameScope& names, std::string_view name);
/// The only one. Throws Error naming the candidates, or a near name.
TensorId tensor_called(const NameScope& names, std::string_view name, const ExpressionPlace& place);

/// An index as it stands in the brackets.
struct NamedIndex {
    enum class Kind { All, Word, Quoted } kind = Kind::Word;  // a quoted number is first a name
    std::string text = {};
    std::size_t offset = 0;
};

/// The tensor, a row, a column or a cell of it. Of a tensor with one number per edge an index is an
/// edge, two are the node that reads and the one that is read.
Value read_tensor(const ExpressionSide& side, TensorId id, const std::vector<NamedIndex>& indices,
                  const ExpressionPlace& place);

/// The same of a computed value.
Value read_value(const Value& value, const std::vector<NamedIndex>& indices,
                 const ExpressionPlace& place);

/// The number of a setting: "layer.attention.temperature", or "temperature" if only one ends so.
Value read_setting(const ExpressionSide& side, const std::string& path,
                   const ExpressionPlace& place);

}  // namespace headlight
