// Reads a card: which cloths there are, of which threads, by which actions.
#pragma once

#include <string>

#include "cloths.hpp"
#include "tree.hpp"

Cloths read_card(const Tree& tree, const std::string& name);
