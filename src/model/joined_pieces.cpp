#include "model/joined_pieces.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "core/batch.h"
#include "core/error.h"
#include "core/pattern_rows.h"
#include "model/changes.h"
#include "model/evaluate.h"
#include "model/pretrained.h"
#include "text/word_pieces.h"

namespace headlight {
namespace {

constexpr const char* kPlace = "words";

struct TextRuns {
    std::vector<PieceRun> tokens, source;
};

/// Appends the words that the tokens are parts of.
std::vector<PieceRun> take_words(const std::vector<std::string>& tokens,
                                 const std::vector<std::string>& alike,
                                 std::vector<std::string>& names) {
    std::vector<PieceRun> runs;
    for (PieceWord& word : words_of_pieces(tokens, alike)) {
        names.push_back(std::move(word.word));
        runs.push_back({static_cast<Index>(word.first), static_cast<Index>(word.count)});
    }
    return runs;
}

/// Returns the tokens of a few words, in which a tokenizer shows its marks; none for a study
/// without a tokenizer.
std::vector<std::string> tokens_with_marks(const Document& document) {
    const SharedModel model = document.weights ? document.weights->model : nullptr;
    if (!model || !model->tokenizer) return {};
    return tokens_of_text(*model, "a a");
}

/// The paths of a plan's patterns by the numbers of a recording: attention, layer, head.
using PatternPaths = std::vector<std::vector<std::vector<std::string>>>;

/// Reads joined patterns; it keeps the study evaluated for the text whose patterns were read last.
class JoinedPatterns {
  public:
    JoinedPatterns(std::shared_ptr<const Document> document, RecordedAttentions attentions,
                   PatternPaths paths, std::vector<TextRuns> runs)
        : document_(std::move(document)),
          attentions_(std::move(attentions)),
          paths_(std::move(paths)),
          runs_(std::move(runs)) {}

    void read(Index number, Index first_row, View rows) {
        const RecordedMatrix matrix = recorded_matrix(attentions_, number);
        const RecordedKind kind = attentions_[static_cast<std::size_t>(matrix.attention)].kind;
        const TextRuns& runs = runs_[static_cast<std::size_t>(matrix.text)];
        const auto& queries = kind == RecordedKind::Source ? runs.source : runs.tokens;
        const auto& keys = reads_tokens(kind) ? runs.tokens : runs.source;
        const std::span asked = std::span(queries).subspan(static_cast<std::size_t>(first_row),
                                                           static_cast<std::size_t>(rows.rows()));
        if (asked.empty()) return;
        const MatrixPtr pattern = pattern_of(matrix);
        const Index begin = asked.front().first, end = asked.back().first + asked.back().count;
        const Matrix pieces = pattern->middleRows(begin, end - begin);
        join_pieces(view(pieces), asked, keys, rows);
    }

  private:
    MatrixPtr pattern_of(const RecordedMatrix& matrix) {
        const std::lock_guard lock(mutex_);
        if (pattern_ && matrix == which_) return pattern_;
        if (!trace_ || matrix.text != which_.text) evaluate_text(matrix.text);
        const std::string& path =
            paths_[static_cast<std::size_t>(matrix.attention)]
                  [static_cast<std::size_t>(matrix.layer)][static_cast<std::size_t>(matrix.head)];
        pattern_ = compute_value(*trace_, trace_->id_at(path));
        which_ = matrix;
        return pattern_;
    }

    void evaluate_text(Index text) {
        pattern_ = nullptr;
        const Watched nothing{.everything = false, .globs = {}};
        if (!document_->recorded()) {
            if (!whole_) whole_.emplace(evaluate(*document_, nullptr, nothing));
            trace_.emplace(trace_of_sentence(*whole_, text));
            return;
        }
        Document shown = *document_;
        choose_recorded_text(shown, static_cast<int>(text));
        trace_.emplace(evaluate(shown, nullptr, nothing));
    }

    const std::shared_ptr<const Document> document_;
    const RecordedAttentions attentions_;
    const PatternPaths paths_;
    const std::vector<TextRuns> runs_;

    std::mutex mutex_;
    std::optional<Trace> whole_, trace_;
    RecordedMatrix which_;
    MatrixPtr pattern_;
};

std::optional<RecordedKind> kind_of(const Identity& identity) {
    if (identity.role != Role::Pattern || identity.head < 0) return std::nullopt;
    const bool is_read = identity.component == ComponentKind::CrossAttention;
    if (!is_read && identity.component != ComponentKind::Attention) return std::nullopt;
    switch (identity.network) {
        case Network::Encoder:
        case Network::Source:
            return is_read ? std::nullopt : std::optional(RecordedKind::Source);
        case Network::Main:
        case Network::Target:
        case Network::Decoder:
            return is_read ? RecordedKind::Cross : RecordedKind::Self;
        default:
            return std::nullopt;
    }
}

/// The patterns of all heads in a plan.
class FoundPatterns {
  public:
    explicit FoundPatterns(const Plan& plan) {
        for (const PlannedTensor& tensor : plan.tensors())
            if (const auto kind = kind_of(tensor.identity)) add(*kind, tensor);
        if (attentions.empty())
            throw Error(kPlace, "the study has no patterns of heads that could be joined");
    }

    RecordedAttentions attentions;
    PatternPaths paths;

  private:
    void add(RecordedKind kind, const PlannedTensor& tensor) {
        auto found = std::ranges::find(attentions, kind, &RecordedAttention::kind);
        if (found == attentions.end()) {
            found = attentions.insert(found, {.kind = kind, .n_layers = 0, .n_heads = 0});
            paths.emplace_back();
        }
        auto& layers = paths[static_cast<std::size_t>(found - attentions.begin())];
        const auto layer = static_cast<std::size_t>(std::max(0, tensor.identity.layer));
        if (layer >= layers.size()) layers.resize(layer + 1);
        layers[layer].push_back(tensor.path);
        found->n_layers = static_cast<int>(layers.size());
        found->n_heads = std::max(found->n_heads, static_cast<int>(layers[layer].size()));
    }
};

/// Returns the tokens of every text, without padding.
std::vector<RecordedText> texts_of(const Document& document, const std::shared_ptr<const Plan>& p) {
    if (const RecordedStudy* recorded = document.recorded())
        return recorded->texts ? *recorded->texts : std::vector{recorded->text};
    if (document.alignment()) return {{.tokens = p->items(1), .source = p->items(0)}};
    std::vector<RecordedText> texts;
    for (Index s = 0; s < count_sentences(*p); ++s) {
        std::vector<std::string> tokens = plan_of_sentence(p, s)->items();
        tokens.resize(static_cast<std::size_t>(count_before_padding(tokens)));
        texts.push_back({.tokens = std::move(tokens)});
    }
    return texts;
}

void check_joinable(const Document& document) {
    const RecordedStudy* recorded = document.recorded();
    const AlignmentStudy* alignment = document.alignment();
    if (recorded && recorded->joined) throw Error(kPlace, "its pieces are joined already");
    if (document.graph() || document.image() ||
        (recorded && (recorded->text.graph || recorded->text.patches)))
        throw Error(kPlace, "the study is not about words");
    if (alignment && alignment->mechanism == AlignmentMechanism::Recurrent)
        throw Error(kPlace, "the decoder of a recurrent network has no pattern of a head");
    if (const SharedWeights& weights = document.weights;
        weights && !weights->is_inside && !weights->is_model)
        throw Error(kPlace,
                    "the weights, {}, are in a file beside the study, and its tokens are words",
                    weights->origin);
}

}  // namespace

Document join_pieces(const Document& document, WithoutPieces without) {
    check_joinable(document);
    const std::shared_ptr<const Plan> pieces = plan(document);
    std::vector<RecordedText> texts = texts_of(document, pieces);
    FoundPatterns found(*pieces);
    const std::vector<std::string> alike = tokens_with_marks(document);
    std::vector<TextRuns> runs;
    bool has_any = false;
    for (RecordedText& text : texts) {
        RecordedText words;
        runs.push_back({take_words(text.tokens, alike, words.tokens),
                        take_words(text.source, alike, words.source)});
        has_any = has_any || words.tokens.size() < text.tokens.size() ||
                  words.source.size() < text.source.size();
        text = std::move(words);
    }
    if (!has_any && without == WithoutPieces::Refused)
        throw Error(kPlace,
                    "no token goes on another one: none has a mark of that, such as ##, ▁ or Ġ");

    RecordedStudy study;
    study.joined = std::make_shared<const Document>(document);
    study.attentions = found.attentions;
    const auto patterns = std::make_shared<JoinedPatterns>(study.joined, found.attentions,
                                                           std::move(found.paths), std::move(runs));
    study.source = std::make_shared<const MatrixSource>(
        MatrixSource{[patterns](Index matrix, Index first_row, View rows) {
            patterns->read(matrix, first_row, rows);
        }});
    const RecordedStudy* recorded = document.recorded();
    study.text_number = recorded ? recorded->text_number : 0;
    study.text = texts[static_cast<std::size_t>(study.text_number)];
    if (texts.size() > 1)
        study.texts = std::make_shared<const std::vector<RecordedText>>(std::move(texts));
    Document joined;
    joined.study = std::move(study);
    return joined;
}

void reopen_joined(RecordedStudy& study) {
    Document again = join_pieces(*study.joined, WithoutPieces::Allowed);
    choose_recorded_text(again, study.text_number);
    RecordedStudy& opened = *again.recorded();
    if (opened.text.tokens != study.text.tokens || opened.text.source != study.text.source)
        throw Error(kPlace, "the words are not those that the study was saved with");
    study = std::move(opened);
}

}  // namespace headlight
