// Readers of pretrained models and of what is said about them.
#include <utility>

#include "download/http.h"
#include "fuzz/expectations.h"
#include "fuzz/readers.h"
#include "io/arrays/recording.h"
#include "io/models/families.h"
#include "io/tokenizers/read_tokenizer.h"
#include "model/evaluate.h"
#include "model/imports/tensor_mapping.h"
#include "text/utf8.h"

namespace headlight::fuzz {
namespace {

// What a plan costs is the number of heads, which it refuses if it is too large.
constexpr int kMostHeads = 64;

bool is_small(const StackSettings& settings) {
    expect(settings.n_layers >= 1 && settings.d_model >= 1);
    return settings.n_layers * settings.attention.n_heads <= kMostHeads;
}

void plan_network(Study study) {
    if (auto* sentence = std::get_if<SentenceStudy>(&study)) {
        sentence->text = "a b";
        if (!is_small(sentence->layer)) return;
    } else if (auto* alignment = std::get_if<AlignmentStudy>(&study)) {
        alignment->source = alignment->target = "a b";
        if (!is_small(alignment->layer)) return;
    } else {
        return;  // a graph's features are as many as its model reads
    }
    Document document;
    document.study = std::move(study);
    static_cast<void>(plan(document));
}

void expect_sound_tokens(const Tokenizer& tokenizer, const std::string& text) {
    std::vector<PieceId> ids;
    for (const Token& token : tokenizer.encode_pair(text, "a b")) {
        const std::size_t size = token.origin == TokenOrigin::SecondText ? 3 : text.size();
        expect(token.begin <= size && token.end <= size);
        expect(!find_invalid_utf8(tokenizer.shown_piece(token.id)));
        ids.push_back(token.id);
    }
    expect(!find_invalid_utf8(tokenizer.decode(ids)));
}

}  // namespace

void try_model_config(std::string_view input) {
    const std::string bytes(input);
    expect_only_errors([&] {
        const ModelConfig config(bytes, "input");
        plan_network(family_for(config).study(config));
    });
}

void try_tokenizer(std::string_view input) {
    const std::string bytes(input);
    expect_only_errors([&] {
        const auto tokenizer = read_tokenizer_json(bytes, "input");
        expect_sound_tokens(*tokenizer, " Ab a\u0301b, 中12 \n\n\u00a0[CLS]a A b?");
        expect_sound_tokens(*tokenizer, repair_utf8(bytes.substr(0, 500)));
        static_cast<void>(tokenizer->encode(""));
    });
}

void try_tokens(std::string_view input) {
    const std::string bytes(input);
    const auto first = static_cast<unsigned char>(bytes.empty() ? '\0' : bytes[0]);
    for (const std::size_t n_wanted : {std::size_t{2}, std::size_t{first}})
        expect_only_errors([&] {
            for (const std::string& token : read_tokens(bytes, "input", n_wanted))
                expect(!find_invalid_utf8(token));
        });
}

void try_mapping(std::string_view bytes) {
    const ArrayShape array{"W", 24, 8};
    expect_only_errors([&] {
        const TensorMapping mapping = parse_mapping(bytes, {array});
        const MappedShape shape = mapped_shape(mapping, array);
        expect(shape.rows >= 1 && shape.columns >= 1);
        expect(shape.rows * shape.columns <= array.rows * array.columns);
        expect(parse_mapping(mapping_text(mapping, array), {array}) == mapping);
    });
}

void try_http_answer(std::string_view bytes) {
    std::string_view lines = bytes;
    HttpAnswer answer;
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find('\n'), lines.size() - 1) + 1;
        read_header(answer, lines.substr(0, end));
        lines.remove_prefix(end);
    }
    expect(!reason_of(answer).empty());
}

}  // namespace headlight::fuzz
