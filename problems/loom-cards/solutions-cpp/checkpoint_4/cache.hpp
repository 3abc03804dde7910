// What was woven anywhere, kept for all folders that name the same cache.
#pragma once

#include <functional>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "recipe.hpp"
#include "tree.hpp"

/// What became of a recipe.
struct Woven {
    /// What an action found, in this order.
    std::vector<Input> found;
    std::string output;
};

/// Whether a path has the content with a digest.
using Holds = std::function<bool(const Input& input)>;

class Cache {
public:
    static constexpr std::size_t default_room = 4000;

    /// `room` is the size that all outputs together may have.
    explicit Cache(Tree& tree, std::size_t room = default_room);

    /// What was woven from the same contents, if everything that was found still holds.
    std::optional<Woven> fetch(const Recipe& recipe, const Holds& holds);

    /// Keeps what was woven; removes the entries whose use is longest ago if there is no room.
    void put(const std::string& path, const Recipe& recipe, const Woven& woven);

    /// Prints the entries, the next to be removed first.
    void print() const;

private:
    struct Entry {
        /// Where it was woven.
        std::string path;
        /// Digests of the contents of the threads.
        std::vector<std::string> threads;
        std::vector<Action> actions;
        std::vector<Input> found;
        std::size_t size;
        /// Digest of the output.
        std::string output;

        bool operator==(const Entry&) const = default;
    };

    void drop_first();
    std::size_t size() const;
    void save() const;

    Tree& tree_;
    std::size_t room_;
    /// By their last use.
    std::list<Entry> entries_;
};
