// The list of settings: their descriptions and their values.
#include <cctype>
#include <doctest/doctest.h>
#include <set>

#include "model/presets.h"
#include "model/settings/setting_text.h"
#include "model/settings/study_settings.h"

namespace headlight::settings_test {
namespace {

/// Checks the rules for every field.
class FieldCheck {
  public:
    void section(const char* label) { CHECK(std::isupper(label[0])); }
    void number(const Field& field, auto& value, auto range) {
        check(field);
        CHECK(range.low < range.high);
        CHECK(is_within(value, range));
    }
    void widths(const Field& field, Widths& value, WidthRange range) {
        check(field);
        CHECK(is_within(value, range));
    }
    void choice(const Field& field, auto& value, const auto& words) {
        check(field);
        CHECK(!word_for(words, value).empty());
        std::set<std::string_view> known;
        for (std::size_t i = 0; i < words.size(); ++i) {
            CHECK(known.insert(words[i].first).second);
            CHECK(static_cast<std::size_t>(words[i].second) ==
                  i);  // no value of the enum is missing
        }
    }
    void flag(const Field& field, Switch&) { check(field); }
    void group(const Field& field, auto& settings) {
        check(field);
        FieldCheck nested;
        visit_fields(settings, nested);
    }

  private:
    void check(const Field& field) {
        INFO(field.key);
        CHECK(keys_.insert(field.key).second);
        CHECK(std::isupper(field.label[0]));
        const std::string help = field.help;
        CHECK(std::isupper(help[0]));
        CHECK(help.ends_with('.'));
        CHECK(help.find('|') == std::string::npos);  // it would end a table's column
    }

    std::set<std::string> keys_;
};

/// Collects the keys of the settings that have an effect.
class Relevance {
  public:
    void section(const char*) {}
    void number(const Field& field, auto&, auto) { add(field); }
    void widths(const Field& field, Widths&, WidthRange) { add(field); }
    void choice(const Field& field, auto&, const auto&) { add(field); }
    void flag(const Field& field, Switch&) { add(field); }
    void group(const Field& field, auto& settings) {
        if (field.is_relevant) visit_fields(settings, *this);
    }
    std::set<std::string> keys;

  private:
    void add(const Field& field) {
        if (field.is_relevant) keys.insert(field.key);
    }
};

std::set<std::string> mattering(auto settings) {
    Relevance visit;
    visit_fields(settings, visit);
    return visit.keys;
}

}  // namespace

TEST_CASE(
    "settings: every field of every preset has a label, a description, and a value in range") {
    for (const Preset& preset : presets()) {
        INFO(preset.name);
        Document document = preset.make();
        FieldCheck check;
        std::visit([&](auto& study) { visit_fields(study, check); }, document.study);
    }
}

TEST_CASE("settings: other settings decide which ones have an effect") {
    AttentionSettings attention;
    for (const char* key : {"d_hidden", "top_k", "max_distance", "n_buckets", "alpha"})
        CHECK(!mattering(attention).contains(key));
    attention.score = Score::Additive;
    CHECK(mattering(attention).contains("d_hidden"));
    attention.normalizer = Normalizer::TopK;
    CHECK(mattering(attention).contains("top_k"));
    attention.relative = RelativePositions::Buckets;
    CHECK(mattering(attention).contains("n_buckets"));
    CHECK(mattering(attention).contains("max_distance"));
    attention.relative = RelativePositions::Quadratic;
    CHECK(mattering(attention).contains("alpha"));
    CHECK(!mattering(attention).contains("n_buckets"));

    AlignmentStudy study;
    CHECK(!mattering(study).contains("cell"));
    study.mechanism = AlignmentMechanism::Recurrent;
    CHECK(mattering(study).contains("cell"));
    CHECK(!mattering(study).contains("n_layers"));
}

TEST_CASE("settings: values have texts, and changes have names") {
    CHECK(setting_text(4) == "4");
    CHECK(setting_text(0.2f) == "0.2");
    CHECK(setting_text(Widths{{8, 4, 4}}) == "8, 4, 4");
    CHECK(spoken("scaled_dot") == "scaled dot");
    CHECK(range_text(Range{0.01f, 100.0f}) == "0.01 to 100");
    CHECK(change_name({"n_heads", "Heads", ""}, "4") == "Set heads to 4");
    CHECK(change_name({"mlp", "MLP", ""}, "relu") == "Set MLP to relu");
    CHECK(change_name({"causal", "Causal", ""}, Switch::Off) == "Set causal off");
}

TEST_CASE("settings: widths are one number or a list, and nothing else") {
    CHECK(parse_widths("8", kWidths) == Widths{{8}});
    CHECK(parse_widths("4, 0", kWindows) == Widths{{4, 0}});
    CHECK(!parse_widths("4, 0", kHeadWidths));
    CHECK(parse_widths(" 8 , 4,4 ", kWidths) == Widths{{8, 4, 4}});
    for (const char* text : {"", "8,", ",8", "8 4", "0", "100001", "8.5", "eight", "99999999999"})
        CHECK_MESSAGE(!parse_widths(text, kWidths), text);
    std::string many = "1";
    for (int k = 0; k < kMaxHeads; ++k) many += ",1";
    CHECK(!parse_widths(many, kWidths));
}

}  // namespace headlight::settings_test
