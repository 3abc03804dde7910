// Weaves the cloths that are not as they would be woven now.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cache.hpp"
#include "cloths.hpp"
#include "memory.hpp"
#include "plan.hpp"
#include "report.hpp"
#include "tree.hpp"

/// What a build may do.
struct Limits {
    /// Where results are taken from and put; null for none.
    Cache* cache = nullptr;
    /// How many cloths may be woven, if not all.
    std::optional<std::size_t> most;
};

/// One build.
class Loom {
public:
    Loom(Tree& tree, Memory& memory, const Cloths& cloths, Report& report, Limits limits)
        : tree_(tree), memory_(memory), cloths_(cloths), report_(report), limits_(limits) {}

    /// A walk that begins at the cloth that is being woven.
    Plan plan() const;

    /// The content of a path, woven if it is a cloth, unless it is neither cloth nor file.
    std::optional<std::string> content(const std::string& path);

    /// Weaves or keeps a cloth and those of its threads.
    void bring_up(const Cloth& cloth);

    /// Removes what was woven before and is not a cloth any more.
    void sweep();

private:
    bool is_file(const std::string& path) const;

    /// Why a cloth has to be woven, if it has.
    std::optional<std::string> reason(const Cloth& cloth);
    std::optional<std::string> changed_input(const Record& record);
    std::optional<std::string> changed_output(const std::string& path) const;

    /// Whether a path has the content with this digest, after it was woven if it is a cloth.
    bool holds(const Input& input);

    Recipe recipe_of(const Cloth& cloth) const;

    /// Writes a cloth; returns whether it was woven or fetched.
    std::string renew(const Cloth& cloth);
    Woven weave(const Cloth& cloth);
    void write(const std::string& path, Recipe recipe, const Woven& woven);

    /// The content of what the cloth that is being woven turns out to need.
    std::string found_content(const std::string& path);

    Tree& tree_;
    Memory& memory_;
    const Cloths& cloths_;
    Report& report_;
    Limits limits_;
    std::size_t woven_ = 0;
    /// The cloths that are being woven, each for the one before.
    std::vector<std::string> way_;
    std::set<std::string> done_;
};
