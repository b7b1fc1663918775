#include "cli/readout/swept_study.h"

#include <utility>

#include "cli/open_study.h"
#include "cli/readout/asked_question.h"
#include "model/changes.h"
#include "scene/readout/readout_words.h"

namespace headlight {

SweptStudy::SweptStudy(Document document, const SweepStudy& options, const Streams& streams)
    : document_(std::move(document)),
      base_(trace_with_logits(document_, streams)),
      sweep_{options.all_settings()} {
    for (const std::string& text : options.from) {
        Document other = document_;
        set_text(other, text);
        others_.push_back(evaluate_study(other, {}, streams));
        sweep_.from.push_back(&others_.back());
    }
    if (asks_of_place(options.settings.quantity))
        sweep_.question = question_for(document_, base_, options.asked, streams);
    check_has_change();
    if (!options.to) return;
    sweep_.settings.path = path_to(base_, *options.to);
    sweep_.settings.path->through = options.through;
}

void SweptStudy::check_has_change() const {
    if (asks_of_place(sweep_.settings.quantity))
        return check_is_ranked(document_, base_, sweep_.question.row);
    for (Index row = 0; row < logits_in(base_, "").rows().size; ++row)
        check_is_ranked(document_, base_, row);
}

SweepResult SweptStudy::run(const ForEach& for_each) const {
    return run_sweep(document_, base_, sweep_, for_each);
}

DoneSweep SweptStudy::done(SweepResult result) const {
    return {{.settings = sweep_.settings, .question = sweep_.question, .asked = asked()},
            sentence(),
            std::move(result)};
}

std::string SweptStudy::asked() const {
    const SweepQuantity quantity = sweep_.settings.quantity;
    if (asks_of_word(quantity)) return question_text(document_, base_, sweep_.question);
    return asks_of_place(quantity) ? place_asked(document_, base_, sweep_.question) : "";
}

std::string SweptStudy::quantity() const {
    return quantity_words(sweep_.settings.quantity, asked(), "the text's");
}

}  // namespace headlight
