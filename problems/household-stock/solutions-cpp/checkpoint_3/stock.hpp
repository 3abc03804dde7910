// The lots in the pantry and what may be done with them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "values.hpp"

/// What one `add` puts into the pantry.
struct Lot {
    std::string name;
    Quantity quantity;
    std::optional<std::string> best_before;
    std::string place;

    bool operator==(const Lot&) const = default;
};

/// The texts of a user that make a lot.
struct LotTexts {
    std::string name;
    std::string quantity;
    std::optional<std::string> best_before;
    std::optional<std::string> place;
};

/// Refuses the first text that is wrong, in the order of the members.
Lot parse_lot(const LotTexts& texts);

std::string describe(const Lot& lot);

/// All lots, in the order in which they were added.
class Stock {
public:
    Stock() = default;
    explicit Stock(std::vector<Lot> lots) : lots_(std::move(lots)) {}

    const std::vector<Lot>& lots() const { return lots_; }

    /// The lots by name, those of one name in taking order.
    std::vector<Lot> ordered() const;

    /// The sum of the lots of each name.
    std::map<std::string, Quantity> totals() const;

    void add(Lot lot);
    void take(const std::string& name, const Quantity& wanted);

    /// Moves the lots of a name, from one place or from all; returns their number.
    std::size_t move(const std::string& name, const std::string& place, const std::optional<std::string>& origin);

private:
    const Lot* find(const std::string& name) const;
    void require_stock(const std::string& name) const;
    void require_unit(const std::string& name, const std::string& unit) const;

    std::vector<Lot> lots_;
};
