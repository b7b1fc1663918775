// Weights and lessons lie in the page, beside the program, so that a page can leave some out. What
// is defined here takes the place of the members of libraries that hold the same data, since it is
// linked before them.
#include <emscripten/em_js.h>
#include <map>
#include <string>
#include <string_view>

#include "embedded_lessons.h"
#include "embedded_weights.h"

// clang-format off
EM_JS(int, page_data_state, (const char* name), { return Module.page.dataState(UTF8ToString(name)); });
EM_JS(char*, page_read_data, (const char* name, int* size), {
    const bytes = Module.page.readData(UTF8ToString(name));
    const at = _malloc(bytes.length);
    HEAPU8.set(bytes, at);
    HEAP32[size >> 2] = bytes.length;
    return at;
});
// clang-format on

namespace headlight {
namespace {

enum class DataState { Unknown, Here, LeftOut };  // as page.js has them

DataState state_of(const std::string& name) {
    return static_cast<DataState>(page_data_state(name.c_str()));
}

/// Returns the bytes, which stay where they are; empty if they are not here.
std::string_view read_data(const std::string& name) {
    static std::map<std::string, std::string_view> read;
    if (const auto known = read.find(name); known != read.end()) return known->second;
    if (state_of(name) != DataState::Here) return {};
    int size = 0;
    const char* bytes = page_read_data(name.c_str(), &size);
    return read[name] = {bytes, static_cast<std::size_t>(size)};
}

std::string named(const char* folder, std::string_view file) {
    return folder + std::string(file);
}

constexpr const char *kWeights = "weights/", *kLessons = "lessons/";

}  // namespace

std::string_view embedded_weights(std::string_view file) {
    return read_data(named(kWeights, file));
}

bool has_embedded_weights(std::string_view file) {
    return state_of(named(kWeights, file)) == DataState::Here;
}

bool lacks_embedded_weights(std::string_view file) {
    return state_of(named(kWeights, file)) == DataState::LeftOut;
}

std::string_view embedded_lessons(std::string_view file) {
    return read_data(named(kLessons, file));
}

bool has_embedded_lessons(std::string_view file) {
    return state_of(named(kLessons, file)) == DataState::Here;
}

bool lacks_embedded_lessons(std::string_view file) {
    return state_of(named(kLessons, file)) == DataState::LeftOut;
}

}  // namespace headlight
