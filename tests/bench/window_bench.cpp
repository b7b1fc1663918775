// Benchmarks of the window, drawn in memory: frames and the start. A frame includes what the window
// computes for it, and the finished drawing by OpenGL.
#include <benchmark/benchmark.h>
#include <chrono>
#include <random>
#include <set>

#include "app/program.h"
#include "core/error.h"
#include "figure/color_scale.h"
#include "io/open_document.h"
#include "model/changes.h"

namespace {

using namespace headlight;

constexpr const char* kPattern = "blocks.0.attn.heads.0.pattern";
constexpr const char* kWeight = "blocks.0.attn.heads.0.W_Q";

WindowOptions window_of(float width, float height) {
    return {.title = "Headlight", .size = {width, height, 1}};
}

/// Includes EGL, fonts, shaders and the first frame, but not the loading of the program.
void start_to_first_frame(benchmark::State& state) {
    for (auto _ : state) {
        Program program(window_of(1280, 800), make_headless_window);
        program.settle();
        benchmark::DoNotOptimize(program.loop().screenshot());
    }
}
BENCHMARK(start_to_first_frame)->Unit(benchmark::kMillisecond);

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct FrameTime {
    double computing_secs = 0, drawing_secs = 0;
};

/// The time of one frame. A loop in memory may come to rest without drawing further frames.
FrameTime frame_time(FrameLoop& loop) {
    const int first = loop.n_frames();
    const auto start = std::chrono::steady_clock::now();
    loop.wake();
    loop.run_until_idle();
    const double computing_secs = seconds_since(start) / (loop.n_frames() - first);
    const auto drawing = std::chrono::steady_clock::now();
    loop.finish_drawing();
    return {computing_secs, seconds_since(drawing)};
}

/// Measures frames without the change before each of them. The first frame, which uploads what it
/// shows, is not measured.
template <typename Change>
void draw_frames(benchmark::State& state, FrameLoop& loop, Change change) {
    double computing_secs = 0;
    loop.finish_drawing();
    for (auto _ : state) {
        change();
        const FrameTime time = frame_time(loop);
        computing_secs += time.computing_secs;
        state.SetIterationTime(time.computing_secs + time.drawing_secs);
    }
    state.counters["computing_ms"] =
        benchmark::Counter(1000 * computing_secs, benchmark::Counter::kAvgIterations);
}

/// Draws full frames, as if everything had changed.
void draw_whole_frames(benchmark::State& state, FrameLoop& loop) {
    draw_frames(state, loop, [&] { loop.forget_picture(); });
}

InputEvent event_at(InputEvent::Kind kind, Point at) {
    InputEvent event;
    event.kind = kind;
    event.x = at.x;
    event.y = at.y;
    return event;
}

/// The pointer moves from place to place.
void move_pointer(benchmark::State& state, Program& program, const std::vector<Point>& places) {
    std::size_t at = 0;
    draw_frames(state, program.loop(), [&] {
        program.loop().push(event_at(InputEvent::Kind::MouseMove, places[at]));
        at = (at + 1) % places.size();
    });
}

std::vector<Point> places_of(Program& program, const std::string& name, int count) {
    std::vector<Point> places;
    for (int i = 0; i < count; ++i)
        if (const auto box = program.workbench().regions().find(name + std::to_string(i)))
            places.push_back(box->center());
    if (places.empty()) throw Error("benchmark", "there is no " + name + "0 in the window");
    return places;
}

/// The whole window of the default study.
void frame_of_the_default_study(benchmark::State& state) {
    Program program(window_of(1280, 800), make_headless_window);
    program.settle();
    draw_whole_frames(state, program.loop());
}
BENCHMARK(frame_of_the_default_study)->UseManualTime()->Unit(benchmark::kMillisecond);

/// The pointer moves from word to word.
void pointer_in_the_default_study(benchmark::State& state) {
    Program program(window_of(1280, 800), make_headless_window);
    program.settle();
    move_pointer(state, program, places_of(program, "word ", 12));
}
BENCHMARK(pointer_in_the_default_study)->UseManualTime()->Unit(benchmark::kMillisecond);

/// The pointer drags a cell of a weight up and down: what is computed from it is computed anew, and
/// drawn.
void drag_in_the_default_study(benchmark::State& state) {
    Program program(window_of(1280, 800), make_headless_window);
    program.settle();
    const auto cell = program.workbench().regions().find_cell(kWeight, 1, 1);
    if (!cell) throw Error("benchmark", "there is no cell of W_Q in the window");
    const Point start = cell->center();
    InputEvent press = event_at(InputEvent::Kind::MouseButton, start);
    press.down = true;
    program.loop().push(event_at(InputEvent::Kind::MouseMove, start));
    program.settle();
    program.loop().push(press);
    program.settle();
    float way = 20;
    draw_frames(state, program.loop(), [&] {
        way = way > 60 ? 20 : way + 1;
        program.loop().push(event_at(InputEvent::Kind::MouseMove, {start.x, start.y - way}));
    });
    if (program.workbench().session().document().interventions.empty() &&
        program.workbench().session().history().steps().size() < 2)
        throw Error("benchmark", "the drag changed nothing");
}
BENCHMARK(drag_in_the_default_study)->UseManualTime()->Unit(benchmark::kMillisecond);

/// From a keystroke to pixels that show the new numbers.
void keystroke_to_pixels(benchmark::State& state) {
    constexpr int kFrames = 3;
    Program program(window_of(1280, 800), make_headless_window);
    program.settle();
    const std::string text = program.workbench().session().document().sentence()->text;
    bool is_longer = false;
    for (auto _ : state) {
        is_longer = !is_longer;
        program.workbench().session().apply({"type", [&](Document& document) {
                                                 set_text(document, is_longer ? text + " x" : text);
                                             }});
        program.loop().wake();
        program.loop().run_frames(kFrames);
        // What has moved lights up for a while.
        state.PauseTiming();
        program.loop().run_until_idle();
        state.ResumeTiming();
    }
    state.SetLabel(std::to_string(kFrames) + " frames");
}
BENCHMARK(keystroke_to_pixels)->Unit(benchmark::kMillisecond);

/// Eight layers of attention with 8.4 million imported weights.
Document with_imported_weights() {
    Document document = built_in_sentence();
    StackSettings& layer = document.sentence()->layer;
    layer.n_layers = 8;
    layer.d_model = 512;
    layer.attention.n_heads = 8;
    layer.attention.d_k = layer.attention.d_v = {{64}};
    const Trace trace(plan(document));
    WeightMatrices matrices;
    for (const Tensor& tensor : trace.tensors())
        if (matches("blocks.*.W_?", tensor.path()))
            matrices[tensor.path()] = make_weight(
                trace, tensor, Matrix::Random(tensor.rows().size, tensor.columns().size) * 0.05f);
    document.weights = make_weights(std::move(matrices), "imported from model.safetensors");
    return document;
}

/// From a typed or deleted letter until its results are on the screen; and the memory for undo.
void keystroke_with_imported_weights(benchmark::State& state) {
    const Document document = with_imported_weights();
    Program program(window_of(1280, 800), make_headless_window);
    program.workbench().open(document, {});
    program.settle();
    Session& session = program.workbench().session();
    const std::string text = document.sentence()->text;
    std::size_t n_steps = 0;
    for (auto _ : state) {
        const std::string typed = text + " " + std::string(1 + ++n_steps % 9, 'x');
        session.apply({"type", [&](Document& changed) { set_text(changed, typed); }});
        program.loop().wake();
        program.settle();
    }
    std::size_t own_bytes = 0;
    for (const HistoryStep& step : session.history().steps()) own_bytes += step.own_bytes;
    state.SetLabel(std::to_string(count_bytes(document.weights, nullptr) >> 20) +
                   " MiB of weights; " + std::to_string(session.history().steps().size() - 1) +
                   " of " + std::to_string(n_steps) + " steps can be undone, and take " +
                   std::to_string(own_bytes >> 10) + " KiB");
}
BENCHMARK(keystroke_with_imported_weights)->Unit(benchmark::kMillisecond);

/// A frame that is nothing but one heatmap of n × n cells, whole, at 1280 × 800.
void heatmap_frame(benchmark::State& state) {
    const Index n = state.range(0);
    FrameLoop loop(window_of(1280, 800), make_headless_window);
    const auto values = std::make_shared<const Matrix>(Matrix::Random(n, n));
    const ColorScale scale = diverging_scale(theme_named(ThemeName::Light), 1);
    Figure figure{1280, 800, {}};
    figure.add(HeatmapMark{.box = {40, 20, 1200, 760}, .values = values, .scale = scale});
    loop.set_draw([&](FrameContext& context) {
        context.figures.draw(figure, *ImGui::GetBackgroundDrawList(), {0, 0});
    });
    loop.run_until_idle();
    draw_whole_frames(state, loop);
}
BENCHMARK(heatmap_frame)
    ->Arg(64)
    ->Arg(1024)
    ->Arg(4096)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

/// The whole window with the large picture of range(0) words, which moves a little in every frame:
/// whole (zoom 1), or enlarged range(1) times.
void frame_of_a_moving_matrix(benchmark::State& state) {
    Program program(window_of(1280, 800), make_headless_window);
    SentenceStudy study{.text = "", .layer = {}};
    const auto n_words = static_cast<double>(state.range(0));
    for (Index i = 0; i < state.range(0); ++i) study.text += "w" + std::to_string(i) + " ";
    study.layer.attention.n_heads = 2;
    program.workbench().open({.study = std::move(study), .seed = 1, .interventions = {}}, {});
    program.loop().wake();
    program.settle();
    PictureViews& views = program.workbench().selection().views;
    const Tensor& pattern = program.workbench().scene().trace.at(kPattern);
    const auto zoom = static_cast<double>(state.range(1));
    const double first = n_words / 4, last = 3 * n_words / 4;
    double row = first;
    draw_frames(state, program.loop(), [&] {
        row = row < last ? row + n_words / 100 / zoom : first;
        views.set(pattern, {zoom * (row < n_words / 2 ? 1.0 : 1.1), row, row});
    });
}
BENCHMARK(frame_of_a_moving_matrix)
    ->Args({64, 20})
    ->Args({4096, 1})
    ->Args({4096, 20})
    ->Args({4096, 400})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

/// Shows 12 layers of 12 heads for a text of n_words words.
void show_all_heads(Program& program, Index n_words) {
    SentenceStudy study{.text = "", .layer = {}};
    for (Index i = 0; i < n_words; ++i) study.text += "w" + std::to_string(i) + " ";
    study.layer.n_layers = study.layer.attention.n_heads = 12;
    study.layer.attention.d_k.values = study.layer.attention.d_v.values = {4};
    study.layer.d_model = 48;
    program.workbench().open({.study = std::move(study), .seed = 1, .interventions = {}}, {});
    program.loop().wake();
    program.settle();
    show(program.workbench().workspace(), "heads");
    program.loop().wake();
    program.settle();
}

void frame_of_all_heads(benchmark::State& state) {
    Program program(window_of(1280, 800), make_headless_window);
    show_all_heads(program, state.range(0));
    draw_whole_frames(state, program.loop());
}
BENCHMARK(frame_of_all_heads)->Arg(12)->Arg(512)->UseManualTime()->Unit(benchmark::kMillisecond);

/// The pointer moves from head to head.
void pointer_in_all_heads(benchmark::State& state) {
    Program program(window_of(1280, 800), make_headless_window);
    show_all_heads(program, state.range(0));
    move_pointer(state, program, places_of(program, "head 3.", 12));
}
BENCHMARK(pointer_in_all_heads)->Arg(12)->Arg(512)->UseManualTime()->Unit(benchmark::kMillisecond);

/// A graph of nodes in 20 planted communities and about five edges a node, nine of ten inside a
/// community.
Graph planted_graph(int n_nodes) {
    constexpr int kCommunities = 20;
    const auto n_edges = static_cast<std::size_t>(5 * n_nodes);
    std::mt19937 random(1);
    const auto below = [&](int end) {
        return static_cast<int>(random() % static_cast<unsigned>(end));
    };
    Graph graph{.title = "planted", .nodes = {}, .edges = {}};
    for (int i = 0; i < n_nodes; ++i)
        graph.nodes.push_back({.name = std::to_string(i), .group = 1 + i % kCommunities});
    std::set<std::pair<int, int>> edges;
    while (edges.size() < n_edges) {
        const int a = below(n_nodes);
        const bool is_inside = below(10) > 0;
        const int b = is_inside ? a % kCommunities + kCommunities * below(n_nodes / kCommunities)
                                : below(n_nodes);
        if (a != b) edges.insert(std::minmax(a, b));
    }
    for (const auto& [a, b] : edges) graph.edges.push_back({a, b});
    return graph;
}

void open_planted_graph(Program& program, benchmark::State& state) {
    Document document{
        .study = GraphStudy{.graph = planted_graph(static_cast<int>(state.range(0))), .layer = {}},
        .seed = 1,
        .interventions = {}};
    give_places(document);
    program.workbench().open(std::move(document), {});
    program.loop().wake();
    program.settle();
}

/// From the edges to the first picture that is drawn.
void open_a_large_graph(benchmark::State& state) {
    for (auto _ : state) {
        Program program(window_of(1280, 800), make_headless_window);
        program.settle();
        open_planted_graph(program, state);
        program.loop().finish_drawing();
    }
}
BENCHMARK(open_a_large_graph)->Arg(200)->Arg(20'000)->Unit(benchmark::kMillisecond)->Iterations(1);

/// The pointer moves from node to node.
void pointer_in_a_large_graph(benchmark::State& state) {
    Program program(window_of(1280, 800), make_headless_window);
    program.settle();
    open_planted_graph(program, state);
    move_pointer(state, program, places_of(program, "node ", 12));
    if (!program.workbench().selection().hovered().indices.query)
        throw Error("benchmark", "the pointer was on no node");
}
BENCHMARK(pointer_in_a_large_graph)
    ->Arg(200)
    ->Arg(20'000)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
