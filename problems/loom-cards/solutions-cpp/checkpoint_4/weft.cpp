#include "weft.hpp"

#include <algorithm>

#include "errors.hpp"
#include "paths.hpp"

void Weft::add(const Rule& rule) {
    if (is_pattern(rule.path)) {
        add_pattern(rule);
        return;
    }
    Cloth cloth{.path = rule.path, .threads = {}, .actions = rule.actions};
    for (const std::string& thread : rule.threads) {
        const auto paths = matches(thread);
        cloth.threads.insert(cloth.threads.end(), paths.begin(), paths.end());
    }
    add_cloth(std::move(cloth));
}

std::vector<std::string> Weft::matches(const std::string& thread) const {
    if (!is_pattern(thread)) {
        return {thread};
    }
    std::vector<std::string> paths;
    std::ranges::copy_if(known_, std::back_inserter(paths),
                         [&](const std::string& path) { return match(thread, path).has_value(); });
    return paths;
}

void Weft::add_pattern(const Rule& rule) {
    const auto leading = std::ranges::find_if(rule.threads, is_pattern);
    if (leading == rule.threads.end()) {
        throw CardError("no thread with '*'");
    }
    for (const std::string& path : matches(*leading)) {
        add_match(rule, match(*leading, path).value());
    }
}

void Weft::add_match(const Rule& rule, const std::string& text) {
    Cloth cloth{.path = fill(rule.path, text), .threads = {}, .actions = rule.actions};
    check_path(cloth.path);
    for (const std::string& thread : rule.threads) {
        cloth.threads.push_back(fill(thread, text));
        check_path(cloth.threads.back());
    }
    if (!cloths_.find(cloth.path)) {
        add_cloth(std::move(cloth));
    }
}

void Weft::add_cloth(Cloth cloth) {
    known_.insert(cloth.path);
    cloths_.add(std::move(cloth));
}
