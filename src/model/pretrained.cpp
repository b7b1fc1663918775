#include "model/pretrained.h"

#include <algorithm>

#include "core/analyses/head_metrics.h"
#include "core/error.h"
#include "core/operations/operations.h"
#include "model/evaluate.h"
#include "text/shown_tokens.h"
#include "text/words.h"

namespace headlight {
namespace {

/// The share of the machine's memory that weights may fill.
constexpr double kMostOfMemory = 0.4;

/// True of rows of learned positions: a shorter text has fewer of them.
bool are_learned_positions(const PlannedTensor& tensor) {
    return tensor.rows.kind == AxisKind::Item || tensor.rows.kind == AxisKind::Position;
}

bool fits(const PlannedTensor& tensor, const PretrainedMatrix& matrix) {
    if (tensor.columns.size != matrix.columns) return false;
    return tensor.rows.size == matrix.rows ||
           (are_learned_positions(tensor) && tensor.rows.size < matrix.rows);
}

void check_length(const PlannedTensor& tensor, const PretrainedMatrix& matrix,
                  const PretrainedModel& model) {
    if (!are_learned_positions(tensor) || tensor.rows.size <= matrix.rows) return;
    if (!model.tokenizer)
        throw Error(model.name,
                    "reads {} items; the picture has {}: its patches are of another size",
                    matrix.rows, tensor.rows.size);
    throw Error(model.name, "reads at most {} tokens; the text has {}: leave some out", matrix.rows,
                tensor.rows.size);
}

bool is_list_of_tokens(const ItemList& list) {
    return list.noun == "token" || list.noun == "source token" || list.noun == "target token" ||
           list.noun == "word to write";
}

/// True of three ASCII letters or more, beside the mark of a word: "Ġcat", "▁cat", "cat".
bool is_word_of_letters(std::string_view piece) {
    for (const std::string_view mark : {"Ġ", "▁"})
        if (piece.starts_with(mark)) piece.remove_prefix(mark.size());
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    return piece.size() >= 3 && std::ranges::all_of(piece, is_letter);
}

void show_pieces(ItemList& list, const PretrainedModel& model) {
    if (list.names == model.pieces) {
        list.shown = model.shown_pieces;
        return;
    }
    Words shown;
    for (const std::string& piece : *list.names) {
        const auto id = model.tokenizer->find_id(piece);
        shown.push_back(id ? model.tokenizer->shown_piece(*id) : piece);
    }
    list.shown = std::make_shared<const Words>(std::move(shown));
}

}  // namespace

Words tokens_of_text(const PretrainedModel& model, std::string_view text) {
    if (!model.tokenizer) throw Error(model.name, "reads no text");
    Words tokens;
    for (const Token& token : model.tokenizer->encode(text))
        tokens.push_back(model.tokenizer->piece_at(token.id));
    return tokens;
}

Words tokens_of_target(const PretrainedModel& model, std::string_view text) {
    Words tokens = tokens_of_text(model, text);
    if (!tokens.empty() && tokens.back() == model.end_piece) tokens.pop_back();
    return tokens;
}

std::string text_with_token(const PretrainedModel& model, const std::string& text,
                            const std::string& token) {
    if (!model.tokenizer) throw Error(model.name, "reads no text");
    std::vector<PieceId> ids;
    for (const Token& each : model.tokenizer->encode(text))
        if (each.origin == TokenOrigin::FirstText) ids.push_back(each.id);
    const std::string before = model.tokenizer->decode(ids);
    const auto id = model.tokenizer->find_id(token);
    if (!id) throw Error(model.name, "has no token '{}'", token);
    ids.push_back(*id);
    const std::string after = model.tokenizer->decode(ids);
    return after.starts_with(before) ? text + after.substr(before.size()) : after;
}

WordTable word_table(const SharedModel& model) {
    return {model->pieces,
            [model](const std::string& piece) {
                auto id = model->tokenizer->find_id(piece);
                if (!id && piece == kStartWord) id = model->tokenizer->find_id(model->start_piece);
                if (!id && piece == kEndWord) id = model->tokenizer->find_id(model->end_piece);
                return id ? static_cast<Index>(*id) : kNoRow;
            },
            model->plain_pieces, PlaceNames::Read};
}

SharedNames choose_plain_pieces(const SharedNames& pieces) {
    Words words, plain;
    for (const std::string& piece : *pieces) {
        // This also excludes "<0x0A>", a byte, and "<row 7>", which is no piece.
        if (is_special_token(piece) || is_punctuation_token(piece)) continue;
        plain.push_back(piece);
        if (is_word_of_letters(piece)) words.push_back(piece);
    }
    const auto is_enough = [](const Words& some) { return std::ssize(some) >= kProbeWords; };
    if (is_enough(words)) return std::make_shared<const Words>(std::move(words));
    return is_enough(plain) ? std::make_shared<const Words>(std::move(plain)) : pieces;
}

void take_model(Plan& plan, const SharedModel& model, const std::string& origin) {
    const bool is_large = model->size_bytes > kMostOfMemory * memory_bytes();
    const auto take = [&](PlannedTensor& tensor, const PretrainedMatrix& matrix) {
        if (!fits(tensor, matrix)) return;
        tensor.settings = {.begin = matrix.number,
                           .source = model->source,
                           .stored = std::make_shared<const StoredMatrix>(
                               StoredMatrix{nullptr, tensor.operation, origin})};
        tensor.operation = &operations::fetched_weight;
        if (is_large) tensor.keep = Keep::OnDemand;
    };
    const std::string probe = Location{.network = Network::Probe}.path() + ".";
    for (const auto& [path, matrix] : model->matrices) {
        if (PlannedTensor* tensor = find_weight(plan, path)) {
            check_length(*tensor, matrix, *model);
            take(*tensor, matrix);
        }
        // The probe shares all weights but those of its positions.
        if (PlannedTensor* tensor = find_weight(plan, probe + path)) take(*tensor, matrix);
    }
    if (!model->tokenizer) return;
    for (ItemList& list : plan.lists)
        if (list.names && (is_list_of_tokens(list) || list.names == model->pieces))
            show_pieces(list, *model);
}

std::vector<std::string> dormant_matrices(const Plan& plan, const PretrainedModel& model) {
    std::vector<std::string> dormant;
    for (const auto& [path, matrix] : model.matrices) {
        const PlannedTensor* tensor = plan.find(path);
        if (!tensor || tensor->operation != &operations::fetched_weight) dormant.push_back(path);
    }
    return dormant;
}

}  // namespace headlight
