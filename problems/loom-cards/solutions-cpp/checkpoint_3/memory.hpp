// What is remembered of the cloths that were woven.
#pragma once

#include <map>
#include <string>

#include "recipe.hpp"
#include "tree.hpp"

/// What was woven, and the digest of the result.
struct Record {
    Recipe recipe;
    /// What an action found, in this order.
    std::vector<Input> found;
    std::string output;
};

class Memory {
public:
    explicit Memory(Tree& tree);

    /// The record of a cloth, or null if it was never woven.
    const Record* find(const std::string& path) const;

    void put(const std::string& path, Record record);
    void forget(const std::string& path);

    /// The paths of everything that was woven, in their order.
    std::vector<std::string> paths() const;

    /// Whether a file is there as it was woven.
    bool is_unchanged(const std::string& path) const;

private:
    void save() const;

    Tree& tree_;
    std::map<std::string, Record> woven_;
};
