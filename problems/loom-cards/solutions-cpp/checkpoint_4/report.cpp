#include "report.hpp"

#include <iostream>

void Printout::cloth(const std::string& path, const std::string& became, const std::optional<std::string>&) {
    note(became, path);
}

void Printout::removed(const std::string& path) {
    note("removed", path);
}

void Printout::left(const std::string& path) {
    std::cout << "left " << path << '\n';
}

void Printout::note(const std::string& word, const std::string& path) {
    ++counts_[word];
    std::cout << word << ' ' << path << '\n';
}

void Printout::sum_up() const {
    const auto count = [this](const std::string& word) {
        const auto found = counts_.find(word);
        return found == counts_.end() ? 0 : found->second;
    };
    std::cout << count("woven") << " woven, " << count("kept") << " kept";
    for (const std::string word : {"fetched", "removed"}) {
        if (count(word) > 0) {
            std::cout << ", " << count(word) << ' ' << word;
        }
    }
    std::cout << '\n';
}

void Reasons::cloth(const std::string& path, const std::string&, const std::optional<std::string>& reason) {
    reasons_.emplace_back(path, reason);
}

void Reasons::print(const std::string& asked) const {
    for (const auto& [path, reason] : reasons_) {
        if (reason || path == asked) {
            std::cout << path << ": " << reason.value_or("up to date") << '\n';
        }
    }
}
