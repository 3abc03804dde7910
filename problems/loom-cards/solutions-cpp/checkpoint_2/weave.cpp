// Weaves cloths, which are files, from threads, as cards say.

#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "builder.hpp"
#include "card.hpp"
#include "errors.hpp"
#include "memory.hpp"
#include "plan.hpp"
#include "weft.hpp"

namespace {

using Arguments = std::vector<std::string>;

/// A folder with its card, and what is remembered of it.
class Workshop {
public:
    Workshop() : tree_("."), memory_(tree_), weft_(sources()) { read_card(tree_, "main.card", weft_); }

    void build(const Arguments& targets) {
        Builder builder(tree_, memory_);
        builder.build(wanted(targets));
        if (targets.empty()) {
            builder.sweep(weft_.cloths());
        }
        builder.sum_up();
    }

    void list(const Arguments& targets) const {
        for (const Cloth* cloth : wanted(targets)) {
            std::cout << cloth->path << ':';
            for (const std::string& thread : cloth->threads) {
                std::cout << ' ' << thread;
            }
            std::cout << '\n';
        }
    }

private:
    /// The files that were not woven.
    std::set<std::string> sources() const {
        std::set<std::string> paths;
        for (const std::string& path : tree_.files()) {
            if (!memory_.find(path)) {
                paths.insert(path);
            }
        }
        return paths;
    }

    /// What was woven, is left over and not changed counts as missing.
    bool is_file(const std::string& path) const { return tree_.is_file(path) && !memory_.is_unchanged(path); }

    std::vector<const Cloth*> wanted(const Arguments& targets) const {
        return plan(weft_.cloths(), [this](const std::string& path) { return is_file(path); }, targets);
    }

    Tree tree_;
    Memory memory_;
    Weft weft_;
};

void run(const Arguments& arguments) {
    const std::string command = arguments.empty() ? "" : arguments.front();
    const Arguments targets(arguments.begin() + (arguments.empty() ? 0 : 1), arguments.end());
    for (const std::string& target : targets) {
        if (target.starts_with('-')) {
            throw UsageError("unknown option " + target);
        }
    }
    if (command == "build") {
        Workshop().build(targets);
    } else if (command == "list") {
        Workshop().list(targets);
    } else {
        throw UsageError("unknown command '" + command + "'");
    }
}

int fail(int code, const std::string& message) {
    std::cout.flush();
    std::cerr << "error: " << message << '\n';
    return code;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        run(Arguments(argv + 1, argv + argc));
    } catch (const UsageError& error) {
        return fail(2, error.what());
    } catch (const CardError& error) {
        return fail(1, error.told());
    }
}
