#include "stock.hpp"

#include <algorithm>
#include <tuple>

namespace {

constexpr const char* default_place = "shelf";

/// Sorts by name, then dated lots before others, then by date.
auto listing_order(const Lot& lot) {
    return std::tuple(std::string_view(lot.name), !lot.best_before, lot.best_before);
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

const Lot* Stock::find(const std::string& name) const {
    const auto found = std::ranges::find(lots_, name, &Lot::name);
    return found == lots_.end() ? nullptr : &*found;
}

void Stock::require_stock(const std::string& name) const {
    if (!find(name)) {
        throw Refusal("no " + name + " in stock");
    }
}

void Stock::require_unit(const std::string& name, const std::string& unit) const {
    const Lot* kept = find(name);
    if (kept && kept->quantity.unit != unit) {
        throw Refusal(name + " is kept in " + kept->quantity.unit);
    }
}

void Stock::add(Lot lot) {
    require_unit(lot.name, lot.quantity.unit);
    lots_.push_back(std::move(lot));
}

void Stock::take(const std::string& name, const Quantity& wanted) {
    require_stock(name);
    require_unit(name, wanted.unit);
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
