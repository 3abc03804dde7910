// The files of the folder in which cloths are woven.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

class Tree {
public:
    explicit Tree(std::filesystem::path root) : root_(std::move(root)) {}

    bool is_file(const std::string& path) const;

    /// The content of a file, if there is one.
    std::optional<std::string> read(const std::string& path) const;

    /// Replaces a file as a whole; makes the folders that are missing.
    void write(const std::string& path, const std::string& content);

private:
    std::filesystem::path root_;
};
