// The order in which cloths are woven.
#pragma once

#include <string>
#include <vector>

#include "cloths.hpp"
#include "tree.hpp"

/// The cloths that the targets need, or all, in the order in which they are woven.
std::vector<const Cloth*> plan(const Cloths& cloths, const Tree& tree, const std::vector<std::string>& targets);
