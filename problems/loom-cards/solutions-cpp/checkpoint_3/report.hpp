// What is told of a build.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Is told what becomes of each cloth.
class Report {
public:
    virtual ~Report() = default;

    /// A cloth that was woven for this reason, or kept.
    virtual void cloth(const std::string& path, const std::optional<std::string>& reason) = 0;
    virtual void removed(const std::string& path) = 0;
    virtual void left(const std::string& path) = 0;
};

/// Prints what becomes of each cloth.
class Printout : public Report {
public:
    void cloth(const std::string& path, const std::optional<std::string>& reason) override;
    void removed(const std::string& path) override;
    void left(const std::string& path) override;

    /// Prints how many cloths were woven, kept and removed.
    void sum_up() const;

private:
    void note(const std::string& word, const std::string& path);

    std::map<std::string, int> counts_;
};

/// Keeps why each cloth is woven.
class Reasons : public Report {
public:
    void cloth(const std::string& path, const std::optional<std::string>& reason) override;
    void removed(const std::string&) override {}
    void left(const std::string&) override {}

    /// Prints the reasons, and that one cloth has none.
    void print(const std::string& asked) const;

private:
    std::vector<std::pair<std::string, std::optional<std::string>>> reasons_;
};
