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
    if (why) {
        weave(cloth);
    }
    way_.pop_back();
    done_.insert(cloth.path);
    report_.cloth(cloth.path, why);
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

void Loom::weave(const Cloth& cloth) {
    Record record{.recipe = {.threads = {}, .actions = cloth.actions}, .found = {}, .output = ""};
    std::string text;
    for (const std::string& thread : cloth.threads) {
        const std::string content = tree_.read(thread).value();
        record.recipe.threads.push_back({thread, digest(content)});
        text += content;
    }
    const std::string output = apply(cloth.actions, std::move(text), [&](const std::string& path) {
        const std::string content = found_content(path);
        record.found.push_back({path, digest(content)});
        return content;
    });
    tree_.write(cloth.path, output);
    record.output = digest(output);
    memory_.put(cloth.path, std::move(record));
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
