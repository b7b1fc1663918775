// A picture into the browser's clipboard.
#include "io/pictures/clipboard_image.h"

#include <cstdint>
#include <emscripten/em_js.h>

#include "core/error.h"

// clang-format off
EM_JS(int, copy_to_browser, (const std::uint8_t* bytes, int size), {
    if (typeof ClipboardItem == "undefined" || !navigator.clipboard) return 0;
    const picture = new Blob([HEAPU8.slice(bytes, bytes + size)], {type : "image/png"});
    navigator.clipboard.write([new ClipboardItem({"image/png" : picture})]).catch(() => {});
    return 1;
});
// clang-format on

namespace headlight {

void copy_png(const std::string& bytes) {
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    if (copy_to_browser(data, static_cast<int>(bytes.size())) == 0)
        throw Error("clipboard", "this browser takes no pictures from a page; export a file");
}

}  // namespace headlight
