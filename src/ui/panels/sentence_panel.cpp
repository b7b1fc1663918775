// The sentences: a text field for each, and the tokens or errors of the text.
#include <algorithm>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/batch.h"
#include "core/operations/mask_operations.h"
#include "model/changes.h"
#include "model/next_word.h"
#include "text/strings.h"
#include "text/words.h"
#include "ui/compat.h"
#include "ui/fonts/drawn_text.h"
#include "ui/panel.h"
#include "ui/panels/origin_view.h"
#include "ui/panels/panels.h"
#include "ui/widgets/widgets.h"
#include "views/answer.h"

namespace headlight {
namespace {

/// Line ends and tabs that are typed or pasted become blanks, or are kept. Where they are kept the
/// field shows them as ⏎ and ⇥.
struct LineEnds {
    bool are_kept = false;  // else they are blanks
};

constexpr long kLeastLines = 2, kMostLines = 7;  // visible lines; beyond the most it scrolls

constexpr ImWchar kLineEndSign = 0x23CE, kTabSign = 0x21E5;  // ⏎ and ⇥
constexpr std::pair<char, const char*> kSigns[] = {{'\n', "\u23CE"}, {'\t', "\u21E5"}};

/// ImGui's text field does not wrap. A sentence has no line breaks of its own, so a space where a
/// line is full is shown as a line break; both are one byte, and the cursor stays where it is.
void wrap_at_spaces(char* text, int size, float width) {
    int line = 0, last_space = -1;
    std::replace(text, text + size, '\n', ' ');
    for (int i = 0; i <= size; ++i) {
        if (i < size && text[i] != ' ') continue;
        if (last_space >= line && ImGui::CalcTextSize(text + line, text + i).x > width) {
            text[last_space] = '\n';
            line = last_space + 1;
        }
        last_space = i;
    }
}

/// The input of the field's callback.
struct Wrapping {
    float width = 0;
    bool selects_all = false;
    LineEnds line_ends = {};
};

/// ImGui takes a tab only where the Tab key makes one; here that key leads on. A field that takes
/// tabs gets no keyboard from ImGui 1.90, so only one that has it can be pasted into.
ImGuiInputTextFlags flags_for(LineEnds line_ends, bool has_focus) {
    const ImGuiInputTextFlags flags =
        ImGuiInputTextFlags_CallbackAlways | ImGuiInputTextFlags_CtrlEnterForNewLine;
    if (!line_ends.are_kept) return flags;
    const ImGuiIO& io = ImGui::GetIO();
    const bool can_be_paste =
        has_focus && (io.KeyCtrl || io.KeySuper || compat::is_key_down(Key::Insert));
    return flags | ImGuiInputTextFlags_CallbackCharFilter |
           (can_be_paste ? ImGuiInputTextFlags_AllowTabInput : 0);
}

int wrap_callback(ImGuiInputTextCallbackData* data) {
    const auto& wrapping = *static_cast<const Wrapping*>(data->UserData);
    if (data->EventFlag == ImGuiInputTextFlags_CallbackCharFilter) {
        if (!wrapping.line_ends.are_kept) return 0;
        // Signs stand for a typed or pasted line end and tab.
        if (data->EventChar == '\n') data->EventChar = kLineEndSign;
        if (data->EventChar == '\t') data->EventChar = kTabSign;
        return 0;
    }
    const std::string before(data->Buf, static_cast<std::size_t>(data->BufTextLen));
    wrap_at_spaces(data->Buf, data->BufTextLen, wrapping.width);
    if (before != std::string_view(data->Buf, before.size())) data->BufDirty = true;
    if (wrapping.selects_all) data->SelectAll();
    return 0;
}

/// Draws the background of a field that has none itself, so that what is drawn now is seen through
/// it.
void draw_background(ImVec2 low, ImVec2 size) {
    ImGui::GetWindowDrawList()->AddRectFilled(low, {low.x + size.x, low.y + size.y},
                                              ImGui::GetColorU32(ImGuiCol_FrameBg),
                                              ImGui::GetStyle().FrameRounding);
}

/// A text field for one sentence, wrapped between words.
///
/// ImGui lays out the letters of a field from left to right in the order in which they are typed.
/// Where some go from right to left, the lines as they read stand in the field while it is not
/// edited, and below it while it is.
class WrappedField {
  public:
    explicit WrappedField(LineEnds line_ends = {}) : line_ends_(line_ends) {}

    /// Draws the field with the document's text; returns the text as the user has changed it. The
    /// field is registered as "text " + name.
    std::optional<std::string> draw(PanelContext& context, const std::string& name,
                                    const std::string& text);
    /// Gives the keyboard to the field when it is drawn next.
    void take_focus() { takes_focus_ = true; }
    /// True if the keyboard was in it at the last draw.
    bool has_focus() const { return has_focus_; }

  private:
    void show(PanelContext& context, const std::string& text);
    std::string text_in_buffer(const PanelContext& context) const;
    float draw_as_read(PanelContext& context, Box box, unsigned int color) const;
    void draw_as_read_below(PanelContext& context, float width) const;

    LineEnds line_ends_;
    bool takes_focus_ = false;
    std::string shown_;   // the document's text that the field was filled with
    std::string buffer_;  // the text in the field
    int filled_ = 0;      // times from outside: what was typed before does not reach a new text
    bool has_focus_ = false;
};

std::optional<std::string> WrappedField::draw(PanelContext& context, const std::string& name,
                                              const std::string& text) {
    if (text != shown_) {
        if (has_focus_) context.edits.end_gesture();
        show(context, text);
        ++filled_;
    }
    context.painter.need_glyphs(line_ends_.are_kept ? text + "\u23CE\u21E5" : text);
    const float width = ImGui::GetContentRegionAvail().x;
    float wrap_width = width - 2 * ImGui::GetStyle().FramePadding.x - 12;
    wrap_at_spaces(buffer_.data(), static_cast<int>(buffer_.size()), wrap_width);
    const auto lines = 1 + std::count(buffer_.begin(), buffer_.end(), '\n');
    const float height = ImGui::GetTextLineHeight() *
                             static_cast<float>(std::clamp(lines, kLeastLines, kMostLines)) +
                         2 * ImGui::GetStyle().FramePadding.y + 4;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool runs_left = has_right_to_left(text);
    const bool reads_inside = runs_left && !has_focus_ && lines <= kMostLines;
    if (reads_inside) {
        draw_background(at, {width, height});
        ImGui::PushStyleColor(ImGuiCol_FrameBg, 0);
        ImGui::PushStyleColor(ImGuiCol_Text, 0);
    }
    // The text is selected, as in a field of one line, when the keyboard leads to it.
    Wrapping wrapping{wrap_width, !has_focus_ && !ImGui::IsMouseDown(ImGuiMouseButton_Left),
                      line_ends_};
    if (takes_focus_) compat::focus_next_item();
    takes_focus_ = false;
    const bool is_edited = ImGui::InputTextMultiline(
        fmt::format("##{}{}", name, filled_).c_str(), &buffer_, {width, height},
        flags_for(line_ends_, has_focus_), wrap_callback, &wrapping);
    if (reads_inside) ImGui::PopStyleColor(2);
    widgets::name_item(context, "text " + name);
    has_focus_ = ImGui::IsItemActive();
    const bool is_left = ImGui::IsItemDeactivated();
    const ImVec2 padding = ImGui::GetStyle().FramePadding;
    if (reads_inside)
        draw_as_read(context, {at.x + padding.x, at.y + padding.y, wrap_width, 0},
                     ImGui::GetColorU32(ImGuiCol_Text));
    else if (runs_left)
        draw_as_read_below(context, wrap_width);
    if (is_left) context.edits.end_gesture();
    // ImGui's Escape would take back all that was typed.
    if (is_left && compat::is_key_pressed(Key::Escape)) {
        show(context, shown_);
        return std::nullopt;
    }
    if (!is_edited) return std::nullopt;
    shown_ = text_in_buffer(context);
    return shown_;
}

std::string WrappedField::text_in_buffer(const PanelContext& context) const {
    std::string text = buffer_;
    std::replace(text.begin(), text.end(), '\n', ' ');
    if (line_ends_.are_kept)
        for (const auto& [letter, sign] : kSigns) text = replaced_all(text, sign, {&letter, 1});
    return context.codes.decode(text);
}

void WrappedField::show(PanelContext& context, const std::string& text) {
    shown_ = text;
    const bool are_blanks = !line_ends_.are_kept;
    buffer_ = context.codes.encode(are_blanks ? on_one_line(text) : text);
    if (are_blanks) return;
    for (const auto& [letter, sign] : kSigns) buffer_ = replaced_all(buffer_, {&letter, 1}, sign);
}

/// Draws its lines from the top of the box, at the right where the text runs from there.
float WrappedField::draw_as_read(PanelContext& context, Box box, unsigned int color) const {
    const std::string text = context.codes.decode(buffer_);
    const bool at_right = runs_right_to_left(text);
    float y = box.y;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string line =
            context.painter.drawn_text(text.substr(begin, end - begin), Font::Regular);
        const float free = box.width - ImGui::CalcTextSize(line.c_str()).x;
        const float x = box.x + (at_right ? std::max(0.0f, free) : 0);
        ImGui::GetWindowDrawList()->AddText({x, y}, color, line.c_str());
        y += ImGui::GetTextLineHeight();
        begin = end + 1;
    }
    return y - box.y;
}

void WrappedField::draw_as_read_below(PanelContext& context, float width) const {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height =
        draw_as_read(context, {at.x + ImGui::GetStyle().FramePadding.x, at.y, width, 0},
                     ImGui::GetColorU32(ImGuiCol_TextDisabled));
    ImGui::Dummy({width, height});
}

using Lines = std::vector<std::string>;

Lines split_lines(const std::string& text) {
    Lines lines;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

/// Returns the line of each sentence: lines without a word are none, they wait for one.
std::vector<int> sentence_lines(const Lines& lines) {
    std::vector<int> sentences;
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (!split_words(lines[i]).empty()) sentences.push_back(static_cast<int>(i));
    return sentences;
}

/// Returns the sentence of a line, or the nearest one before it.
int sentence_at(const Lines& lines, std::size_t line) {
    const std::vector<int> all = sentence_lines(lines);
    const auto after = std::upper_bound(all.begin(), all.end(), static_cast<int>(line));
    return std::max(0, static_cast<int>(after - all.begin()) - 1);
}

constexpr const char* kModelHelp =
    "The model's own tokenizer splits the text into tokens, words or pieces of words, and adds its "
    "special tokens; each is one row of every pattern. A special token such as [MASK] can be "
    "typed. [SEP] ends the first text of a pair, where the model reads pairs. Line ends and tabs "
    "are read, too: Ctrl+Enter ends a line, and what is pasted keeps its lines.";

constexpr const char* kSentenceHelp =
    "Each word becomes a token: one row of X, of the queries, keys and values, of every pattern. A "
    "word has the same vector in every sentence. Everything follows as you type. Several sentences "
    "are computed together; the shorter ones are padded, and padding is masked.";

class SentencePanel final : public Panel {
  public:
    const char* title() const override { return is_model_ ? "Text" : "Sentence"; }
    const char* help() const override { return is_model_ ? kModelHelp : kSentenceHelp; }

    void draw(PanelContext& context) override {
        if (const RecordedStudy* recorded = context.document.recorded())
            return recording_.draw(context, *recorded);
        const SentenceStudy* study = context.document.sentence();
        if (!study) return;
        const Lines lines = split_lines(study->text);
        const bool is_model = context.document.weights && context.document.weights->is_model;
        if (is_model != is_model_) fields_.clear();
        is_model_ = is_model;
        fields_.resize(lines.size(), empty_field());
        for (std::size_t i = 0; i < lines.size(); ++i) draw_line(context, lines, i);
        if (context.is_on_slide && lines.size() == 1) return;
        draw_caption(context);
        draw_weights(context);
        is_model_ ? draw_line_buttons(context, lines) : draw_buttons(context, lines);
    }

  private:
    WrappedField empty_field() const { return WrappedField(LineEnds{.are_kept = is_model_}); }

    void draw_line(PanelContext& context, const Lines& lines, std::size_t i) {
        const std::string noun = is_model_ ? (i == 0 ? "Text" : "Line") : "Sentence";
        const std::string name = i == 0 ? noun : fmt::format("{} {}", noun, i + 1);
        const auto text = fields_[i].draw(context, name, lines[i]);
        if (fields_[i].has_focus())
            context.selection.sentence = is_model_ ? 0 : sentence_at(lines, i);
        if (!text) return;
        Lines changed = lines;
        changed[i] = *text;
        const auto n_ends = static_cast<std::size_t>(std::ranges::count(*text, '\n'));
        if (n_ends > 0) {  // the rest goes on in fields of its own
            fields_.resize(std::max(fields_.size(), i + n_ends + 1), empty_field());
            fields_[i + n_ends].take_focus();
        }
        push_text(context, "Change the sentence", changed, name);
    }

    static void push_text(PanelContext& context, const char* label, const Lines& lines,
                          const std::string& gesture = {}) {
        context.edits.push(
            label, [text = joined(lines, "\n")](Document& document) { set_text(document, text); },
            gesture);
    }

    void draw_caption(PanelContext& context) {
        if (!context.trace) return draw_no_tokens(context);
        const std::vector<std::string>& items = context.trace->items();
        const bool has_signs = std::ranges::any_of(items, is_ideograph_word);
        // Padding that is typed into a model's text is a token like any other.
        const auto n_padding = is_model_ ? 0 : std::ranges::count(items, kPaddingWord);
        const std::string count = counted(std::ssize(items) - n_padding, "token");
        const std::string padding = n_padding > 0 ? fmt::format(" · {} of padding", n_padding) : "";
        widgets::hint(context, is_model_ ? count + " of the model's tokenizer"
                                         : fmt::format("{} · one a word{}{}", count,
                                                       has_signs ? " or sign" : "", padding));
        draw_segments(context, items);
        if (is_model_) pieces_.draw_button(context, items);
    }

    static void draw_no_tokens(PanelContext& context) {
        if (split_words(context.document.sentence()->text).empty())
            widgets::hint(context, "Type a sentence: each word becomes a token.");
        else if (!context.error)
            widgets::hint(context, "Computing…");
    }

    /// Says how many texts there are where a [SEP] with a token after it was typed.
    void draw_segments(PanelContext& context, const std::vector<std::string>& items) const {
        const int n_types = context.document.sentence()->layer.token_types;
        const auto n_ends =
            items.empty() ? 0
                          : std::ranges::count(items, "[SEP]") - (items.back() == "[SEP]" ? 1 : 0);
        if (!is_model_ || n_types < 2 || n_ends == 0) return;
        const std::string n_texts = std::to_string(n_ends + 1);
        const bool is_pair = n_ends == 1;
        widgets::hint(context, n_ends + 1 > n_types
                                   ? fmt::format("[SEP] makes it {} texts; the model tells {} "
                                                 "apart, the others count as the last one",
                                                 n_texts, n_types)
                               : is_pair ? std::string("[SEP] makes it a pair of texts")
                                         : fmt::format("[SEP] makes it {} texts", n_texts));
    }

    /// The text of a pretrained model is one; the ends of its lines are tokens.
    static void draw_line_buttons(PanelContext& context, const Lines& lines) {
        if (lines.size() > 1) {
            if (widgets::button(context, "Remove line", "Removes the last line of the text"))
                push_text(context, "Remove a line", {lines.begin(), lines.end() - 1});
            widgets::same_line_if_fits("Add line");
        }
        if (!widgets::button(
                context, "Add line",
                "One more line of the text (Ctrl+Enter in it); a line end is read, too"))
            return;
        Lines more = lines;
        more.emplace_back();
        push_text(context, "Add a line", more);
    }

    /// Draws the choice of the shown sentence and of the one beside it, and buttons to add and
    /// remove one.
    void draw_buttons(PanelContext& context, const Lines& lines) {
        Selection& selection = context.selection;
        const std::vector<int> sentences = sentence_lines(lines);
        const int n = static_cast<int>(sentences.size());
        if (n > 1) {
            for (int i = 0; i < n; ++i) {
                const std::string number = std::to_string(i + 1);
                if (i > 0) widgets::same_line_if_fits("9");
                if (widgets::button(
                        context, number.c_str(), "Shows this sentence",
                        selection.sentence == i ? widgets::Enabled::No : widgets::Enabled::Yes))
                    selection.sentence = i;
            }
            widgets::same_line_if_fits("Side by side");
            const bool is_beside = context.comparison.other<OtherSentence>() != nullptr;
            const int other = selection.sentence + (selection.sentence + 1 < n ? 1 : -1);
            if (widgets::button(context, is_beside ? "Alone" : "Side by side",
                                "Compares this sentence with the next one, the last one with the "
                                "one before it"))
                is_beside ? context.requests.run("stop-comparing")
                          : context.requests.comparison.ask(OtherSentence{other});
            widgets::same_line_if_fits("Remove");
            if (widgets::button(context, "Remove", "Removes this sentence from the study")) {
                Lines fewer = lines;
                fewer.erase(
                    fewer.begin() +
                    sentences[static_cast<std::size_t>(std::min(selection.sentence, n - 1))]);
                if (context.comparison.other<OtherSentence>())
                    context.requests.run("stop-comparing");
                push_text(context, "Remove a sentence", fewer);
            }
            widgets::same_line_if_fits("Add sentence");
        }
        if (!widgets::button(context, "Add sentence",
                             "One more sentence, computed together with this one"))
            return;
        Lines more = lines;
        more.push_back("It was too wide.");
        selection.sentence = n;
        push_text(context, "Add a sentence", more);
    }

    bool is_model_ = false;  // a pretrained one reads the text
    std::vector<WrappedField> fields_;
    PiecesButton pieces_;
    RecordingView recording_;
};

}  // namespace

std::unique_ptr<Panel> make_sentence_panel() {
    return std::make_unique<SentencePanel>();
}

namespace {

class AlignmentInputPanel final : public Panel {
  public:
    const char* title() const override { return "Source"; }
    const char* help() const override {
        return "The source is read: its words are the keys and values, the columns of the "
               "alignment. The target reads: its words are the queries, the rows.";
    }

    void draw(PanelContext& context) override {
        const AlignmentStudy* study = context.document.alignment();
        if (!study) return;
        draw_side(context, source_, Side::Source, "Source", study->source);
        widgets::heading(context, "Target", nullptr);
        draw_side(context, target_, Side::Target, "Target", study->target);
        if (context.document.weights && context.document.weights->is_model)
            widgets::hint(context, "Each is one line: pasted line ends become blanks");
        if (can_translate(context.document) &&
            widgets::button(context, "Translate",
                            "The trained weights write the target anew, word by word."))
            context.requests.run("translate");
        if (context.trace && can_translate(context.document)) draw_check(context);
        if (context.error) widgets::hint(context, text_for_user(*context.error));
        draw_weights(context);
    }

  private:
    /// A target of another hand may be aligned with anything.
    static void draw_check(PanelContext& context) {
        const std::optional<TargetCheck> check = check_target(*context.trace);
        if (!check || check->n_others == 0) return;
        widgets::hint(
            context,
            fmt::format(
                "The network would write {} of these {} words otherwise; first “{}” for “{}”",
                check->n_others, check->n_words, check->likelier, check->said));
    }

    static void draw_side(PanelContext& context, WrappedField& field, Side side, const char* name,
                          const std::string& text) {
        const auto changed = field.draw(context, name, text);
        if (!changed) return;
        const std::string label = side == Side::Source ? "Change the source" : "Change the target";
        context.edits.push(
            label, [side, text = *changed](Document& document) { set_text(document, side, text); },
            name);
    }

    WrappedField source_, target_;
};

}  // namespace

std::unique_ptr<Panel> make_alignment_input_panel() {
    return std::make_unique<AlignmentInputPanel>();
}

}  // namespace headlight
