#include "plan.hpp"

#include <algorithm>
#include <span>

#include "errors.hpp"

namespace {

std::string cycle(std::span<const std::string> loop, const std::string& end) {
    std::string text = "cycle: ";
    for (const std::string& path : loop) {
        text += path + " > ";
    }
    return text + end;
}

}  // namespace

void Plan::add(const Cloth& cloth) {
    if (const auto begin = std::ranges::find(way_, cloth.path); begin != way_.end()) {
        throw WeavingError(cycle({begin, way_.end()}, cloth.path));
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

void Plan::add_thread(const std::string& thread) {
    if (const Cloth* cloth = cloths_.find(thread)) {
        add(*cloth);
    } else if (!is_file_(thread)) {
        throw WeavingError("no cloth and no file '" + thread + "' for '" + way_.back() + "'");
    }
}
