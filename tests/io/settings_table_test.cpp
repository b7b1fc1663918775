// The tables of settings in docs/study-format.md must match model/settings/settings.h.
#include <doctest/doctest.h>

#include "io/files/file.h"
#include "model/settings/setting_text.h"
#include "model/settings/study_settings.h"
#include "source_folder.h"

namespace headlight::settings_table_test {
namespace {

/// A table with one row per setting; nested settings have their own table.
class SettingsTable {
  public:
    void section(const char*) {}
    void number(const Field& field, auto& value, auto range) {
        add(field, range_text(range), setting_text(value));
    }
    void widths(const Field& field, Widths& value, WidthRange range) {
        add(field, range_text(range) + ", or a list: one for each " + field.each,
            setting_text(value));
    }
    template <typename Choice, std::size_t n>
    void choice(const Field& field, Choice& value, const EnumNames<Choice, n>& words) {
        std::string allowed;
        for (const auto& [word, meaning] : words)
            allowed += (allowed.empty() ? "" : ", ") + as_code('"' + std::string(word) + '"');
        add(field, allowed, as_code('"' + std::string(word_for(words, value)) + '"'));
    }
    void flag(const Field& field, Switch& value) {
        add(field, "`true`, `false`", value == Switch::On ? "`true`" : "`false`");
    }
    void group(const Field& field, auto&) { add(field, "an object", "its defaults"); }

    const std::string& text() const { return text_; }

  private:
    static std::string as_code(const std::string& text) { return "`" + text + "`"; }
    void add(const Field& field, const std::string& allowed, const std::string& initial) {
        text_ += "| " + as_code(field.key) + " | " + field.help + " | " + allowed + " | " +
                 initial + " |\n";
    }

    std::string text_ = "| key | what it is | allowed | default |\n|---|---|---|---|\n";
};

template <typename Settings>
std::string table_of() {
    Settings settings;
    SettingsTable table;
    visit_fields(settings, table);
    return table.text();
}

}  // namespace

TEST_CASE("docs/study-format.md: the tables of settings match the program") {
    const std::string page = read_file(source_folder() / "docs/study-format.md");
    for (const std::string& table :
         {table_of<SentenceStudy>(), table_of<AlignmentStudy>(), table_of<GraphStudy>(),
          table_of<ImageStudy>(), table_of<StackSettings>(), table_of<AttentionSettings>(),
          table_of<MaskSettings>(), table_of<BlockSettings>(), table_of<RecurrentSettings>(),
          table_of<GraphSettings>(), table_of<ImageSettings>()})
        CHECK_MESSAGE(page.find(table) != std::string::npos, "the page lacks\n" << table);
}

}  // namespace headlight::settings_table_test
