// Twin test: the window's picture against the colours of the painted figure, pixel by pixel.
#include "render/heatmap_renderer.h"

#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <random>
#include <set>

#include "core/error.h"
#include "figure/color_scale.h"
#include "render/framebuffer.h"
#include "render/gl_context.h"

namespace headlight::heatmap_renderer_test {
namespace {

constexpr Scalar kNaN = std::numeric_limits<Scalar>::quiet_NaN();
constexpr Color kGround{250, 250, 240, 255};
constexpr int kWidth = 211, kHeight = 157;
// Up to so many pixels a heatmap is coloured without the shader: none, and those of these tests.
constexpr float kByShader = 0, kColoredBefore = 1e6;

ColorScale test_scale() {
    ColorScale scale;
    scale.low = -1;
    scale.high = 1;
    for (int k = 0; k < 256; ++k) {
        scale.colors.push_back({static_cast<std::uint8_t>(k), static_cast<std::uint8_t>(255 - k),
                                static_cast<std::uint8_t>(k * 7 % 256), 255});
    }
    return scale;
}

MatrixPtr random_matrix(Index rows, Index columns, unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<float> uniform(-1.1f, 1.1f);
    return std::make_shared<Matrix>(
        Matrix::NullaryExpr(rows, columns, [&] { return uniform(generator); }));
}

MatrixPtr with_holes(const MatrixPtr& matrix) {
    Matrix holes = *matrix;
    std::mt19937 generator(9);
    for (Index k = 0; k < holes.size(); ++k) {
        if (generator() % 11 == 0) holes.data()[k] = kMasked;
        if (generator() % 97 == 0) holes.data()[k] = kNaN;
    }
    holes.topLeftCorner(holes.rows() / 2, holes.cols() / 2).setConstant(kMasked);
    return std::make_shared<Matrix>(holes);
}

struct Drawing {
    explicit Drawing(float small_px2 = HeatmapRenderer::kSmall_px2)
        : renderer(HeatmapRenderer::kBudget_bytes, small_px2) {}

    HeadlessContext context;
    HeatmapRenderer renderer;
    Framebuffer picture{kWidth, kHeight};

    Pixels draw(const HeatmapMark& mark, const Box& box,
                const Box& clip = {0, 0, kWidth, kHeight}) {
        picture.bind();
        glClearColor(kGround.r / 255.f, kGround.g / 255.f, kGround.b / 255.f, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        renderer.draw(mark, {box, clip, kWidth, kHeight, 1});
        renderer.end_frame();
        CHECK(glGetError() == GL_NO_ERROR);
        return picture.read();
    }
};

Color blended(Color above, Color below) {
    const auto mix = [&](int a, int b) {
        return static_cast<std::uint8_t>(std::lround((a * above.a + b * (255.0 - above.a)) / 255));
    };
    return {mix(above.r, below.r), mix(above.g, below.g), mix(above.b, below.b), 255};
}

// The first and last cell that a pixel covers along one axis, in whole blocks of 2^steps cells.
std::pair<Index, Index> covered_cells(double pixel, double start, double size, Index n) {
    const double per_pixel = n / size;
    const double place = (pixel + 0.5 - start) * per_pixel;
    if (per_pixel <= 1) {
        const Index cell = std::clamp<Index>(static_cast<Index>(std::floor(place)), 0, n - 1);
        return {cell, cell};
    }
    const int steps = static_cast<int>(std::ceil(std::log2(per_pixel)));
    const double block = std::ldexp(1.0, steps);
    const auto low = static_cast<Index>(std::floor((place - per_pixel / 2) / block));
    const auto high = static_cast<Index>(std::ceil((place + per_pixel / 2) / block)) - 1;
    const Index last = (n - 1) >> steps;
    const Index a = std::clamp<Index>(low, 0, last), b = std::clamp<Index>(high, a, last);
    return {a << steps, std::min(n, (b + 1) << steps) - 1};
}

Scalar strongest(const Matrix& block) {
    Scalar best = kMasked;
    for (Index k = 0; k < block.size(); ++k) {
        const Scalar value = block.data()[k];
        if (std::isnan(value)) return value;
        if (value == kMasked) continue;
        const bool first = best == kMasked;
        const Scalar a = std::abs(value), b = std::abs(best);
        if (first || a > b || (a == b && value > best)) best = value;
    }
    return best;
}

Color expected(const HeatmapMark& mark, const Box& box, double x, double y) {
    const auto [left, right] = covered_cells(x, box.x, box.width, mark.values->cols());
    const auto [top, bottom] = covered_cells(y, box.y, box.height, mark.values->rows());
    const Matrix block = mark.values->block(top, left, bottom - top + 1, right - left + 1);
    return blended(value_color(mark.scale, strongest(block)), kGround);
}

bool is_near(const std::uint8_t* pixel, Color color) {
    return std::abs(pixel[0] - color.r) <= 1 && std::abs(pixel[1] - color.g) <= 1 &&
           std::abs(pixel[2] - color.b) <= 8;  // blue changes by 7 from one index to the next
}

// A pixel has one colour, or one of several if an edge between cells is within rounding.
bool is_right(const std::uint8_t* pixel, const HeatmapMark& mark, const Box& box, int x, int y) {
    if (!box.contains({x + 0.5f, y + 0.5f})) return is_near(pixel, kGround);
    for (double dx : {0.0, -1e-3, 1e-3})
        for (double dy : {0.0, -1e-3, 1e-3})
            if (is_near(pixel, expected(mark, box, x + dx, y + dy))) return true;
    return false;
}

int count_wrong(const Pixels& pixels, const HeatmapMark& mark, const Box& box) {
    int wrong = 0;
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x) wrong += !is_right(pixels.at(x, y), mark, box, x, y);
    return wrong;
}

const Box kBoxes[] = {
    {0, 0, kWidth, kHeight},    // fills the picture
    {10.25f, 5.6f, 100, 73},    // between pixels
    {3, 7, 13, 140},            // zoomed out along x, and zoomed in along y for some matrices
    {-900, -500, 4000, 3000}};  // zoomed in, mostly outside

void check_against_figure(Drawing& drawing, Index rows, Index columns) {
    for (const MatrixPtr& values :
         {random_matrix(rows, columns, 3), with_holes(random_matrix(rows, columns, 4))}) {
        for (const Box& box : kBoxes) {
            CAPTURE(rows);
            CAPTURE(columns);
            CAPTURE(box.width);
            const HeatmapMark mark{box, values, test_scale()};
            CHECK(count_wrong(drawing.draw(mark, box), mark, box) == 0);
        }
    }
}

}  // namespace

TEST_CASE("heatmap: every pixel has the same colour as in the painted figure, zoomed in and out") {
    for (const float small_px2 : {kByShader, kColoredBefore}) {
        CAPTURE(small_px2);
        Drawing drawing(small_px2);
        check_against_figure(drawing, 1, 1);
        check_against_figure(drawing, 3, 5);
        check_against_figure(drawing, 64, 64);
        check_against_figure(drawing, 129, 257);
        check_against_figure(drawing, 700, 33);
        check_against_figure(drawing, 911, 1023);
    }
}

TEST_CASE(
    "heatmap: log scales have the same colours as in the painted figure, for one sign and for "
    "both") {
    const Box box{5, 3, 190, 150};
    for (const auto& [low, small_px2] : {std::pair{Scalar(0.01), kByShader},
                                         {Scalar(-1), kByShader},
                                         {Scalar(0.01), kColoredBefore},
                                         {Scalar(-1), kColoredBefore}}) {
        Drawing drawing(small_px2);
        HeatmapMark mark{box, with_holes(random_matrix(40, 60, 8)), test_scale()};
        mark.scale.steps = ColorScale::Steps::Log;
        mark.scale.low = low;
        mark.scale.floor = Scalar(0.01);
        CHECK(count_wrong(drawing.draw(mark, box), mark, box) == 0);
        HeatmapMark other = mark;
        other.scale.floor = Scalar(0.02);
        CHECK(count_wrong(drawing.draw(other, box), mark, box) > 0);
    }
}

TEST_CASE("heatmap: in a matrix of 4,096 rows one bright cell is visible at every zoom") {
    Drawing drawing;
    auto values = std::make_shared<Matrix>(Matrix::Zero(4096, 4096));
    (*values)(1234, 2345) = -1;
    const Box frame{10, 10, 150, 140};
    for (float zoom = 1; zoom < 2000; zoom *= 2.7f) {
        CAPTURE(zoom);
        const float width = frame.width * zoom, height = frame.height * zoom;
        // The cell is in the middle of the frame.
        const Box box{frame.center().x - 2345.5f / 4096 * width,
                      frame.center().y - 1234.5f / 4096 * height, width, height};
        const Pixels pixels = drawing.draw({box, values, test_scale()}, box, frame);
        int seen = 0;
        for (int y = 0; y < kHeight; ++y)
            for (int x = 0; x < kWidth; ++x)
                seen += is_near(pixels.at(x, y), test_scale().colors[0]);
        CHECK(seen >= 1);
        const float cells = width / 4096 * height / 4096;
        CHECK(static_cast<float>(seen) <= std::max(16.0f, 4 * cells + 16));
    }
}

TEST_CASE("heatmap: zoomed out, the mean of the numbers is shown if requested") {
    float small_px2 = 0;
    SUBCASE("by the shader") {
        small_px2 = kByShader;
    }
    SUBCASE("coloured before") {
        small_px2 = kColoredBefore;
    }
    Drawing drawing(small_px2);
    const Box box{0, 0, 64, 64};
    Matrix stripes(512, 512);
    for (Index i = 0; i < 512; ++i) stripes.row(i).setConstant(i % 2 == 0 ? 1 : Scalar(0.5));
    stripes.topRows(256).leftCols(256).setConstant(kMasked);
    stripes(300, 300) = kMasked;
    HeatmapMark mark{box, std::make_shared<Matrix>(stripes), test_scale()};
    mark.far_out = FarOut::Mean;
    const Pixels pixels = drawing.draw(mark, box);
    const Color mean = value_color(mark.scale, Scalar(0.75));
    CHECK(is_near(pixels.at(50, 10), mean));
    CHECK(is_near(pixels.at(37, 37), mean));
    CHECK(is_near(pixels.at(10, 50), mean));
    CHECK(is_near(pixels.at(10, 10), blended(test_scale().masked_color, kGround)));
    mark.far_out = FarOut::Strongest;
    CHECK(is_near(drawing.draw(mark, box).at(50, 10), test_scale().colors[255]));
    // Between two pooling levels a pixel still averages exactly what it covers.
    mark.far_out = FarOut::Mean;
    const Box odd{0.3f, 0.6f, 101.7f, 77.3f};
    CHECK(is_near(drawing.draw(mark, odd).at(80, 20), mean));
}

TEST_CASE("heatmap: the twin test rejects a picture that is shifted by one cell") {
    Drawing drawing;
    const Box box{0, 0, kWidth, kHeight};
    const HeatmapMark mark{box, random_matrix(20, 20, 5), test_scale()};
    Matrix other = *mark.values;
    other(7, 9) = -other(7, 9);
    const HeatmapMark lie{box, std::make_shared<Matrix>(other), test_scale()};
    CHECK(count_wrong(drawing.draw(lie, box), mark, box) > 0);
}

TEST_CASE("heatmap: one peak among a million cells is visible") {
    Drawing drawing;
    const Box box{20, 20, 100, 100};
    for (const auto& [row, column] : {std::pair{0, 0}, {517, 333}, {1023, 1023}}) {
        auto values = std::make_shared<Matrix>(Matrix::Zero(1024, 1024));
        (*values)(row, column) = -1;
        const Pixels pixels = drawing.draw({box, values, test_scale()}, box);
        int seen = 0;
        for (int y = 0; y < kHeight; ++y)
            for (int x = 0; x < kWidth; ++x)
                seen += is_near(pixels.at(x, y), test_scale().colors[0]);
        CHECK(seen >= 1);
    }
}

TEST_CASE("heatmap: it is clipped") {
    Drawing drawing;
    const Box box{0, 0, kWidth, kHeight};
    const HeatmapMark mark{box, std::make_shared<Matrix>(Matrix::Ones(2, 2)), test_scale()};
    const Pixels pixels = drawing.draw(mark, box, {50, 60, 20, 10});
    int drawn = 0;
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x) drawn += !is_near(pixels.at(x, y), kGround);
    CHECK(drawn == 20 * 10);
    CHECK_FALSE(is_near(pixels.at(50, 60), kGround));
}

TEST_CASE("heatmap: new colours upload no values") {
    Drawing drawing(kByShader);
    const Box box{0, 0, kWidth, kHeight};
    HeatmapMark mark{box, random_matrix(50, 50, 1), test_scale()};
    drawing.draw(mark, box);
    const int uploads = drawing.renderer.stats().n_uploads;
    mark.scale.low = -3;
    std::swap(mark.scale.colors.front(), mark.scale.colors.back());
    CHECK(count_wrong(drawing.draw(mark, box), mark, box) == 0);
    CHECK(drawing.renderer.stats().n_uploads == uploads);
}

TEST_CASE("heatmap: a small one is coloured when it first looks so, not where it is moved") {
    Drawing drawing;
    Box box{3.4f, 2.7f, 100.3f, 90.2f};
    HeatmapMark mark{box, random_matrix(300, 200, 1), test_scale()};
    const auto uploads_after_drawing = [&] {
        mark.box = box;
        CHECK(count_wrong(drawing.draw(mark, box), mark, box) == 0);
        return drawing.renderer.stats().n_uploads;
    };
    CHECK(uploads_after_drawing() == 1);
    CHECK(uploads_after_drawing() == 1);
    box.x += 70;
    box.y += 31;
    CHECK(uploads_after_drawing() == 1);
    mark.scale.high = 3;
    CHECK(uploads_after_drawing() == 2);
    std::swap(mark.scale.colors.front(), mark.scale.colors.back());
    CHECK(uploads_after_drawing() == 3);
    box.x += 0.5f;
    CHECK(uploads_after_drawing() == 4);
    box.height -= 7;
    CHECK(uploads_after_drawing() == 5);
    mark.values = random_matrix(300, 200, 2);
    CHECK(uploads_after_drawing() == 6);
}

TEST_CASE("heatmap: large ones and those with a grid are coloured by the shader") {
    Drawing drawing;
    const Box box{0, 0, 90, 90}, large{0, 0, 300, 300};
    HeatmapMark mark{box, random_matrix(9, 9, 1), test_scale()};
    const auto draw = [&](const Box& at) {
        mark.box = at;
        CHECK(count_wrong(drawing.draw(mark, at), mark, at) == 0);
        return drawing.renderer.stats().size_bytes;
    };
    const std::size_t pixels = 4 * 90 * 90, values = 4 * 9 * 9;
    CHECK(draw(box) == pixels);
    CHECK(draw(large) == pixels + values);
    mark.grid_width = 1;
    mark.grid_color = {0, 0, 0, 0};
    CHECK(draw(box) == pixels + values);
}

TEST_CASE("heatmap: grid lines lie between the cells, and only there") {
    Drawing drawing;
    HeatmapMark mark{{10, 10, 100, 60}, std::make_shared<Matrix>(Matrix::Ones(3, 5)), test_scale()};
    mark.grid_color = {0, 0, 255, 255};
    mark.grid_width = 2;
    const Pixels pixels = drawing.draw(mark, mark.box);
    for (int x = 10; x < 110; ++x) {
        const int away = (x - 10) % 20;
        const bool line = (away == 0 || away == 19) && x != 10 && x != 109;
        CAPTURE(x);
        CHECK(is_near(pixels.at(x, 20), line ? mark.grid_color : test_scale().colors[255]));
    }
}

TEST_CASE("heatmap: a grid that is too fine for its cells is left out") {
    Drawing drawing;
    HeatmapMark mark{{0, 0, 90, 90}, random_matrix(30, 30, 2), test_scale()};
    mark.grid_width = 1;
    CHECK(count_wrong(drawing.draw(mark, mark.box), mark, mark.box) == 0);
}

TEST_CASE("heatmap: drawing nothing is not an error") {
    Drawing drawing;
    const Box box{0, 0, 50, 50};
    const HeatmapMark nothing{box, nullptr, test_scale()};
    CHECK(is_near(drawing.draw(nothing, box).at(5, 5), kGround));
    const HeatmapMark empty{box, std::make_shared<Matrix>(0, 4), test_scale()};
    CHECK(is_near(drawing.draw(empty, box).at(5, 5), kGround));
    const HeatmapMark ones{box, std::make_shared<Matrix>(Matrix::Ones(2, 2)), test_scale()};
    CHECK(is_near(drawing.draw(ones, {0, 0, 0, 50}).at(0, 5), kGround));
    CHECK(is_near(drawing.draw(ones, {500, 0, 50, 50}).at(5, 5), kGround));
}

TEST_CASE("heatmap: a scale without 256 colours is an error") {
    Drawing drawing;
    const HeatmapMark mark{{0, 0, 9, 9}, random_matrix(2, 2, 1), ColorScale{}};
    CHECK_THROWS_WITH_AS(drawing.draw(mark, mark.box), doctest::Contains("0 colours"), Error);
}

TEST_CASE("axis_sampling: zoomed in, a pixel is one cell; zoomed out, it covers whole texels") {
    CHECK(axis_sampling(10, 100, 1024).pool_steps == 0);
    CHECK(axis_sampling(10, 100, 1024).half_footprint == 0);
    const AxisSampling far = axis_sampling(1000, 100, 1024);
    CHECK(far.pool_steps == 4);
    CHECK(far.texels_per_pixel == doctest::Approx(10.0 / 16));
    CHECK(axis_sampling(5, 0.001f, 1024).pool_steps == 3);      // already one block
    CHECK(axis_sampling(20000, 40000, 16384).pool_steps == 1);  // limited by the size of a texture
}

}  // namespace headlight::heatmap_renderer_test
