// Weaves cloths, which are files, from threads, as cards say.

#include <iostream>

#include "errors.hpp"
#include "usage.hpp"
#include "workshop.hpp"

namespace {

constexpr int stopped = 3;

/// Does what is asked; returns the exit code.
int run(const Usage& usage) {
    const auto& [command, place, options, paths] = usage;
    if (command == "build") {
        return build(place, options, paths) ? 0 : stopped;
    }
    if (command == "list") {
        list(place, paths);
    } else if (command == "explain" && paths.size() == 1) {
        explain(place, paths.front());
    } else if (command == "cache" && paths.size() == 1) {
        show_cache(paths.front());
    } else {
        throw UsageError("usage: weave build|list [CLOTH...], weave explain CLOTH, weave cache FOLDER");
    }
    return 0;
}

int fail(int code, const std::string& message) {
    std::cout.flush();
    std::cerr << "error: " << message << '\n';
    return code;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(parse_usage({argv + 1, argv + argc}));
    } catch (const UsageError& error) {
        return fail(2, error.what());
    } catch (const CardError& error) {
        return fail(1, error.told());
    } catch (const WeavingError& error) {
        return fail(1, error.what());
    }
}
