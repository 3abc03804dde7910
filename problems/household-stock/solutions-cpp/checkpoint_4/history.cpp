#include "history.hpp"

#include <utility>

namespace {

/// Moves the last changes to the other side; the stock takes the place of theirs.
std::vector<std::string> replay(const std::string& verb, std::size_t count, Stock& stock, std::vector<Change>& from,
                                std::vector<Change>& to) {
    if (from.empty()) {
        throw Refusal("nothing to " + verb);
    }
    if (from.size() < count) {
        throw Refusal("only " + std::to_string(from.size()) + " changes to " + verb);
    }
    std::vector<std::string> descriptions;
    for (; count > 0; --count) {
        Change change = std::move(from.back());
        from.pop_back();
        std::swap(stock, change.stock);
        descriptions.push_back(change.description);
        to.push_back(std::move(change));
    }
    return descriptions;
}

}  // namespace

void History::record(std::string description, Stock before) {
    done.push_back({std::move(description), std::move(before)});
    undone.clear();
}

std::vector<std::string> History::undo(std::size_t count) {
    return replay("undo", count, stock, done, undone);
}

std::vector<std::string> History::redo(std::size_t count) {
    return replay("redo", count, stock, undone, done);
}
