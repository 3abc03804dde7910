// Reads a card: which cloths there are, of which threads, by which actions.
#pragma once

#include <string>

#include "tree.hpp"
#include "weft.hpp"

/// Adds the cloths of a card to those of the weft.
void read_card(const Tree& tree, const std::string& name, Weft& weft);
