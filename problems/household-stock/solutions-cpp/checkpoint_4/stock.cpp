#include "stock.hpp"

#include <algorithm>
#include <functional>
#include <tuple>

namespace {

constexpr const char* default_place = "shelf";

/// Sorts by name, then dated lots before others, then by date.
auto listing_order(const Lot& lot) {
    return std::tuple(std::string_view(lot.name), !lot.best_before, lot.best_before);
}

/// Refuses a unit other than the one that a name is kept in.
void require_unit(const std::string& name, const std::optional<std::string>& kept_in,
                  const std::optional<std::string>& unit) {
    if (kept_in && unit && *kept_in != *unit) {
        throw Refusal(name + " is kept in " + *kept_in);
    }
}

}  // namespace

Lot parse_lot(const LotTexts& texts) {
    Lot lot;
    lot.name = parse_word(texts.name, "name");
    lot.quantity = parse_quantity(texts.quantity);
    if (texts.best_before) {
        lot.best_before = parse_date(*texts.best_before);
    }
    lot.place = parse_word(texts.place.value_or(default_place), "place");
    return lot;
}

std::string describe(const Lot& lot) {
    const std::string date = lot.best_before ? ", best before " + *lot.best_before : "";
    return lot.name + ": " + describe(lot.quantity) + date + ", " + lot.place;
}

std::string Stock::resolve(const std::string& name) const {
    const auto found = aliases_.find(name);
    return found == aliases_.end() ? name : found->second;
}

std::vector<Lot> Stock::ordered() const {
    std::vector<Lot> lots = lots_;
    std::ranges::stable_sort(lots, {}, listing_order);
    return lots;
}

std::map<std::string, Quantity> Stock::totals() const {
    std::map<std::string, Quantity> sums;
    for (const Lot& lot : lots_) {
        Quantity& sum = sums.try_emplace(lot.name, Quantity{0, lot.quantity.unit}).first->second;
        sum.amount += lot.quantity.amount;
    }
    return sums;
}

std::optional<std::string> Stock::unit_in_stock(const std::string& name) const {
    const auto found = std::ranges::find(lots_, name, &Lot::name);
    return found == lots_.end() ? std::nullopt : std::optional(found->quantity.unit);
}

/// The unit of a name's lots, else of its minimum.
std::optional<std::string> Stock::unit_of(const std::string& name) const {
    const auto minimum = minimums_.find(name);
    if (const auto unit = unit_in_stock(name); unit || minimum == minimums_.end()) {
        return unit;
    }
    return minimum->second.unit;
}

void Stock::require_stock(const std::string& name) const {
    if (!unit_in_stock(name)) {
        throw Refusal("no " + name + " in stock");
    }
}

const Lot& Stock::add(Lot lot) {
    lot.name = resolve(lot.name);
    require_unit(lot.name, unit_of(lot.name), lot.quantity.unit);
    lots_.push_back(std::move(lot));
    return lots_.back();
}

void Stock::take(const std::string& name, const Quantity& wanted) {
    require_stock(name);
    require_unit(name, unit_in_stock(name), wanted.unit);
    const Quantity in_stock = totals().at(name);
    if (in_stock.amount < wanted.amount) {
        throw Refusal("only " + describe(in_stock) + " of " + name + " left");
    }
    std::vector<Lot*> lots;
    for (Lot& lot : lots_) {
        if (lot.name == name) {
            lots.push_back(&lot);
        }
    }
    std::ranges::stable_sort(lots, {}, [](const Lot* lot) { return listing_order(*lot); });
    std::uint64_t missing = wanted.amount;
    for (Lot* lot : lots) {
        const std::uint64_t used = std::min(missing, lot->quantity.amount);
        lot->quantity.amount -= used;
        missing -= used;
    }
    std::erase_if(lots_, [](const Lot& lot) { return lot.quantity.amount == 0; });
}

std::size_t Stock::move(const std::string& name, const std::string& place, const std::optional<std::string>& origin) {
    require_stock(name);
    std::size_t count = 0;
    for (Lot& lot : lots_) {
        if (lot.name == name && (!origin || lot.place == *origin)) {
            lot.place = place;
            ++count;
        }
    }
    if (count == 0) {
        throw Refusal("no " + name + " in " + *origin);
    }
    return count;
}

std::vector<Lot> Stock::expire(const std::string& date) {
    const auto is_fresh = [&](const Lot& lot) { return !lot.best_before || *lot.best_before >= date; };
    std::vector<Lot> gone = ordered();
    std::erase_if(gone, is_fresh);
    std::erase_if(lots_, std::not_fn(is_fresh));
    return gone;
}

void Stock::alias(const std::string& other, const std::string& name) {
    if (other == name) {
        throw Refusal("cannot alias " + name + " to itself");
    }
    require_unit(name, unit_of(name), unit_of(other));
    for (Lot& lot : lots_) {
        if (lot.name == other) {
            lot.name = name;
        }
    }
    if (auto minimum = minimums_.extract(other)) {
        minimum.key() = name;
        minimums_.insert(std::move(minimum));
    }
    for (auto& [alias, target] : aliases_) {
        if (target == other) {
            target = name;
        }
    }
    aliases_[other] = name;
}

void Stock::set_minimum(const std::string& name, const Quantity& minimum) {
    require_unit(name, unit_in_stock(name), minimum.unit);
    minimums_[name] = minimum;
}

void Stock::drop_minimum(const std::string& name) {
    if (minimums_.erase(name) == 0) {
        throw Refusal("no minimum for " + name);
    }
}
