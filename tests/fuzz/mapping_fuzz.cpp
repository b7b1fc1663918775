// Fuzz target: mappings of arrays to tensors; what is read is written and read again the same.
#include "fuzz/fuzz_target.h"
#include "model/imports/tensor_mapping.h"

using namespace headlight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const ArrayShape array{"W", 24, 8};
    fuzz::expect_only_errors([&] {
        const TensorMapping mapping = parse_mapping(fuzz::bytes_of(data, size), {array});
        const MappedShape shape = mapped_shape(mapping, array);
        fuzz::expect(shape.rows >= 1 && shape.columns >= 1);
        fuzz::expect(shape.rows * shape.columns <= array.rows * array.columns);
        fuzz::expect(parse_mapping(mapping_text(mapping, array), {array}) == mapping);
    });
    return 0;
}
