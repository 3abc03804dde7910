// What is to be woven before what, as far as cards tell it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cloths.hpp"

/// Whether a path that is not a cloth is a file.
using IsFile = std::function<bool(const std::string& path)>;

/// Walks through cloths, depth first.
class Plan {
public:
    /// `way` are the cloths that the walk comes through to where it begins.
    Plan(const Cloths& cloths, IsFile is_file, std::vector<std::string> way)
        : cloths_(cloths), is_file_(std::move(is_file)), way_(std::move(way)) {}

    void add(const Cloth& cloth);

    /// Adds what the last cloth of the way needs.
    void add_thread(const std::string& thread);

    const std::vector<const Cloth*>& order() const { return order_; }

private:
    const Cloths& cloths_;
    IsFile is_file_;
    /// The cloths that the walk is inside of.
    std::vector<std::string> way_;
    std::vector<const Cloth*> order_;
};
