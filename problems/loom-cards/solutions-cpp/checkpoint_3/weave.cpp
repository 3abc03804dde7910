// Weaves cloths, which are files, from threads, as cards say.

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "errors.hpp"
#include "workshop.hpp"

namespace {

using Arguments = std::vector<std::string>;

/// Takes a flag off the front of arguments, if it is there.
bool take_flag(Arguments& arguments, const std::string& flag) {
    const bool is_there = !arguments.empty() && arguments.front() == flag;
    arguments.erase(arguments.begin(), arguments.begin() + (is_there ? 1 : 0));
    return is_there;
}

/// The arguments, none of which may be an option.
const Arguments& paths(const Arguments& arguments) {
    const auto option = std::ranges::find_if(arguments, [](const auto& word) { return word.starts_with('-'); });
    if (option != arguments.end()) {
        throw UsageError("unknown option " + *option);
    }
    return arguments;
}

void run(Arguments arguments) {
    const std::string command = arguments.empty() ? "" : arguments.front();
    take_flag(arguments, command);
    if (command == "build") {
        const bool is_trial = take_flag(arguments, "--dry");
        build(paths(arguments), is_trial);
    } else if (command == "list") {
        list(paths(arguments));
    } else if (command == "explain" && arguments.size() == 1) {
        explain(paths(arguments).front());
    } else {
        throw UsageError("usage: weave build|list [CLOTH...], weave explain CLOTH");
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
    } catch (const WeavingError& error) {
        return fail(1, error.what());
    }
}
