// Command lines.
#pragma once

#include <string>
#include <vector>

#include "workshop.hpp"

/// What the program is asked to do.
struct Usage {
    std::string command;
    Place place;
    BuildOptions options;
    /// Cloths, or the folder of a cache.
    std::vector<std::string> paths;
};

/// Understands the arguments, or throws a `UsageError`.
Usage parse_usage(std::vector<std::string> arguments);
