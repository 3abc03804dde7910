// Weaves the cloths that are not as they would be woven now.
#pragma once

#include <string>
#include <vector>

#include "cloths.hpp"
#include "memory.hpp"
#include "tree.hpp"

class Builder {
public:
    Builder(Tree& tree, Memory& memory) : tree_(tree), memory_(memory) {}

    /// Weaves or keeps each cloth, and prints which.
    void build(const std::vector<const Cloth*>& cloths);

    /// Removes what was woven before and is not a cloth any more.
    void sweep(const Cloths& cloths);

    /// Prints how many cloths were woven, kept and removed.
    void sum_up() const;

private:
    /// Whether the cloth had to be woven.
    bool bring_up(const Cloth& cloth);
    bool is_current(const std::string& path, const Recipe& recipe) const;

    Tree& tree_;
    Memory& memory_;
    std::size_t woven_ = 0;
    std::size_t kept_ = 0;
    std::size_t removed_ = 0;
};
