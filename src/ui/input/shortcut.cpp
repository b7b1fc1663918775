#include "ui/input/shortcut.h"

#include <algorithm>
#include <imgui.h>
#include <string>
#include <utility>

#include "core/error.h"

namespace headlight {
namespace {

constexpr std::pair<std::string_view, Key> kKeyWords[] = {{"Tab", Key::Tab},
                                                          {"Left", Key::Left},
                                                          {"←", Key::Left},
                                                          {"Right", Key::Right},
                                                          {"→", Key::Right},
                                                          {"Up", Key::Up},
                                                          {"↑", Key::Up},
                                                          {"Down", Key::Down},
                                                          {"↓", Key::Down},
                                                          {"PageUp", Key::PageUp},
                                                          {"PageDown", Key::PageDown},
                                                          {"Home", Key::Home},
                                                          {"End", Key::End},
                                                          {"Insert", Key::Insert},
                                                          {"Delete", Key::Delete},
                                                          {"Space", Key::Space},
                                                          {"Enter", Key::Enter},
                                                          {"Backspace", Key::Backspace},
                                                          {"Esc", Key::Escape},
                                                          {"Plus", Key::Plus},
                                                          {"+", Key::Plus},
                                                          {"Minus", Key::Minus},
                                                          {"−", Key::Minus},
                                                          {"F1", Key::F1},
                                                          {"F5", Key::F5},
                                                          {"F6", Key::F6},
                                                          {"?", Key::Question}};

/// Takes the modifier, such as "Ctrl+", off the text where it stands before a key.
bool take(std::string_view& text, std::string_view modifier) {
    if (!text.starts_with(modifier) || text.size() == modifier.size()) return false;
    text.remove_prefix(modifier.size());
    return true;
}

Shortcut shortcut_from(std::string_view text) {
    Shortcut shortcut;
    std::string_view rest = text;
    shortcut.ctrl = take(rest, "Ctrl+");
    shortcut.shift = take(rest, "Shift+");
    shortcut.alt = take(rest, "Alt+");
    const auto key = find_key(rest);
    if (!key) throw Error("keys", "there is no key “{}”", text);
    shortcut.key = *key;
    return shortcut;
}

/// True for keys that write nothing, whatever is held.
bool is_never_text(Key key) {
    return key == Key::Escape || key == Key::F1 || key == Key::F5 || key == Key::F6;
}

/// True for keys that a text field uses itself: with Ctrl, select all, copy, paste, cut, redo,
/// undo.
bool is_for_text(const Shortcut& shortcut) {
    constexpr Key kOfText[] = {Key::A, Key::C, Key::V, Key::X, Key::Y, Key::Z};
    if (is_never_text(shortcut.key)) return false;
    return !shortcut.ctrl || std::ranges::find(kOfText, shortcut.key) != std::end(kOfText);
}

}  // namespace

std::optional<Key> find_key(std::string_view word) {
    const auto after = [](Key first, char from, char c) {
        return static_cast<Key>(static_cast<int>(first) + c - from);
    };
    const char c = word.size() == 1 ? word[0] : '\0';
    if (c >= 'A' && c <= 'Z') return after(Key::A, 'A', c);
    if (c >= '0' && c <= '9') return after(Key::Zero, '0', c);
    for (const auto& [known, key] : kKeyWords)
        if (known == word) return key;
    return std::nullopt;
}

std::vector<Shortcut> shortcuts_from(std::string_view keys) {
    constexpr std::string_view kOr = " or ";
    std::vector<Shortcut> shortcuts;
    while (!keys.empty()) {
        const std::size_t end = std::min(keys.find(kOr), keys.size());
        shortcuts.push_back(shortcut_from(keys.substr(0, end)));
        keys.remove_prefix(std::min(end + kOr.size(), keys.size()));
    }
    return shortcuts;
}

bool is_pressed(const Shortcut& shortcut, compat::Repeat repeat) {
    const ImGuiIO& io = ImGui::GetIO();
    if (!compat::is_key_pressed(shortcut.key, repeat)) return false;
    if (io.WantTextInput && is_for_text(shortcut)) return false;
    if (!is_never_text(shortcut.key) && shortcut.ctrl != io.KeyCtrl) return false;
    return (!shortcut.shift || io.KeyShift) && (!shortcut.alt || io.KeyAlt);
}

}  // namespace headlight
