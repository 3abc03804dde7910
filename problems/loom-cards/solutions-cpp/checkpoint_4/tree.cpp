#include "tree.hpp"

#include <fstream>
#include <iterator>

#include "paths.hpp"

namespace fs = std::filesystem;

bool DiskTree::is_file(const std::string& path) const {
    std::error_code error;
    return fs::is_regular_file(root_ / path, error);
}

std::vector<std::string> DiskTree::files() const {
    std::vector<std::string> paths;
    std::error_code error;
    for (auto entry = fs::recursive_directory_iterator(root_, error); entry != fs::recursive_directory_iterator();
         ++entry) {
        const std::string path = entry->path().lexically_relative(root_).string();
        if (entry->is_regular_file() && is_path(path)) {
            paths.push_back(path);
        } else if (entry->path().filename().string().starts_with('.')) {
            entry.disable_recursion_pending();
        }
    }
    return paths;
}

std::optional<std::string> DiskTree::read(const std::string& path) const {
    std::ifstream file(root_ / path, std::ios::binary);
    if (!file || !is_file(path)) {
        return std::nullopt;
    }
    return std::string(std::istreambuf_iterator<char>(file), {});
}

void DiskTree::write(const std::string& path, const std::string& content) {
    const fs::path place = root_ / path;
    const fs::path draft = place.string() + "~";
    fs::create_directories(place.parent_path());
    std::ofstream file(draft, std::ios::binary);
    file.exceptions(std::ios::failbit | std::ios::badbit);
    file << content;
    file.close();
    fs::rename(draft, place);
}

void DiskTree::remove(const std::string& path) {
    fs::remove(root_ / path);
    for (fs::path folder = fs::path(path).parent_path(); !folder.empty(); folder = folder.parent_path()) {
        if (!fs::is_empty(root_ / folder)) {
            return;
        }
        fs::remove(root_ / folder);
    }
}

bool DraftTree::is_file(const std::string& path) const {
    const auto changed = changed_.find(path);
    return changed == changed_.end() ? below_.is_file(path) : changed->second.has_value();
}

std::optional<std::string> DraftTree::read(const std::string& path) const {
    const auto changed = changed_.find(path);
    return changed == changed_.end() ? below_.read(path) : changed->second;
}
