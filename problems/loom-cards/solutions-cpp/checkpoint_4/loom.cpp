#include "loom.hpp"

#include <algorithm>

#include "digest.hpp"
#include "errors.hpp"
#include "paths.hpp"

namespace {

bool has_threads(const Recipe& recipe, const std::vector<std::string>& threads) {
    return std::ranges::equal(recipe.threads, threads, {}, &Input::path);
}

}  // namespace

Plan Loom::plan() const {
    return Plan(cloths_, [this](const std::string& path) { return is_file(path); }, way_);
}

/// What was woven, is left over and not changed counts as missing.
bool Loom::is_file(const std::string& path) const {
    return tree_.is_file(path) && !memory_.is_unchanged(path);
}

std::optional<std::string> Loom::content(const std::string& path) {
    if (const Cloth* cloth = cloths_.find(path)) {
        if (!done_.contains(path)) {
            plan().add(*cloth);
            bring_up(*cloth);
        }
    } else if (!is_file(path)) {
        return std::nullopt;
    }
    return tree_.read(path);
}

void Loom::bring_up(const Cloth& cloth) {
    if (done_.contains(cloth.path)) {
        return;
    }
    way_.push_back(cloth.path);
    for (const std::string& thread : cloth.threads) {
        if (const Cloth* needed = cloths_.find(thread)) {
            bring_up(*needed);
        }
    }
    const auto why = reason(cloth);
    const std::string became = why ? renew(cloth) : "kept";
    way_.pop_back();
    done_.insert(cloth.path);
    report_.cloth(cloth.path, became, why);
}

std::optional<std::string> Loom::reason(const Cloth& cloth) {
    const Record* record = memory_.find(cloth.path);
    if (!record) {
        return "never woven";
    }
    if (!has_threads(record->recipe, cloth.threads)) {
        return "other threads";
    }
    if (record->recipe.actions != cloth.actions) {
        return "other actions";
    }
    const auto changed = changed_input(*record);
    return changed ? changed : changed_output(cloth.path);
}

std::optional<std::string> Loom::changed_input(const Record& record) {
    std::vector<Input> inputs = record.recipe.threads;
    inputs.insert(inputs.end(), record.found.begin(), record.found.end());
    for (const Input& input : inputs) {
        if (!holds(input)) {
            return "'" + input.path + "' changed";
        }
    }
    return std::nullopt;
}

bool Loom::holds(const Input& input) {
    const auto now = content(input.path);
    return now && digest(*now) == input.digest;
}

std::optional<std::string> Loom::changed_output(const std::string& path) const {
    if (memory_.is_unchanged(path)) {
        return std::nullopt;
    }
    return tree_.is_file(path) ? "changed by hand" : "not there";
}

Recipe Loom::recipe_of(const Cloth& cloth) const {
    Recipe recipe{.threads = {}, .actions = cloth.actions};
    for (const std::string& thread : cloth.threads) {
        recipe.threads.push_back({thread, digest(tree_.read(thread).value())});
    }
    return recipe;
}

std::string Loom::renew(const Cloth& cloth) {
    const Recipe recipe = recipe_of(cloth);
    if (limits_.cache) {
        const auto fetched = limits_.cache->fetch(recipe, [this](const Input& input) { return holds(input); });
        if (fetched) {
            write(cloth.path, recipe, *fetched);
            return "fetched";
        }
    }
    const Woven woven = weave(cloth);
    if (limits_.most == woven_) {
        throw Stopped("stopped after " + std::to_string(woven_));
    }
    ++woven_;
    write(cloth.path, recipe, woven);
    if (limits_.cache) {
        limits_.cache->put(cloth.path, recipe, woven);
    }
    return "woven";
}

Woven Loom::weave(const Cloth& cloth) {
    Woven woven;
    std::string text;
    for (const std::string& thread : cloth.threads) {
        text += tree_.read(thread).value();
    }
    woven.output = apply(cloth.actions, std::move(text), [&](const std::string& path) {
        const std::string content = found_content(path);
        woven.found.push_back({path, digest(content)});
        return content;
    });
    return woven;
}

void Loom::write(const std::string& path, Recipe recipe, const Woven& woven) {
    tree_.write(path, woven.output);
    memory_.put(path, {std::move(recipe), woven.found, digest(woven.output)});
}

std::string Loom::found_content(const std::string& path) {
    if (!is_path(path)) {
        throw WeavingError("bad path '" + path + "' in '" + way_.back() + "'");
    }
    if (!done_.contains(path)) {
        plan().add_thread(path);
    }
    return content(path).value();
}

void Loom::sweep() {
    for (const std::string& path : memory_.paths()) {
        if (cloths_.find(path)) {
            continue;
        }
        if (memory_.is_unchanged(path)) {
            tree_.remove(path);
            report_.removed(path);
        } else if (tree_.is_file(path)) {
            report_.left(path);
        }
        memory_.forget(path);
    }
}
