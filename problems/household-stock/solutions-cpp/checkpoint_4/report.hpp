// Tables that are computed from the stock, and the ways to print them.
#pragma once

#include <string>
#include <vector>

#include "json.hpp"
#include "stock.hpp"

struct Report {
    std::vector<std::string> columns;
    std::vector<std::vector<Json>> rows;
    /// The rows as text.
    std::vector<std::string> lines;
    /// What is said if there are none.
    std::string nothing;
};

/// The lots in groups by `name`, `place` or `month`.
Report group_lots(const std::vector<Lot>& lots, const std::string& key);

/// What is missing to the minimums.
Report list_needs(const Stock& stock);

/// A report as `text`, `csv` or `json`.
std::string print(const Report& report, const std::string& format);
