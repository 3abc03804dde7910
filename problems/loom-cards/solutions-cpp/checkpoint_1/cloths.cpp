#include "cloths.hpp"

Cloth& Cloths::add(Cloth cloth) {
    Cloth& added = all_.emplace_back(std::move(cloth));
    by_path_[added.path] = &added;
    return added;
}

const Cloth* Cloths::find(const std::string& path) const {
    const auto found = by_path_.find(path);
    return found == by_path_.end() ? nullptr : found->second;
}

std::vector<std::string> Cloths::paths() const {
    std::vector<std::string> paths;
    for (const Cloth& cloth : all_) {
        paths.push_back(cloth.path);
    }
    return paths;
}
