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
    Workshop(Tree& tree, Report& report)
        : memory_(tree), weft_(sources(tree)), loom_(tree, memory_, weft_.cloths(), report) {
        CardReader(weft_, [this](const std::string& path) { return loom_.content(path); }).read("main.card");
    }

    /// The cloths that the targets need, or all, in the order in which they are woven.
    std::vector<const Cloth*> order(const std::vector<std::string>& targets) const {
        Plan plan = loom_.plan();
        for (const Cloth* cloth : wanted(targets)) {
            plan.add(*cloth);
        }
        return plan.order();
    }

    void build(const std::vector<std::string>& targets) {
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
};

std::unique_ptr<Tree> open_tree(bool is_trial) {
    if (is_trial) {
        return std::make_unique<DraftTree>(".");
    }
    return std::make_unique<DiskTree>(".");
}

}  // namespace

void build(const std::vector<std::string>& targets, bool is_trial) {
    const auto tree = open_tree(is_trial);
    Printout printout;
    Workshop(*tree, printout).build(targets);
    printout.sum_up();
}

void list(const std::vector<std::string>& targets) {
    DraftTree tree(".");
    Reasons unused;
    const Workshop workshop(tree, unused);
    for (const Cloth* cloth : workshop.order(targets)) {
        std::cout << cloth->path << ':';
        for (const std::string& thread : cloth->threads) {
            std::cout << ' ' << thread;
        }
        std::cout << '\n';
    }
}

void explain(const std::string& target) {
    DraftTree tree(".");
    Reasons reasons;
    Workshop(tree, reasons).build({target});
    reasons.print(target);
}
