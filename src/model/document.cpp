#include "model/document.h"

#include "graph/karate.h"

namespace headlight {

Document built_in_sentence() {
    Document document;
    document.study = SentenceStudy{
        .text = "The cat didn't cross the street because it was too tired.", .layer = {}};
    return document;
}

Document built_in_graph() {
    Document document;
    document.study = GraphStudy{.graph = karate_club(), .layer = {}, .self_loops = SelfLoops::On};
    return document;
}

}  // namespace headlight
