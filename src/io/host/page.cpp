// The host in a page: a browser, through page.js.
#include "io/host/page.h"

#include <cstdint>
#include <emscripten/em_js.h>
#include <string>

#include "core/error.h"
#include "io/host.h"

// clang-format off
EM_JS(void, tell_page, (const char* name, const char* text), {
    Module.page[UTF8ToString(name)](UTF8ToString(text));
});
EM_JS(int, page_ask_file, (const char* path), { return Module.page.askFile(UTF8ToString(path)) ? 1 : 0; });
EM_JS(int, page_copy_png, (const std::uint8_t* bytes, int size), {
    return Module.page.copyPicture(HEAPU8.slice(bytes, bytes + size)) ? 1 : 0;
});
EM_JS(int, page_keeps_keys, (const char* keys), { return Module.page.keepsKeys(UTF8ToString(keys)) ? 1 : 0; });
EM_JS(int, page_has_touch, (), { return matchMedia("(hover: none)").matches ? 1 : 0; });
// clang-format on

namespace headlight {

Host& host() {
    static Host browser{
        .take_file = [] { tell_page("takeFile", ""); },
        .give_file = [](const std::filesystem::path& file) { tell_page("giveFile", file.c_str()); },
        .ask_file =
            [](const std::filesystem::path& file) { return page_ask_file(file.c_str()) != 0; },
        .copy_png =
            [](const std::string& bytes) {
                const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
                if (page_copy_png(data, static_cast<int>(bytes.size())) == 0)
                    throw Error("clipboard",
                                "this browser takes no pictures from a page; export a file");
            },
        .keeps_keys = [](const std::string& keys) { return page_keeps_keys(keys.c_str()) != 0; },
        .has_touch = page_has_touch() != 0,
        .lacks =
            {.pdf =
                 "the page in the browser writes SVG, PNG and GIF; print an SVG to PDF, or export "
                 "with the program",
             .models = "a page downloads nothing; the program does: headlight get",
             .second_window = "a page has no second window; the program shows the speaker's",
             .web_pages = "a page makes no other pages; the program does"}};
    return browser;
}

}  // namespace headlight
