#include "cli/readout/sweep_prompts.h"

#include <algorithm>
#include <array>

#include "graph/text_lines.h"
#include "io/files/file.h"

namespace headlight {
namespace {

constexpr std::array kPromptColumns = {"text", "of", "minus", "from"};

class PromptTable {
  public:
    PromptTable(TextLines& lines, Separator separator) : lines_(lines), separator_(separator) {}

    std::vector<SweepPrompt> read() {
        if (!lines_.next()) return {};
        read_head();
        std::vector<SweepPrompt> prompts;
        while (lines_.next())
            if (!without_blanks(lines_.line()).empty()) prompts.push_back(read_prompt());
        return prompts;
    }

  private:
    void read_head() {
        for (const std::string_view cell : cells_.split(lines_.line(), separator_)) {
            const auto at = std::ranges::find(kPromptColumns, cell);
            if (at == kPromptColumns.end())
                lines_.fail(
                    "'" + std::string(cell) +
                    "' is no column of prompts; the first line names text, of, minus, from");
            columns_.emplace_back(*at);
        }
        if (std::ranges::find(columns_, "text") == columns_.end())
            lines_.fail("there is no column text; the first line names text, of, minus, from");
    }

    SweepPrompt read_prompt() {
        const std::vector<std::string_view>& cells = cells_.split(lines_.line(), separator_);
        if (cells.size() > columns_.size())
            lines_.fail("this line has " + std::to_string(cells.size()) + " cells, the first " +
                        std::to_string(columns_.size()));
        SweepPrompt prompt{lines_.number(), ""};
        for (std::size_t k = 0; k < cells.size(); ++k) {
            if (cells[k].empty()) continue;
            const std::string cell(cells[k]);
            if (columns_[k] == "text") prompt.text = cell;
            if (columns_[k] == "of") prompt.of = cell;
            if (columns_[k] == "minus") prompt.minus = cell;
            if (columns_[k] == "from") prompt.from = cell;
        }
        if (prompt.text.empty()) lines_.fail("this line has no text");
        return prompt;
    }

    TextLines& lines_;
    Separator separator_;
    Cells cells_;
    std::vector<std::string> columns_;
};

std::vector<SweepPrompt> read_texts(TextLines& lines) {
    std::vector<SweepPrompt> prompts;
    while (lines.next())
        if (!without_blanks(lines.line()).empty())
            prompts.push_back({lines.number(), std::string(lines.line())});
    return prompts;
}

}  // namespace

std::vector<SweepPrompt> read_prompts(const std::string& file) {
    const std::string bytes = read_file(file), source = path_text(file);
    TextLines lines(bytes, "prompts", source);
    const bool is_csv = file.ends_with(".csv"), is_tsv = file.ends_with(".tsv");
    std::vector<SweepPrompt> prompts =
        is_csv || is_tsv ? PromptTable(lines, is_csv ? Separator::Comma : Separator::Tab).read()
                         : read_texts(lines);
    if (prompts.empty()) lines.fail_whole("there is no prompt");
    return prompts;
}

}  // namespace headlight
