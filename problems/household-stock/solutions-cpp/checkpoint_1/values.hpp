// What users write on the command line and in files: names, quantities, dates, places.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

/// A request that cannot be carried out; the message is for the user.
struct Refusal : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline constexpr std::array<std::string_view, 3> base_units{"g", "ml", "pc"};

/// An amount in a base unit.
struct Quantity {
    std::uint64_t amount = 0;
    std::string unit;

    bool operator==(const Quantity&) const = default;
};

std::string describe(const Quantity& quantity);

/// A name or a place in the form in which it is compared; `kind` says which in the refusal.
std::string parse_word(std::string_view text, const std::string& kind);

Quantity parse_quantity(std::string_view text);

/// The date as it was written: such texts sort as dates do.
std::string parse_date(std::string_view text);
