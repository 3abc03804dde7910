#include "tree.hpp"

#include <fstream>
#include <iterator>

namespace fs = std::filesystem;

bool Tree::is_file(const std::string& path) const {
    std::error_code error;
    return fs::is_regular_file(root_ / path, error);
}

std::optional<std::string> Tree::read(const std::string& path) const {
    std::ifstream file(root_ / path, std::ios::binary);
    if (!file || !is_file(path)) {
        return std::nullopt;
    }
    return std::string(std::istreambuf_iterator<char>(file), {});
}

void Tree::write(const std::string& path, const std::string& content) {
    const fs::path place = root_ / path;
    const fs::path draft = place.string() + "~";
    fs::create_directories(place.parent_path());
    std::ofstream file(draft, std::ios::binary);
    file.exceptions(std::ios::failbit | std::ios::badbit);
    file << content;
    file.close();
    fs::rename(draft, place);
}
