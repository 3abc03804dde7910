#include "builder.hpp"

#include <iostream>

#include "digest.hpp"

void Builder::build(const std::vector<const Cloth*>& cloths) {
    for (const Cloth* cloth : cloths) {
        const bool was_woven = bring_up(*cloth);
        ++(was_woven ? woven_ : kept_);
        std::cout << (was_woven ? "woven " : "kept ") << cloth->path << '\n';
    }
}

void Builder::sweep(const Cloths& cloths) {
    for (const std::string& path : memory_.paths()) {
        if (cloths.find(path)) {
            continue;
        }
        if (memory_.is_unchanged(path)) {
            tree_.remove(path);
            ++removed_;
            std::cout << "removed " << path << '\n';
        } else if (tree_.is_file(path)) {
            std::cout << "left " << path << '\n';
        }
        memory_.forget(path);
    }
}

void Builder::sum_up() const {
    std::cout << woven_ << " woven, " << kept_ << " kept";
    if (removed_ > 0) {
        std::cout << ", " << removed_ << " removed";
    }
    std::cout << '\n';
}

bool Builder::bring_up(const Cloth& cloth) {
    Recipe recipe{.threads = {}, .actions = cloth.actions};
    std::string text;
    for (const std::string& thread : cloth.threads) {
        const std::string content = tree_.read(thread).value();
        recipe.threads.push_back({thread, digest(content)});
        text += content;
    }
    if (is_current(cloth.path, recipe)) {
        return false;
    }
    const std::string output = apply(cloth.actions, std::move(text));
    tree_.write(cloth.path, output);
    memory_.put(cloth.path, {std::move(recipe), digest(output)});
    return true;
}

bool Builder::is_current(const std::string& path, const Recipe& recipe) const {
    const Record* record = memory_.find(path);
    return record && record->recipe == recipe && memory_.is_unchanged(path);
}
