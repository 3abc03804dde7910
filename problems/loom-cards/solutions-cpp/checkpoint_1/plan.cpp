#include "plan.hpp"

#include <algorithm>

#include "errors.hpp"

namespace {

/// Walks through cloths, depth first.
class Plan {
public:
    Plan(const Cloths& cloths, const Tree& tree) : cloths_(cloths), tree_(tree) {}

    void add(const Cloth& cloth) {
        if (const auto begin = std::ranges::find(way_, cloth.path); begin != way_.end()) {
            throw CardError(cycle({begin, way_.end()}, cloth.path));
        }
        if (std::ranges::find(order_, &cloth) != order_.end()) {
            return;
        }
        way_.push_back(cloth.path);
        for (const std::string& thread : cloth.threads) {
            add_thread(thread);
        }
        way_.pop_back();
        order_.push_back(&cloth);
    }

    const std::vector<const Cloth*>& order() const { return order_; }

private:
    /// Adds what the last cloth of the way needs.
    void add_thread(const std::string& thread) {
        if (const Cloth* cloth = cloths_.find(thread)) {
            add(*cloth);
        } else if (!tree_.is_file(thread)) {
            throw CardError("no cloth and no file '" + thread + "' for '" + way_.back() + "'");
        }
    }

    static std::string cycle(const std::vector<std::string>& loop, const std::string& end) {
        std::string text = "cycle: ";
        for (const std::string& path : loop) {
            text += path + " > ";
        }
        return text + end;
    }

    const Cloths& cloths_;
    const Tree& tree_;
    /// The cloths that the walk is inside of.
    std::vector<std::string> way_;
    std::vector<const Cloth*> order_;
};

}  // namespace

std::vector<const Cloth*> plan(const Cloths& cloths, const Tree& tree, const std::vector<std::string>& targets) {
    for (const std::string& target : targets) {
        if (!cloths.find(target)) {
            throw CardError("no cloth '" + target + "'");
        }
    }
    Plan plan(cloths, tree);
    for (const std::string& path : targets.empty() ? cloths.paths() : targets) {
        plan.add(*cloths.find(path));
    }
    return plan.order();
}
