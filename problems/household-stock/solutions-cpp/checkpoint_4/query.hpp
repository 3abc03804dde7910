// Which lots `find` and `report` choose.
#pragma once

#include <string>
#include <vector>

#include "options.hpp"
#include "stock.hpp"

/// Options of `choose` that have a value.
inline const std::vector<std::string> filter_values{"--name", "--place", "--before", "--min", "--max"};

/// The lots that meet every filter that was given.
std::vector<Lot> choose(std::vector<Lot> lots, const Options& options);
