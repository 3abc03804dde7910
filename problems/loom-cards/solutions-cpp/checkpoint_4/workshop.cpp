#include "workshop.hpp"

#include <iostream>
#include <memory>
#include <set>

#include "card.hpp"
#include "errors.hpp"
#include "loom.hpp"

namespace {

/// A folder with its card, and what is remembered of it.
class Workshop {
public:
    Workshop(Tree& tree, Settings settings, Report& report, Limits limits)
        : memory_(tree),
          weft_(sources(tree)),
          loom_(tree, memory_, weft_.cloths(), report, limits),
          reader_(weft_, [this](const std::string& path) { return loom_.content(path); }, std::move(settings)) {}

    void read_cards() { reader_.read("main.card"); }

    /// The cloths that the targets need, or all, in the order in which they are woven.
    std::vector<const Cloth*> order(const std::vector<std::string>& targets) const {
        Plan plan = loom_.plan();
        for (const Cloth* cloth : wanted(targets)) {
            plan.add(*cloth);
        }
        return plan.order();
    }

    void build(const std::vector<std::string>& targets) {
        read_cards();
        order(targets);
        for (const Cloth* cloth : wanted(targets)) {
            loom_.bring_up(*cloth);
        }
        if (targets.empty()) {
            loom_.sweep();
        }
    }

private:
    /// The files that were not woven.
    std::set<std::string> sources(const Tree& tree) const {
        std::set<std::string> paths;
        for (const std::string& path : tree.files()) {
            if (!memory_.find(path)) {
                paths.insert(path);
            }
        }
        return paths;
    }

    /// The cloths of the targets, or all.
    std::vector<const Cloth*> wanted(const std::vector<std::string>& targets) const {
        std::vector<const Cloth*> cloths;
        for (const std::string& path : targets.empty() ? weft_.cloths().paths() : targets) {
            const Cloth* cloth = weft_.cloths().find(path);
            if (!cloth) {
                throw CardError("no cloth '" + path + "'");
            }
            cloths.push_back(cloth);
        }
        return cloths;
    }

    Memory memory_;
    Weft weft_;
    Loom loom_;
    CardReader reader_;
};

std::unique_ptr<Tree> open_tree(const std::string& folder, bool is_trial) {
    if (is_trial) {
        return std::make_unique<DraftTree>(folder);
    }
    return std::make_unique<DiskTree>(folder);
}

}  // namespace

bool build(const Place& place, const BuildOptions& options, const std::vector<std::string>& targets) {
    const auto tree = open_tree(place.folder, options.is_trial);
    std::unique_ptr<Tree> shelf;
    std::optional<Cache> cache;
    if (options.cache) {
        shelf = open_tree(*options.cache, options.is_trial);
        cache.emplace(*shelf, options.room);
    }
    Printout printout;
    Workshop workshop(*tree, place.settings, printout, {.cache = cache ? &*cache : nullptr, .most = options.most});
    try {
        workshop.build(targets);
    } catch (const Stopped& stopped) {
        std::cout << stopped.what() << '\n';
        return false;
    }
    printout.sum_up();
    return true;
}

void list(const Place& place, const std::vector<std::string>& targets) {
    DraftTree tree(place.folder);
    Reasons unused;
    Workshop workshop(tree, place.settings, unused, {});
    workshop.read_cards();
    for (const Cloth* cloth : workshop.order(targets)) {
        std::cout << cloth->path << ':';
        for (const std::string& thread : cloth->threads) {
            std::cout << ' ' << thread;
        }
        std::cout << '\n';
    }
}

void explain(const Place& place, const std::string& target) {
    DraftTree tree(place.folder);
    Reasons reasons;
    Workshop(tree, place.settings, reasons, {}).build({target});
    reasons.print(target);
}

void show_cache(const std::string& folder) {
    DiskTree tree(folder);
    Cache(tree).print();
}
