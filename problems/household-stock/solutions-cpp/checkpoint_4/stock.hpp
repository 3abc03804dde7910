// The lots in the pantry, the rules for them, and what may be done with both.
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

/// The names that others stand for, by these others.
using Aliases = std::map<std::string, std::string>;

/// What should always be there, by name.
using Minimums = std::map<std::string, Quantity>;

/// All lots, in the order in which they were added, and the rules for them.
class Stock {
public:
    Stock() = default;
    Stock(std::vector<Lot> lots, Aliases aliases, Minimums minimums)
        : lots_(std::move(lots)), aliases_(std::move(aliases)), minimums_(std::move(minimums)) {}

    const std::vector<Lot>& lots() const { return lots_; }
    const Aliases& aliases() const { return aliases_; }
    const Minimums& minimums() const { return minimums_; }

    /// The name that a name stands for.
    std::string resolve(const std::string& name) const;

    /// The lots by name, those of one name in taking order.
    std::vector<Lot> ordered() const;

    /// The sum of the lots of each name.
    std::map<std::string, Quantity> totals() const;

    /// Adds a lot under the name that its own stands for; returns it as it was added.
    const Lot& add(Lot lot);
    void take(const std::string& name, const Quantity& wanted);

    /// Moves the lots of a name, from one place or from all; returns their number.
    std::size_t move(const std::string& name, const std::string& place, const std::optional<std::string>& origin);

    /// Removes the lots that are best before an earlier date; returns them in the order of `ordered`.
    std::vector<Lot> expire(const std::string& date);

    /// Lets `other` stand for `name`.
    void alias(const std::string& other, const std::string& name);

    void set_minimum(const std::string& name, const Quantity& minimum);
    void drop_minimum(const std::string& name);

private:
    std::optional<std::string> unit_in_stock(const std::string& name) const;
    std::optional<std::string> unit_of(const std::string& name) const;
    void require_stock(const std::string& name) const;

    std::vector<Lot> lots_;
    Aliases aliases_;
    Minimums minimums_;
};
