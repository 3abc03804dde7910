// What is done in a folder with a card.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cache.hpp"
#include "names.hpp"

/// A folder, and the names that are set for its cards.
struct Place {
    std::string folder = ".";
    Settings settings{};
};

struct BuildOptions {
    /// Whether to only say what would be done.
    bool is_trial = false;
    /// Folder of the cache.
    std::optional<std::string> cache{};
    /// Bytes that the cache may have.
    std::size_t room = Cache::default_room;
    /// How many cloths may be woven, if not all.
    std::optional<std::size_t> most{};
};

/// Makes the targets, or all cloths; returns whether it came to the end.
bool build(const Place& place, const BuildOptions& options, const std::vector<std::string>& targets);

/// Prints the cloths that the targets need, or all.
void list(const Place& place, const std::vector<std::string>& targets);

/// Prints why a build of the target would weave cloths.
void explain(const Place& place, const std::string& target);

/// Prints what is in the cache in a folder.
void show_cache(const std::string& folder);
