// Studies as text, and the errors about them.
#pragma once

#include <string>

#include "broken_input.h"
#include "io/studies/study.h"

namespace headlight {

inline Document parse(const std::string& bytes) {
    return read_study(bytes, "input.headlight");
}

inline std::string refusal(const std::string& bytes) {
    return error_of([&] { parse(bytes); });
}

inline const std::string kHead = R"({"kind": "sentence", "text": "a b")";

/// The error for a sentence with one more member.
inline std::string refusal_with(const std::string& member) {
    return refusal(kHead + ",\n" + member + "}");
}

/// The error for a graph with these members.
inline std::string graph_refusal(const std::string& members) {
    return refusal("{\"kind\": \"graph\", \"graph\": {\n" + members + "}}");
}

}  // namespace headlight
