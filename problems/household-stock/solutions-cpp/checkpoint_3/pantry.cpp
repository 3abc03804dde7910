// Keeps track of what is in a pantry.

#include <algorithm>
#include <iostream>

#include "commands.hpp"
#include "store.hpp"

namespace {

const Command& find_command(Options::Arguments arguments) {
    const std::string name = arguments.empty() ? "" : arguments.front();
    const auto found = std::ranges::find(commands(), name, &Command::name);
    if (found == commands().end()) {
        throw Misuse("there is no command '" + name + "'");
    }
    return *found;
}

void run(Options::Arguments arguments) {
    const Command& command = find_command(arguments);
    const Options options(command.shape, arguments.subspan(1));
    Stock stock = load();
    const std::string said = command.run(stock, options);
    save(stock);
    std::cout << said << '\n';
}

int fail(int code, const std::exception& why) {
    std::cerr << "error: " << why.what() << '\n';
    return code;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    try {
        run(arguments);
    } catch (const Misuse& why) {
        return fail(2, why);
    } catch (const Refusal& why) {
        return fail(1, why);
    }
}
