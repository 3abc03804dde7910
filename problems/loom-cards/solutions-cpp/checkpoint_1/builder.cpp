#include "builder.hpp"

#include <iostream>

#include "digest.hpp"

void Builder::build(const std::vector<const Cloth*>& cloths) {
    std::size_t woven = 0;
    for (const Cloth* cloth : cloths) {
        const bool was_woven = bring_up(*cloth);
        woven += was_woven ? 1 : 0;
        std::cout << (was_woven ? "woven " : "kept ") << cloth->path << '\n';
    }
    std::cout << woven << " woven, " << cloths.size() - woven << " kept\n";
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
    const auto output = tree_.read(path);
    return record && output && record->recipe == recipe && digest(*output) == record->output;
}
