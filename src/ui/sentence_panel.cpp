// The sentence: a text field that wraps between words, and what became of the text.
#include <algorithm>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "model/edits.h"
#include "text/words.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace headlight {
namespace {

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

int wrap_callback(ImGuiInputTextCallbackData* data) {
    const std::string before(data->Buf, static_cast<std::size_t>(data->BufTextLen));
    wrap_at_spaces(data->Buf, data->BufTextLen, *static_cast<const float*>(data->UserData));
    if (before != std::string_view(data->Buf, before.size())) data->BufDirty = true;
    return 0;
}

std::string without_breaks(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

class SentencePanel final : public Panel {
  public:
    const char* title() const override { return "Sentence"; }
    const char* help() const override {
        return "Each word becomes a token: one row of every matrix. The same word has the same "
               "vector "
               "in every sentence. Everything follows as you type.";
    }

    void draw(PanelContext& context) override {
        const SentenceStudy* study = context.document.sentence();
        if (!study) return;
        if (study->text != shown_) show(context, study->text);
        context.painter.need_glyphs(study->text);
        draw_field(context);
        draw_caption(context, *study);
    }

  private:
    void show(PanelContext& context, const std::string& text) {
        shown_ = text;
        buffer_ = context.codes.encode(text);
    }

    void draw_field(PanelContext& context) {
        const float width = ImGui::GetContentRegionAvail().x;
        float wrap_width = width - 2 * ImGui::GetStyle().FramePadding.x - 12;
        wrap_at_spaces(buffer_.data(), static_cast<int>(buffer_.size()), wrap_width);
        const auto lines = 1 + std::count(buffer_.begin(), buffer_.end(), '\n');
        const float height =
            ImGui::GetTextLineHeight() * static_cast<float>(std::clamp<long>(lines, 2, 7)) +
            2 * ImGui::GetStyle().FramePadding.y + 4;
        const bool is_edited = ImGui::InputTextMultiline("##sentence", &buffer_, {width, height},
                                                         ImGuiInputTextFlags_CallbackAlways,
                                                         wrap_callback, &wrap_width);
        widgets::name_item(context, "text Sentence");
        if (ImGui::IsItemDeactivated()) context.edits.end_gesture();
        // ImGui's Escape would take back all that was typed.
        if (ImGui::IsItemDeactivated() && compat::is_key_pressed(Key::Escape))
            return show(context, shown_);
        if (!is_edited) return;
        shown_ = context.codes.decode(without_breaks(buffer_));
        context.edits.push(
            "Change the sentence",
            [text = shown_](Document& document) { set_text(document, text); }, "sentence");
    }

    void draw_caption(PanelContext& context, const SentenceStudy&) {
        if (!context.trace)
            return widgets::hint(context, "Type a sentence: each word becomes a token.");
        const std::size_t n = context.trace->items->size();
        widgets::hint(context, std::to_string(n) + (n == 1 ? " token" : " tokens") +
                                   " · one a word · weights from seed " +
                                   std::to_string(context.document.seed));
    }

    std::string shown_;   // the document's text that the field was filled with
    std::string buffer_;  // what the field shows
};

}  // namespace

std::unique_ptr<Panel> make_sentence_panel() {
    return std::make_unique<SentencePanel>();
}

}  // namespace headlight
