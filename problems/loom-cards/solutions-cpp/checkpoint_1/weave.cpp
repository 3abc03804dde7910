// Weaves cloths, which are files, from threads, as cards say.

#include <iostream>
#include <string>
#include <vector>

#include "builder.hpp"
#include "card.hpp"
#include "errors.hpp"
#include "plan.hpp"

namespace {

using Arguments = std::vector<std::string>;

void build(const Arguments& targets) {
    Tree tree(".");
    const Cloths cloths = read_card(tree, "main.card");
    const auto wanted = plan(cloths, tree, targets);
    Memory memory(tree);
    Builder(tree, memory).build(wanted);
}

void list(const Arguments& targets) {
    const Tree tree(".");
    const Cloths cloths = read_card(tree, "main.card");
    for (const Cloth* cloth : plan(cloths, tree, targets)) {
        std::cout << cloth->path << ':';
        for (const std::string& thread : cloth->threads) {
            std::cout << ' ' << thread;
        }
        std::cout << '\n';
    }
}

void run(const Arguments& arguments) {
    const std::string command = arguments.empty() ? "" : arguments.front();
    const Arguments targets(arguments.begin() + (arguments.empty() ? 0 : 1), arguments.end());
    for (const std::string& target : targets) {
        if (target.starts_with('-')) {
            throw UsageError("unknown option " + target);
        }
    }
    if (command == "build") {
        build(targets);
    } else if (command == "list") {
        list(targets);
    } else {
        throw UsageError("unknown command '" + command + "'");
    }
}

int fail(int code, const std::exception& error) {
    std::cout.flush();
    std::cerr << "error: " << error.what() << '\n';
    return code;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        run(Arguments(argv + 1, argv + argc));
    } catch (const UsageError& error) {
        return fail(2, error);
    } catch (const CardError& error) {
        return fail(1, error);
    }
}
