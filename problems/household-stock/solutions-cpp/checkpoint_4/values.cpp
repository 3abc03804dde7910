#include "values.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <limits>
#include <optional>

#include "text.hpp"

namespace {

struct Unit {
    std::string_view name;
    std::string_view base;
    std::uint64_t worth;
};

constexpr std::array units{Unit{"g", "g", 1}, Unit{"kg", "g", 1000}, Unit{"ml", "ml", 1},
                           Unit{"l", "ml", 1000}, Unit{"pc", "pc", 1}};

bool is_digit(char c) {
    return '0' <= c && c <= '9';
}

/// The number that a text of digits stands for, unless it is too large.
std::optional<std::uint64_t> parse_number(std::string_view text) {
    std::uint64_t number = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
    if (!std::ranges::all_of(text, is_digit) || result.ec != std::errc{}) {
        return std::nullopt;
    }
    return number;
}

std::optional<Quantity> read_quantity(std::string_view text) {
    const auto digits = std::ranges::find_if_not(text, is_digit) - text.begin();
    const auto number = parse_number(text.substr(0, digits));
    const auto unit = std::ranges::find(units, text.substr(digits), &Unit::name);
    if (unit == units.end() || !number || *number == 0) {
        return std::nullopt;
    }
    if (*number > std::numeric_limits<std::uint64_t>::max() / unit->worth) {
        return std::nullopt;
    }
    return Quantity{*number * unit->worth, std::string(unit->base)};
}

bool is_date(std::string_view text) {
    if (text.size() != 10 || text[4] != '-' || text[7] != '-') {
        return false;
    }
    const auto year = parse_number(text.substr(0, 4));
    const auto month = parse_number(text.substr(5, 2));
    const auto day = parse_number(text.substr(8, 2));
    if (!year || !month || !day || *year == 0) {
        return false;
    }
    return std::chrono::year_month_day(std::chrono::year(static_cast<int>(*year)),
                                       std::chrono::month(static_cast<unsigned>(*month)),
                                       std::chrono::day(static_cast<unsigned>(*day)))
        .ok();
}

}  // namespace

std::string describe(const Quantity& quantity) {
    return std::to_string(quantity.amount) + " " + quantity.unit;
}

std::string parse_word(std::string_view text, const std::string& kind) {
    std::string word = lowered(trimmed(text));
    if (word.empty()) {
        throw Refusal("empty " + kind);
    }
    return word;
}

Quantity parse_quantity(std::string_view text) {
    auto quantity = read_quantity(text);
    if (!quantity) {
        throw Refusal("bad quantity '" + std::string(text) + "'");
    }
    return *quantity;
}

std::size_t parse_count(std::string_view text) {
    if (!std::ranges::all_of(text, is_digit) || text.find_first_not_of('0') == std::string_view::npos) {
        throw Refusal("bad count '" + std::string(text) + "'");
    }
    // More than can be counted is more than there is.
    return parse_number(text).value_or(std::numeric_limits<std::size_t>::max());
}

std::string parse_date(std::string_view text) {
    if (!is_date(text)) {
        throw Refusal("bad date '" + std::string(text) + "'");
    }
    return std::string(text);
}
