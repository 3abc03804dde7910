// The files of the folder in which cloths are woven.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

class Tree {
public:
    virtual ~Tree() = default;

    virtual bool is_file(const std::string& path) const = 0;

    /// The paths of all files that can be threads.
    virtual std::vector<std::string> files() const = 0;

    /// The content of a file, if there is one.
    virtual std::optional<std::string> read(const std::string& path) const = 0;

    /// Replaces a file as a whole; makes the folders that are missing.
    virtual void write(const std::string& path, const std::string& content) = 0;

    /// Removes a file, and the folders that are empty without it.
    virtual void remove(const std::string& path) = 0;
};

/// The files on disk.
class DiskTree : public Tree {
public:
    explicit DiskTree(std::filesystem::path root) : root_(std::move(root)) {}

    bool is_file(const std::string& path) const override;
    std::vector<std::string> files() const override;
    std::optional<std::string> read(const std::string& path) const override;
    void write(const std::string& path, const std::string& content) override;
    void remove(const std::string& path) override;

private:
    std::filesystem::path root_;
};

/// The files on disk, with changes that are kept in memory alone.
class DraftTree : public Tree {
public:
    explicit DraftTree(std::filesystem::path root) : below_(std::move(root)) {}

    bool is_file(const std::string& path) const override;
    std::vector<std::string> files() const override { return below_.files(); }
    std::optional<std::string> read(const std::string& path) const override;
    void write(const std::string& path, const std::string& content) override { changed_[path] = content; }
    void remove(const std::string& path) override { changed_[path] = std::nullopt; }

private:
    DiskTree below_;
    /// Contents of written files; without one for those that were removed.
    std::map<std::string, std::optional<std::string>> changed_;
};
