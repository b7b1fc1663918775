#include "io/models/model_config.h"

#include <array>
#include <limits>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "io/files/file.h"
#include "text/printable.h"

namespace headlight {
namespace {

constexpr const char* kConfig = "config.json";

/// What transformers calls the activations (ACT2FN). gelu_fast and gelu_pytorch_tanh are the curve
/// of gelu_new; gelu_python is gelu.
constexpr std::array<std::pair<std::string_view, Mlp>, 9> kActivations = {
    {{"relu", Mlp::Relu},
     {"gelu", Mlp::Gelu},
     {"gelu_python", Mlp::Gelu},
     {"gelu_new", Mlp::GeluTanh},
     {"gelu_fast", Mlp::GeluTanh},
     {"gelu_pytorch_tanh", Mlp::GeluTanh},
     {"gelu_accurate", Mlp::GeluTanh},
     {"silu", Mlp::Silu},
     {"swish", Mlp::Silu}}};

std::string config_text(const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / kConfig;
    std::error_code ignored;
    if (!std::filesystem::exists(std::filesystem::symlink_status(file, ignored)))
        throw Error(path_text(folder), "is not a model's folder: it has no config.json");
    return read_dense_file(file);
}

}  // namespace

ModelConfig::ModelConfig(const std::filesystem::path& folder)
    : ModelConfig(config_text(folder), path_text(folder / kConfig)) {}

ModelConfig::ModelConfig(std::string_view json, std::string source)
    : json_{source, parse_json(json, source)} {
    JsonView(json_).expect_object();
}

std::optional<JsonView> ModelConfig::find(std::string_view key) const {
    asked_.emplace(key);
    const auto found = JsonView(json_).find(key);
    if (!found || std::holds_alternative<std::monostate>(found->value().value)) return std::nullopt;
    return found;
}

JsonView ModelConfig::at(std::string_view key) const {
    asked_.emplace(key);
    return JsonView(json_).at(key);
}

std::string ModelConfig::model_type() const {
    return at("model_type").text();
}

int ModelConfig::size(std::string_view key) const {
    return static_cast<int>(at(key).integer(1, kMaxWidth));
}

int ModelConfig::size(std::string_view key, int otherwise) const {
    return has(key) ? size(key) : otherwise;
}

int ModelConfig::size(std::string_view key, int otherwise, Range<int> range) const {
    const auto found = find(key);
    return found ? static_cast<int>(found->integer(range.low, range.high)) : otherwise;
}

int ModelConfig::layers(std::string_view key) const {
    return static_cast<int>(at(key).integer(1, kMaxLayers));
}

int ModelConfig::heads(std::string_view key) const {
    return static_cast<int>(at(key).integer(1, kMaxHeads));
}

int ModelConfig::heads(std::string_view key, int otherwise) const {
    return has(key) ? heads(key) : otherwise;
}

int ModelConfig::count(std::string_view key, int otherwise) const {
    const auto found = find(key);
    constexpr int kMost = std::numeric_limits<int>::max() / 2;  // so that it can be counted on
    return found ? static_cast<int>(found->integer(0, kMost)) : otherwise;
}

double ModelConfig::number(std::string_view key, double otherwise) const {
    constexpr double kMost = std::numeric_limits<float>::max();
    return number(key, otherwise, {-kMost, kMost});
}

double ModelConfig::number(std::string_view key, double otherwise, Range<double> range) const {
    const auto found = find(key);
    return found ? found->real(range.low, range.high) : otherwise;
}

float ModelConfig::epsilon(std::string_view key, double otherwise) const {
    return static_cast<float>(number(key, otherwise, {0, 1}));
}

bool ModelConfig::flag(std::string_view key, bool otherwise) const {
    const auto found = find(key);
    return found ? found->flag() : otherwise;
}

std::string ModelConfig::word(std::string_view key, const char* otherwise) const {
    const auto found = find(key);
    return found ? found->text() : otherwise;
}

Mlp ModelConfig::activation(std::string_view key, const char* otherwise) const {
    const auto found = find(key);
    if (found) return found->choice(kActivations);
    for (const auto& [name, activation] : kActivations)
        if (name == otherwise) return activation;
    throw Error(source(), "has no " + std::string(key));
}

std::optional<JsonView> ModelConfig::object(std::string_view key) const {
    const auto found = find(key);
    if (found) found->expect_object();
    return found;
}

void ModelConfig::expect_flag(std::string_view key, bool value) const {
    const auto found = find(key);
    if (found && found->flag() != value)
        found->fail(std::string("must be ") + (value ? "true" : "false") +
                    "; the other kind is not supported");
}

void ModelConfig::expect_word(std::string_view key, std::string_view value) const {
    const auto found = find(key);
    if (found && found->text() != value)
        found->fail("must be \"" + std::string(value) + "\", not \"" + printable(found->text()) +
                    "\", which is not supported");
}

}  // namespace headlight
