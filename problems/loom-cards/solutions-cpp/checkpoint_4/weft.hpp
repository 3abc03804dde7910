// Makes cloths of rules: patterns stand for the sources and the cloths above.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cloths.hpp"

/// A cloth, or a pattern of cloths, as it is written.
struct Rule {
    std::string path;
    /// The line where it begins.
    std::string place;
    std::vector<std::string> threads;
    std::vector<Action> actions;
};

/// All cloths so far.
class Weft {
public:
    /// `sources` are the files that patterns can match.
    explicit Weft(std::set<std::string> sources) : known_(std::move(sources)) {}

    const Cloths& cloths() const { return cloths_; }

    void add(const Rule& rule);

private:
    void add_pattern(const Rule& rule);
    void add_match(const Rule& rule, const std::string& text);
    void add_cloth(Cloth cloth);

    /// The paths that a thread of a single cloth stands for.
    std::vector<std::string> matches(const std::string& thread) const;

    Cloths cloths_;
    /// The sources and the paths of the cloths.
    std::set<std::string> known_;
};
