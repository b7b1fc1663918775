// The program as a web page with files inside: one HTML file that needs no other one.
//
// Goals: whatever a file holds and however it is called, it never becomes markup. Not goals: making
// the program's page, which the build does (src/page).
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace headlight {

struct WebPage {
    struct File {
        std::string name;  // relative, as the other files name it
        std::string bytes;
    };
    std::string title;
    std::string open;          // the name of the file that is opened …
    bool is_presented = true;  // … and presented, as slides without panels
    std::vector<File> files = {};
    /// The names of the data that stay in it, of all that the program has in a page, such as
    /// "weights/gat.safetensors".
    std::set<std::string> data = {};
};

/// Returns the program's page: the file that HEADLIGHT_PAGE names, else headlight.html beside the
/// program, in ../web, where a build puts it, or in ../share/headlight; nothing if there is none.
/// Throws Error if HEADLIGHT_PAGE names no file.
std::optional<std::filesystem::path> find_program_page();

/// Reads the program's page, which `output` may not replace. Throws Error if there is none or the
/// file is another one; `otherwise` says what can be done without it.
std::string read_program_page(const std::filesystem::path& output,
                              const std::string& otherwise = {});

/// Puts the files into the program's page, which opens one of them, and leaves out the data that
/// it does not need.
std::string write_web_page(std::string program, const WebPage& page);

/// Returns the program's page without the data that are not named. Throws Error if it lacks one
/// that is.
std::string with_data(const std::string& program, const std::set<std::string>& names);

/// Returns the name of weights that come with the program among the data of its page.
std::string data_of_weights(const std::string& file);

/// Reads a file that others in `folder` name, for a page. Throws Error if it lies elsewhere.
WebPage::File read_page_file(const std::filesystem::path& folder,
                             const std::filesystem::path& file);

}  // namespace headlight
