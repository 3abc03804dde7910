// As much of JSON as the pantry's files need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// A text that is not JSON, or a value that is not of the expected kind.
struct JsonError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Json {
    struct Member;
    using List = std::vector<Json>;
    /// Members in the order of the text.
    using Object = std::vector<Member>;

    std::variant<std::nullptr_t, bool, std::uint64_t, double, std::string, List, Object> value;

    /// The value as one of the kinds above.
    template <typename Kind>
    const Kind& as() const {
        if (const auto* held = std::get_if<Kind>(&value)) {
            return *held;
        }
        throw JsonError("a value of another kind");
    }

    /// The value of a member, or null if an object has none of that name.
    const Json* find(std::string_view key) const;

    const Json& at(std::string_view key) const;
};

struct Json::Member {
    std::string key;
    Json value;
};

/// The value on one line, with a space after each colon and comma.
std::string to_text(const Json& json);

Json parse_json(std::string_view text);
