// Prints the places of things in the program's window, for a script with a real pointer.
//
//     window_places STUDY "text Sentence" "cell blocks.0.attn.heads.0.W_Q 3 2" …
// prints the centre of each thing as "x y" in points, one per line. The same study in a window of
// the same size looks the same with and without a display.
#include <cstdio>
#include <iostream>
#include <sstream>

#include "app/program.h"
#include "core/error.h"

using namespace headlight;

namespace {

Box region_at(const Regions& regions, const std::string& name) {
    std::istringstream words(name);
    std::string kind, path;
    Index row = 0, column = 0;
    const bool is_cell = words >> kind >> path >> row >> column && kind == "cell";
    const auto box = is_cell ? regions.find_cell(path, row, column) : regions.find(name);
    if (!box) throw Error("places", "nothing in the window is called '" + name + "'");
    return *box;
}

void print_places(const std::string& study, const std::vector<std::string>& names) {
    Program program({}, make_headless_window);
    program.open_file(study);
    program.settle();
    for (const std::string& name : names) {
        const Box box = region_at(program.workbench().regions(), name);
        std::printf("%.0f %.0f\n", box.x + box.width / 2, box.y + box.height / 2);
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::cerr << "Usage: window_places STUDY NAME…\n";
        return 2;
    }
    try {
        print_places(argv[1], {argv + 2, argv + argc});
        return 0;
    } catch (const Error& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
