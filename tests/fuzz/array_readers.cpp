// Readers of arrays and recordings; exports are written and read again.
#include <cstring>
#include <memory>

#include "core/trace.h"
#include "fuzz/expectations.h"
#include "fuzz/readers.h"
#include "io/arrays/npy.h"
#include "io/arrays/npz.h"
#include "io/arrays/recording.h"
#include "io/arrays/recording_index.h"
#include "io/arrays/safetensors.h"
#include "io/exporters.h"
#include "io/pictures/figure_svg.h"
#include "io/text/csv.h"
#include "io/text/labelled_table.h"
#include "text/utf8.h"
#include "text/words.h"
#include "traces.h"

namespace headlight::fuzz {
namespace {

constexpr std::size_t kMostNumbers = 64;

Matrix take_numbers(std::string_view& bytes) {
    const auto n_columns = static_cast<Index>(1 + (bytes.empty() ? 0 : bytes[0] & 7));
    bytes.remove_prefix(std::min<std::size_t>(1, bytes.size()));
    std::vector<Scalar> numbers;
    while (bytes.size() >= sizeof(float) && numbers.size() < kMostNumbers) {
        float number = 0;
        std::memcpy(&number, bytes.data(), sizeof number);
        bytes.remove_prefix(sizeof number);
        if (number == 0) break;
        numbers.push_back(number);
    }
    numbers.resize(std::max<std::size_t>(1, numbers.size() / static_cast<std::size_t>(n_columns)) *
                   static_cast<std::size_t>(n_columns));
    return Eigen::Map<const Matrix>(numbers.data(), static_cast<Index>(numbers.size()) / n_columns,
                                    n_columns);
}

std::vector<std::string> labels_of(std::string_view bytes, std::size_t n) {
    std::vector<std::string> labels;
    while (labels.size() < n) {
        const std::size_t end = std::min(bytes.find('\n'), bytes.size());
        labels.push_back(repair_utf8(bytes.substr(0, end)));
        bytes.remove_prefix(std::min(end + 1, bytes.size()));
    }
    return labels;
}

bool is_same(const Matrix& a, const Matrix& b) {
    const auto is_equal = [](Scalar x, Scalar y) {
        return x == y || (std::isnan(x) && std::isnan(y));
    };
    return a.rows() == b.rows() && a.cols() == b.cols() &&
           std::equal(a.data(), a.data() + a.size(), b.data(), is_equal);
}

void expect_xml(const std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint c = decode_code_point(text, at);
        const bool is_control = c.value < 0x20 && c.value != '\n' && c.value != '\t';
        expect(c.is_valid && !is_control && c.value != 0xFFFE && c.value != 0xFFFF);
        at += c.size_bytes;
    }
}

}  // namespace

void try_npy(std::string_view bytes) {
    expect_only_errors([&] { static_cast<void>(read_npy(bytes, "input")); });
}

void try_npz(std::string_view bytes) {
    expect_only_errors([&] { static_cast<void>(read_npz(bytes, "input")); });
}

void try_safetensors(std::string_view bytes) {
    expect_only_errors([&] { static_cast<void>(read_safetensors(bytes, "input")); });
}

void try_recording(std::string_view bytes) {
    expect_only_errors([&] {
        const RecordedStudy study = read_recording(bytes_in_memory(bytes, "input"));
        const std::vector<std::string>&tokens = study.text.tokens, &source = study.text.source;
        expect(!tokens.empty() && tokens.size() <= kMaxWords && source.size() <= kMaxWords);
        for (const std::string& token : tokens) expect(!find_invalid_utf8(token));
        RecordedMatrix matrix{.text = study.text_number};
        for (const RecordedAttention& attention : study.attentions) {
            expect(attention.n_layers >= 1 && attention.n_heads >= 1);
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
}

void try_recording_index(std::string_view bytes) {
    expect_only_errors([&] {
        const RecordingIndex index =
            read_recording_index({"input", parse_json(bytes, "input")}, ShardsAre::Beside);
        expect(!index.texts->empty() && !index.attentions.empty());
        const RecordedAttention& last = index.attentions.back();
        const RecordedMatrix matrix{static_cast<Index>(index.texts->size()) - 1,
                                    static_cast<int>(index.attentions.size()) - 1,
                                    last.n_layers - 1, RecordedPart::Pattern,
                                    last.heads_in(last.n_layers - 1) - 1};
        const Index number = recorded_number(index.attentions, matrix);
        expect(recorded_matrix(index.attentions, number) == matrix);
        const RecordedPiece& piece = index.piece_with(matrix);
        expect(static_cast<std::size_t>(piece.shard) < index.shards.size());
        for (const std::string& shard : index.shards)
            expect(shard != ".." && shard.find('/') == std::string::npos);
    });
}

void try_exports(std::string_view bytes) {
    const Matrix values = take_numbers(bytes);
    Plan plan;
    const auto n = static_cast<std::size_t>(std::max(values.rows(), values.cols()));
    plan.lists[0].names = std::make_shared<const std::vector<std::string>>(labels_of(bytes, n));
    plan.add({.path = "A",
              .symbol = "A",
              .equation = "A",
              .rows = {AxisKind::Query, values.rows()},
              .columns = {AxisKind::Key, values.cols()}});
    const Trace trace = trace_with(std::move(plan), {values});
    const Tensor& tensor = trace.at("A");
    expect(is_same(read_csv(write_csv(trace, tensor), "input").values, values));
    expect(is_same(read_csv(write_tsv(trace, tensor), "input").values, values));
    expect(is_same(read_npy(write_npy(values), "input"), values));
    for (const ArchiveFormat& format : archive_formats())
        expect(is_same(format.read(write_archive(format, {&tensor}), "a").at(0).second, values));
    Figure figure{100, 20, {}};
    figure.add(TextMark{{5, 15}, (*trace.lists()[0].names)[0], 12, {0, 0, 0}});
    expect_xml(write_svg(figure, {}));
    expect(std::ranges::count(write_latex_table(trace, tensor), '\n') == 7 + values.rows());
    expect(std::ranges::count(write_markdown_table(trace, tensor), '\n') == 2 + values.rows());
}

}  // namespace headlight::fuzz
