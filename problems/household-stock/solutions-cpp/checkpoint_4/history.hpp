// The changes that were made, each with the stock on its other side.
#pragma once

#include <string>
#include <vector>

#include "stock.hpp"

/// A change; of one in effect, `stock` is the state before it, of an undone one the state after it.
struct Change {
    std::string description;
    Stock stock;
};

struct History {
    Stock stock;
    /// The changes in effect, the oldest first.
    std::vector<Change> done;
    /// The changes that were undone, the latest last.
    std::vector<Change> undone;

    /// Remembers a change that was made to the stock `before`.
    void record(std::string description, Stock before);

    /// Reverts the last changes; returns their descriptions, the last one first.
    std::vector<std::string> undo(std::size_t count);

    /// Makes undone changes again; returns their descriptions.
    std::vector<std::string> redo(std::size_t count);
};
