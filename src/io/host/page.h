// The one way from the program to the page around it.
#pragma once

extern "C" {

/// Calls the function of that name of the object `page` in page.js, with the text.
void tell_page(const char* name, const char* text);
}
