// What each command takes and does: from options to what is printed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "options.hpp"
#include "stock.hpp"

struct Command {
    std::string_view name;
    Shape shape;
    /// Returns what is printed.
    std::string (*run)(Stock& stock, const Options& options);
};

const std::vector<Command>& commands();
