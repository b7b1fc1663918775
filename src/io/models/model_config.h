// config.json of a model's folder. Keys that no family asks for are refused, noted, or say nothing.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/settings.h"
#include "io/text/json_view.h"
#include "model/settings/setting_names.h"

namespace headlight {

/// Settings from config.json. A missing or null key has the given default, or is refused. Throws
/// Error with the line for a value of another kind or out of range.
class ModelConfig {
  public:
    /// Throws Error if the folder has no config.json.
    explicit ModelConfig(const std::filesystem::path& folder);
    ModelConfig(std::string_view json, std::string source);

    const std::string& source() const { return json_.name; }
    /// "gpt2". Throws Error if there is none.
    std::string model_type() const;

    int size(std::string_view key) const;  // of a layer: 1 to 100,000
    int size(std::string_view key, int otherwise) const;
    int size(std::string_view key, int otherwise, Range<int> range) const;
    int layers(std::string_view key) const;  // as many as a study can have
    int heads(std::string_view key) const;
    int heads(std::string_view key, int otherwise) const;
    int count(std::string_view key, int otherwise) const;  // 0 or more
    double number(std::string_view key, double otherwise) const;
    double number(std::string_view key, double otherwise, Range<double> range) const;
    float epsilon(std::string_view key, double otherwise) const;  // of a norm
    bool flag(std::string_view key, bool otherwise) const;
    std::string word(std::string_view key, const char* otherwise) const;
    /// The activation of an MLP. Throws Error for one that is not known.
    Mlp activation(std::string_view key, const char* otherwise) const;
    /// A member that is an object; nothing if it is missing or null.
    std::optional<JsonView> object(std::string_view key) const;
    /// Returns the whole of it, for keys that are read in other ways.
    JsonView view() const { return JsonView(json_); }
    bool has(std::string_view key) const { return find(key).has_value(); }
    bool was_asked(std::string_view key) const { return asked_.contains(key); }

    /// Throws Error, naming the key, unless it has this value or is missing.
    void expect_flag(std::string_view key, bool value) const;
    void expect_word(std::string_view key, std::string_view value) const;

  private:
    std::optional<JsonView> find(std::string_view key) const;
    JsonView at(std::string_view key) const;

    JsonSource json_;
    mutable std::set<std::string, std::less<>> asked_;  // keys, there or not
};

/// Throws Error, naming the key and its line, if the file has one that changes the numbers and that
/// the family has not asked for.
void refuse_other_arithmetic(const ModelConfig& config);

/// Notes of classes that the file names for the network and that are not those of transformers for
/// this type of model: what they compute is not known.
std::vector<std::string> notes_of_other_programs(const ModelConfig& config, std::string_view type);

/// The keys that nothing has asked for and that are not known to be of training, of the writing of
/// texts, of other tasks or of the file itself.
std::vector<std::string> unknown_keys(const ModelConfig& config);

}  // namespace headlight
