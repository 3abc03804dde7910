// The order in which cloths are woven.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cloths.hpp"

/// Whether a path that is not a cloth is a file.
using IsFile = std::function<bool(const std::string& path)>;

/// The cloths that the targets need, or all, in the order in which they are woven.
std::vector<const Cloth*> plan(const Cloths& cloths, const IsFile& is_file, const std::vector<std::string>& targets);
