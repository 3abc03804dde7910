// Weaves the cloths that are not as they would be woven now.
#pragma once

#include <vector>

#include "cloths.hpp"
#include "memory.hpp"
#include "tree.hpp"

class Builder {
public:
    Builder(Tree& tree, Memory& memory) : tree_(tree), memory_(memory) {}

    /// Weaves or keeps each cloth, prints which, and sums it up.
    void build(const std::vector<const Cloth*>& cloths);

private:
    /// Whether the cloth had to be woven.
    bool bring_up(const Cloth& cloth);
    bool is_current(const std::string& path, const Recipe& recipe) const;

    Tree& tree_;
    Memory& memory_;
};
