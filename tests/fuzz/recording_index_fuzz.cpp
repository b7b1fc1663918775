// Fuzz target: the index of a recording of several texts. Every head of it is in one of its pieces.
#include "fuzz/fuzz_target.h"
#include "io/arrays/recording_index.h"

using namespace headlight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = fuzz::bytes_of(data, size);
    fuzz::expect_only_errors([&] {
        const RecordingIndex index =
            read_recording_index({"input", parse_json(bytes, "input")}, ShardsAre::Beside);
        fuzz::expect(!index.texts->empty() && !index.attentions.empty());
        const RecordedAttention& last = index.attentions.back();
        const RecordedMatrix matrix{static_cast<Index>(index.texts->size()) - 1,
                                    static_cast<int>(index.attentions.size()) - 1,
                                    last.n_layers - 1, RecordedPart::Pattern,
                                    last.heads_in(last.n_layers - 1) - 1};
        const Index number = recorded_number(index.attentions, matrix);
        fuzz::expect(recorded_matrix(index.attentions, number) == matrix);
        const RecordedPiece& piece = index.piece_with(matrix);
        fuzz::expect(static_cast<std::size_t>(piece.shard) < index.shards.size());
        for (const std::string& shard : index.shards)
            fuzz::expect(shard != ".." && shard.find('/') == std::string::npos);
    });
    return 0;
}
