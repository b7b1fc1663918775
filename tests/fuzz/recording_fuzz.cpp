// Fuzz target: recorded attention; what is opened is read, the first and the last row.
#include "fuzz/fuzz_target.h"
#include "io/arrays/recording.h"
#include "text/utf8.h"
#include "text/words.h"

using namespace headlight;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes = fuzz::bytes_of(data, size);
    fuzz::expect_only_errors([&] {
        const RecordedStudy study = read_recording(bytes_in_memory(bytes, "input"));
        const std::vector<std::string>&tokens = study.text.tokens, &source = study.text.source;
        fuzz::expect(!tokens.empty() && tokens.size() <= kMaxWords && source.size() <= kMaxWords);
        for (const std::string& token : tokens) fuzz::expect(!find_invalid_utf8(token));
        RecordedMatrix matrix{.text = study.text_number};
        for (const RecordedAttention& attention : study.attentions) {
            fuzz::expect(attention.n_layers >= 1 && attention.n_heads >= 1);
            const bool is_of_edges = attention.kind == RecordedKind::Edges;
            if (is_of_edges && !study.text.graph) continue;
            const bool is_of_source = attention.kind == RecordedKind::Source;
            const std::size_t n_edges = is_of_edges ? study.text.graph->edges.size() : 0;
            if (is_of_edges && n_edges == 0) continue;
            const auto n = static_cast<Index>(is_of_edges    ? n_edges
                                              : is_of_source ? source.size()
                                                             : tokens.size());
            const bool is_self = attention.kind == RecordedKind::Self;
            Matrix row(1, static_cast<Index>(is_of_edges ? 1
                                             : is_self   ? tokens.size()
                                                         : source.size()));
            matrix.layer = matrix.head = 0;
            study.source->read(recorded_number(study.attentions, matrix), 0, view(row));
            matrix.layer = attention.n_layers - 1;
            matrix.head = attention.heads_in(matrix.layer) - 1;
            study.source->read(recorded_number(study.attentions, matrix), n - 1, view(row));
            ++matrix.attention;
        }
    });
    return 0;
}
