#include "cli/open_study.h"

#include "core/error.h"
#include "core/page.h"
#include "io/file.h"
#include "io/open_document.h"
#include "model/workers.h"

namespace headlight {

Document open_study(const std::string& file, const Streams& streams, const OpenOptions& options) {
    OpenedFile opened = open_document(file, options);
    if (!opened.notes.empty()) write_note(streams, path_text(file) + ": " + opened.notes);
    if (needs_places(opened.document)) give_places(opened.document, nullptr);
    return std::move(opened.document);
}

Trace evaluate_study(const Document& document, const Watched& watched, const Streams& streams) {
    Workers workers(count_spare_threads());
    Trace trace = evaluate(document, nullptr, watched, workers.for_each());
    for (const std::string& path : dormant_holds(trace, document.holds))
        write_note(streams, "what was set by hand in " + path +
                                " waits: the study has no place for all of it now");
    return trace;
}

Trace sentence_of(Trace trace, const std::optional<Index>& sentence) {
    if (!sentence) return trace;
    const Index n = count_pages(trace);
    if (*sentence > n)
        throw Error("--sentence", "there is no sentence " + std::to_string(*sentence) +
                                      "; the study has " + std::to_string(n));
    return page(trace, *sentence - 1);
}

void write_note(const Streams& streams, std::string_view text) {
    streams.err << "headlight: note: " << text << '\n';
}

}  // namespace headlight
