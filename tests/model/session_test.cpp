#include "model/session.h"

#include <doctest/doctest.h>

namespace headlight::session_test {
namespace {

/// A study that takes seconds on any machine: it ends early only if it is cancelled.
Document long_study() {
    Document document;
    SentenceStudy study;
    for (int i = 0; i < 2000; ++i) study.text += "w" + std::to_string(i) + " ";
    study.layer.n_layers = 24;
    study.layer.attention.n_heads = 16;
    document.study = study;
    return document;
}

Edit start_long_study() {
    return {.label = "Start a long study", .change = [](Document& d) { d = long_study(); }};
}

Edit set_text_to(const std::string& text) {
    return {.label = "Type", .change = [text](Document& d) {
                d = built_in_sentence();
                d.sentence()->text = text;
            }};
}

}  // namespace

TEST_CASE("Session: a cancelled evaluation keeps the last trace and the document") {
    Session session(built_in_sentence());
    session.wait();
    const auto before = session.trace();
    session.apply(start_long_study());
    session.update();
    REQUIRE(session.is_busy());
    session.cancel();
    session.wait();
    CHECK(!session.is_busy());
    CHECK(session.is_stopped());
    CHECK(session.trace() == before);
    CHECK(session.document() == long_study());
    session.update();
    CHECK(!session.is_busy());
    CHECK(!session.error());
}

TEST_CASE("Session: a cancelled evaluation can be resumed") {
    Session session(built_in_sentence());
    session.wait();
    session.apply(start_long_study());
    session.update();
    session.cancel();
    session.wait();
    session.resume();
    session.update();
    CHECK(session.is_busy());
    CHECK(!session.is_stopped());
}

TEST_CASE("Session: watching something else does not resume it, a change of the document does") {
    Session session(built_in_sentence());
    session.wait();
    session.apply(start_long_study());
    session.update();
    session.cancel();
    session.wait();
    session.watch({.everything = false, .globs = {"*"}});
    session.update();
    CHECK(!session.is_busy());
    session.apply(set_text_to("a b c"));
    session.wait();
    CHECK(!session.is_stopped());
    REQUIRE(session.trace());
    CHECK(session.trace()->items().size() == 3);
}

TEST_CASE("Session: a newer document replaces one that takes long") {
    Session session(long_study());
    session.update();
    REQUIRE(session.is_busy());
    session.apply(set_text_to("it was tired"));
    session.wait();
    REQUIRE(session.trace());
    CHECK(session.trace()->items() == std::vector<std::string>{"it", "was", "tired"});
}

TEST_CASE("Session: another study replaces one that is being computed") {
    Session session(long_study());
    session.update();
    session.replace(History(built_in_graph()));
    CHECK(!session.trace());
    session.wait();
    REQUIRE(session.trace());
    CHECK(session.trace()->edges());
}

TEST_CASE("Session: a running evaluation names the current tensor") {
    Session session(long_study());
    session.update();
    REQUIRE(session.is_busy());
    CHECK(session.progress().share() < 1);
}

TEST_CASE("Session: the plan stays while only values set by hand change") {
    Session session(built_in_sentence());
    session.wait();
    const auto plan = session.trace()->shared_plan();
    const auto after = [&](const std::function<void(Document&)>& change) {
        session.apply({.label = "Change", .change = change});
        session.wait();
        return session.trace()->shared_plan();
    };
    const std::string pattern = "blocks.0.attn.heads.0.pattern";
    CHECK(after([&](Document& d) { d.interventions[pattern].set(1, 0, Scalar(0.5)); }) == plan);
    CHECK((*session.trace()->at(pattern).value)(1, 0) == Scalar(0.5));
    session.undo();
    session.wait();
    CHECK(session.trace()->shared_plan() == plan);
    CHECK(session.trace()->at(pattern).intervention.cells.empty());
    session.watch({.everything = true, .globs = {}});
    session.wait();
    CHECK(session.trace()->shared_plan() == plan);
    CHECK(after([](Document& d) { d.seed = 2; }) != plan);
    const auto of_seed = session.trace()->shared_plan();
    CHECK(after([](Document& d) { d.sentence()->text += "s"; }) != of_seed);
}

TEST_CASE("Session: the plan holds the weights of the document, however equal other ones are") {
    const auto with_weights = [] {
        Document document = built_in_sentence();
        const Trace trace = evaluate(document, nullptr, {});
        WeightMatrices matrices;
        matrices["blocks.0.attn.W_O"] = {.values = trace.at("blocks.0.attn.W_O").value};
        document.weights = make_weights(std::move(matrices), "from a test");
        return document;
    };
    Session session(with_weights());
    session.wait();
    session.apply({.label = "Open", .change = [&](Document& d) {
                       d = with_weights();
                       d.interventions["W_pos"].set(0, 0, Scalar(1));
                   }});
    session.wait();
    CHECK(dormant_weights(session.trace()->plan(), *session.document().weights).empty());
}

TEST_CASE("Session: values set by hand in all steps at once reach each step") {
    Document document = built_in_alignment();
    document.alignment()->mechanism = AlignmentMechanism::Recurrent;
    const Document plain = document;
    document.interventions["decoder.attn.heads.0.pattern"].set(0, 0, Scalar(0.5));
    const auto context = [](const Document& studied) {
        Session session(studied);
        session.watch({.everything = true, .globs = {}});
        session.wait();
        REQUIRE(session.trace());
        return *session.trace()->at("decoder.context").value;
    };
    const Watched all{.everything = true, .globs = {}};
    CHECK(context(document) == *evaluate(document, nullptr, all).at("decoder.context").value);
    CHECK(context(document) != context(plain));
}

TEST_CASE("Session: without memory for a step an error is reported and nothing changes") {
    Session session(built_in_sentence());
    session.wait();
    const Document before = session.document();
    std::string told;
    try {
        session.apply({"Set d_model to 10^9", [](Document& changed) {
                           changed.seed = 7;
                           throw std::bad_alloc();
                       }});
    } catch (const Error& error) {
        told = error.what();
    }
    CHECK(told ==
          "[memory] there is not enough for the step “Set d_model to 10^9”; nothing has changed");
    CHECK(session.document() == before);
    CHECK(!session.history().can_undo());
    session.wait();
    CHECK(session.trace());
}

TEST_CASE("Session: a study that does not fit into memory is reported and can be undone") {
    Session session(built_in_sentence());
    session.watch({.everything = true, .globs = {}});
    session.set_memory_bytes(1e6);
    session.wait();
    REQUIRE(session.trace());
    std::string text;
    for (int i = 0; i < 300; ++i) text += "w" + std::to_string(i) + " ";
    session.apply(set_text_to(text));
    session.wait();
    CHECK(!session.trace());
    REQUIRE(session.error());
    const std::string problem = session.error()->what();
    CHECK(problem.starts_with("[memory] this needs 0.00"));
    CHECK(problem.find(", and the machine has 0.001 GB; its largest matrix, mask, is 300 "
                       "× 300. Undo the last step, or take less") != std::string::npos);
    CHECK(session.document().sentence()->text == text);
    session.undo();
    session.wait();
    CHECK(session.trace());
    CHECK(!session.error());
}

TEST_CASE("Session: a document that needs more than its bounds has no trace, and says why") {
    Session session(built_in_sentence());
    session.wait();
    REQUIRE(session.trace());
    session.set_bounds(bounds_of_changes(session.trace()->plan()));
    const auto set_d_model = [&](int d_model) {
        session.apply({.label = "Set d_model", .change = [d_model](Document& document) {
                           document.sentence()->layer.d_model = d_model;
                       }});
        session.wait();
    };
    set_d_model(20'000);
    CHECK(!session.trace());
    REQUIRE(session.error());
    const std::string problem = session.error()->what();
    CAPTURE(problem);
    CHECK(problem.find("more than a change may take here (") != std::string::npos);
    CHECK(problem.find("its largest matrix, ") != std::string::npos);
    set_d_model(16);
    CHECK(session.trace());
    CHECK(!session.error());
    session.set_bounds({});
    set_d_model(6'000);
    CHECK(session.trace());
}

TEST_CASE("is_worth_finishing: work that ends soon, or within the time already waited") {
    CHECK(is_worth_finishing(0.05, 0));
    CHECK(!is_worth_finishing(0.5, 0));
    CHECK(is_worth_finishing(0.5, 0.6));
    CHECK(!is_worth_finishing(5, 1));
}

}  // namespace headlight::session_test
