#include "query.hpp"

#include <algorithm>
#include <functional>
#include <string_view>

#include "text.hpp"

namespace {

using Filter = std::function<bool(const Lot&)>;

/// The text behind its first character.
std::string_view behind_first(std::string_view text) {
    std::size_t size = 1;
    while (size < text.size() && (text[size] & 0xc0) == 0x80) {
        ++size;
    }
    return text.substr(size);
}

bool matches(std::string_view pattern, std::string_view text) {
    if (pattern.empty()) {
        return text.empty();
    }
    const std::string_view rest = pattern.substr(1);
    if (pattern.front() == '*') {
        return matches(rest, text) || (!text.empty() && matches(pattern, text.substr(1)));
    }
    if (text.empty()) {
        return false;
    }
    if (pattern.front() == '?') {
        return matches(rest, behind_first(text));
    }
    return pattern.front() == text.front() && matches(rest, text.substr(1));
}

/// The filters that were given; the first that is wrong is refused.
std::vector<Filter> parse_filters(const Options& options) {
    std::vector<Filter> filters;
    if (const auto text = options.get("--name")) {
        filters.push_back([pattern = lowered(trimmed(*text))](const Lot& lot) { return matches(pattern, lot.name); });
    }
    if (const auto text = options.get("--place")) {
        filters.push_back([place = parse_word(*text, "place")](const Lot& lot) { return lot.place == place; });
    }
    if (const auto text = options.get("--before")) {
        filters.push_back([date = parse_date(*text)](const Lot& lot) {
            return lot.best_before && *lot.best_before < date;
        });
    }
    if (options.has("--undated")) {
        filters.push_back([](const Lot& lot) { return !lot.best_before; });
    }
    if (const auto text = options.get("--min")) {
        filters.push_back([least = parse_quantity(*text)](const Lot& lot) {
            return lot.quantity.unit == least.unit && lot.quantity.amount >= least.amount;
        });
    }
    if (const auto text = options.get("--max")) {
        filters.push_back([most = parse_quantity(*text)](const Lot& lot) {
            return lot.quantity.unit == most.unit && lot.quantity.amount <= most.amount;
        });
    }
    return filters;
}

}  // namespace

std::vector<Lot> choose(std::vector<Lot> lots, const Options& options) {
    for (const Filter& filter : parse_filters(options)) {
        std::erase_if(lots, std::not_fn(filter));
    }
    return lots;
}
