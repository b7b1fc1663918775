// The window in a page: a canvas of the browser, whose events come from page.js.
#pragma once

#include "app/window_backend.h"

namespace headlight {

/// Makes the backend for the page's canvas. There is one at a time.
WindowBackend make_page_window(const WindowOptions& options, EventSink sink);

}  // namespace headlight
