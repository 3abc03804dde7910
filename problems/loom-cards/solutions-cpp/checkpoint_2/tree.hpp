// The files of the folder in which cloths are woven.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

class Tree {
public:
    explicit Tree(std::filesystem::path root) : root_(std::move(root)) {}

    bool is_file(const std::string& path) const;

    /// The paths of all files that can be threads.
    std::vector<std::string> files() const;

    /// The content of a file, if there is one.
    std::optional<std::string> read(const std::string& path) const;

    /// Replaces a file as a whole; makes the folders that are missing.
    void write(const std::string& path, const std::string& content);

    /// Removes a file, and the folders that are empty without it.
    void remove(const std::string& path);

private:
    std::filesystem::path root_;
};
