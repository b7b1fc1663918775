#include "text/subwords/text_normalizer.h"

#include <algorithm>
#include <iterator>

#include "text/subwords/byte_letters.h"
#include "text/subwords/character_classes.h"
#include "text/utf8.h"

namespace headlight {
namespace {

/// Leaves out the characters that are not to be kept.
template <typename Keeps>
void filter(AlignedText& text, Keeps keeps) {
    std::vector<ChangedCharacter> kept;
    std::size_t n_first = 0;
    for (const char32_t c : code_points_in(text.text())) {
        if (keeps(c))
            kept.push_back({c, 0});
        else if (kept.empty())
            ++n_first;
        else
            --kept.back().change;
    }
    text.change(kept, n_first);
}

template <typename Change>
void change_each(AlignedText& text, Change changed) {
    std::vector<ChangedCharacter> characters;
    characters.reserve(text.text().size());
    for (const char32_t c : code_points_in(text.text())) characters.push_back({changed(c), 0});
    text.change(characters);
}

void clean_for_bert(AlignedText& text) {
    filter(text,
           [](char32_t c) { return c != 0 && c != kReplacementCharacter && !is_bert_control(c); });
    change_each(text, [](char32_t c) { return is_pattern_blank(c) ? U' ' : c; });
}

void isolate_ideographs(AlignedText& text) {
    std::vector<ChangedCharacter> characters;
    characters.reserve(text.text().size());
    for (const char32_t c : code_points_in(text.text())) {
        const bool is_ideograph = is_bert_ideograph(c);
        if (is_ideograph) characters.push_back({U' ', 0});
        characters.push_back({c, is_ideograph ? 1 : 0});
        if (is_ideograph) characters.push_back({U' ', 1});
    }
    text.change(characters);
}

bool is_nmt_control(char32_t c) {
    return (c >= 1 && c <= 8) || c == 0xB || (c >= 0xE && c <= 0x1F) || c == 0x7F || c == 0x8F ||
           c == 0x9F;
}

bool is_nmt_blank(char32_t c) {
    return c == 9 || c == 0xA || c == 0xC || c == 0xD || c == 0x1680 ||
           (c >= 0x200B && c <= 0x200F) || c == 0x2028 || c == 0x2029 || c == 0x2581 ||
           c == 0xFEFF || c == 0xFFFD;
}

struct Normalize {
    AlignedText& text;

    void operator()(const BertCleaning& step) const {
        if (step.cleans) clean_for_bert(text);
        if (step.isolates_ideographs) isolate_ideographs(text);
        if (step.strips_accents) {
            (*this)(FormChange{UnicodeForm::Nfd});
            filter(text, [](char32_t c) { return !is_bert_accent(c); });
        }
        if (step.lowers_case) (*this)(LowerCase());
    }
    void operator()(const FormChange& step) const {
        text.change(unicode_form(text.text(), step.form));
    }
    void operator()(const LowerCase&) const { text.change(lower_case_characters(text.text())); }
    void operator()(const EndStripping& step) const {
        const std::u32string characters = code_points_in(text.text());
        const auto is_kept = [](char32_t c) { return !is_pattern_blank(c); };
        auto first = characters.begin();
        auto last = characters.end();
        if (step.at_begin) first = std::find_if(first, last, is_kept);
        if (step.at_end)
            last = std::find_if(characters.rbegin(), std::make_reverse_iterator(first), is_kept)
                       .base();
        std::vector<ChangedCharacter> kept;
        for (auto at = first; at != last; ++at) kept.push_back({*at, 0});
        text.change(kept, static_cast<std::size_t>(first - characters.begin()));
    }
    void operator()(const Replacement& step) const {
        text.replace(step.pattern.parts_in(text.text()), step.content);
    }
    void operator()(const Prefix& step) const { text.prepend(step.text); }
    void operator()(const ByteLettering&) const { write_as_byte_letters(text); }
    void operator()(const CharacterMapping& step) const {
        text.change(step.map->apply(text.text()));
    }
    void operator()(const NmtCleaning&) const {
        filter(text, [](char32_t c) { return !is_nmt_control(c); });
        change_each(text, [](char32_t c) { return is_nmt_blank(c) ? U' ' : c; });
    }
};

}  // namespace

void normalize_text(AlignedText& text, const TextNormalizer& normalizer) {
    std::visit(Normalize{text}, normalizer);
}

void write_as_byte_letters(AlignedText& text) {
    std::vector<ChangedCharacter> letters;
    letters.reserve(text.text().size());
    for (const char byte : text.text()) {
        const auto value = static_cast<unsigned char>(byte);
        letters.push_back({byte_letters()[value], (value & 0xC0) == 0x80 ? 1 : 0});
    }
    text.change(letters);
}

}  // namespace headlight
