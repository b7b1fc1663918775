// Textures: one for each matrix and each visible level, within the budget.
#include "render/value_textures.h"

#include <doctest/doctest.h>

#include "render/gl_context.h"

namespace headlight::value_textures_test {
namespace {

MatrixPtr ones(Index n) {
    return std::make_shared<Matrix>(Matrix::Ones(n, n));
}

}  // namespace

TEST_CASE("value_textures: a level is uploaded once") {
    const HeadlessContext context;
    ValueTextures textures(1 << 20);
    const MatrixPtr matrix = ones(9);
    CHECK(textures.level(matrix, {0, 0}).columns == 9);
    CHECK(textures.level(matrix, {0, 0}).columns == 9);
    CHECK(textures.n_uploads() == 1);
    textures.end_frame();
    const LevelTextures& pooled = textures.level(matrix, {2, 1});
    CHECK(pooled.columns == 3);
    CHECK(pooled.rows == 5);
    CHECK(textures.n_uploads() == 2);
}

TEST_CASE("value_textures: the texture of a deleted matrix is deleted") {
    const HeadlessContext context;
    ValueTextures textures(1 << 20);
    MatrixPtr matrix = ones(8);
    textures.level(matrix, {0, 0});
    textures.end_frame();
    CHECK(textures.n_matrices() == 1);
    matrix.reset();
    textures.end_frame();
    CHECK(textures.n_matrices() == 0);
    CHECK(textures.size_bytes() == 0);
}

TEST_CASE("value_textures: a new matrix at an old address is not mistaken for the old one") {
    const HeadlessContext context;
    ValueTextures textures(1 << 20);
    Matrix storage = Matrix::Ones(4, 4);
    MatrixPtr first(&storage, [](const Matrix*) {});
    textures.level(first, {0, 0});
    first.reset();
    storage = Matrix::Ones(6, 6);
    const MatrixPtr second(&storage, [](const Matrix*) {});
    CHECK(textures.level(second, {0, 0}).columns == 6);
}

TEST_CASE("value_textures: the least recently drawn textures go when the budget is spent") {
    const HeadlessContext context;
    ValueTextures textures(2 * 64 * 64 * 4);
    const MatrixPtr a = ones(64), b = ones(64), c = ones(64);
    for (const MatrixPtr& matrix : {a, b, c}) {
        textures.level(matrix, {0, 0});
        textures.end_frame();
    }
    CHECK(textures.n_matrices() == 2);
    textures.level(c, {0, 0});
    CHECK(textures.n_uploads() == 3);
    textures.level(a, {0, 0});
    CHECK(textures.n_uploads() == 4);
}

TEST_CASE("value_textures: textures of the current frame stay, even above the budget") {
    const HeadlessContext context;
    ValueTextures textures(16);
    const MatrixPtr a = ones(64), b = ones(64);
    textures.level(a, {0, 0});
    textures.level(b, {0, 0});
    textures.end_frame();
    CHECK(textures.n_matrices() == 2);
}

TEST_CASE("value_textures: textures that are not drawn for a long time are deleted") {
    const HeadlessContext context;
    ValueTextures textures(1 << 20);
    const MatrixPtr matrix = ones(8);
    textures.level(matrix, {0, 0});
    for (int frame = 0; frame < 1000; ++frame) textures.end_frame();
    CHECK(textures.n_matrices() == 0);
}

}  // namespace headlight::value_textures_test
