#include "paths.hpp"

#include <regex>

#include "errors.hpp"

namespace {

constexpr std::size_t longest_path = 40;

}  // namespace

bool is_path(const std::string& path) {
    static const std::regex form("[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*");
    return path.size() <= longest_path && std::regex_match(path, form);
}

void check_path(const std::string& path) {
    if (!is_path(path)) {
        throw CardError("bad path '" + path + "'");
    }
}

void check_pattern(const std::string& pattern) {
    // Counts the `*` as one letter.
    if (!is_path(fill(pattern, "x"))) {
        throw CardError("bad path '" + pattern + "'");
    }
}

bool is_pattern(const std::string& path) {
    return path.find('*') != std::string::npos;
}

std::optional<std::string> match(const std::string& pattern, const std::string& path) {
    const std::size_t star = pattern.find('*');
    const std::string before = pattern.substr(0, star);
    const std::string after = pattern.substr(star + 1);
    if (path.size() < pattern.size() || !path.starts_with(before) || !path.ends_with(after)) {
        return std::nullopt;
    }
    const std::string found = path.substr(star, path.size() - before.size() - after.size());
    return found.find('/') == std::string::npos ? std::optional(found) : std::nullopt;
}

std::string fill(const std::string& pattern, const std::string& text) {
    const std::size_t star = pattern.find('*');
    return star == std::string::npos ? pattern : std::string(pattern).replace(star, 1, text);
}
