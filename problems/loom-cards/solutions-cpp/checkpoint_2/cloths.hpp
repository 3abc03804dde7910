// The cloths of a card.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "actions.hpp"

struct Cloth {
    std::string path;
    std::vector<std::string> threads;
    std::vector<Action> actions;
};

/// Cloths by path, in the order of the card.
class Cloths {
public:
    /// Adds a cloth with a new path; pointers to others stay valid.
    void add(Cloth cloth);

    /// The cloth with this path, or null.
    const Cloth* find(const std::string& path) const;

    std::vector<std::string> paths() const;

private:
    std::deque<Cloth> all_;
    std::map<std::string, const Cloth*> by_path_;
};
