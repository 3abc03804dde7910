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
