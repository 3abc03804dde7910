#include "commands.hpp"

#include "formats.hpp"
#include "text.hpp"

namespace {

/// The lines, or what is said if there are none.
std::string lines_or(const std::vector<std::string>& lines, const std::string& nothing) {
    return lines.empty() ? nothing : joined(lines, "\n");
}

std::vector<std::string> descriptions(const std::vector<Lot>& lots) {
    std::vector<std::string> lines;
    for (const Lot& lot : lots) {
        lines.push_back(describe(lot));
    }
    return lines;
}

std::string add(Stock& stock, const Options& options) {
    const Lot lot = parse_lot({.name = options.need("name"),
                               .quantity = options.need("quantity"),
                               .best_before = options.get("--best-before"),
                               .place = options.get("--place")});
    stock.add(lot);
    return "added " + describe(lot.quantity) + " of " + lot.name;
}

std::string take(Stock& stock, const Options& options) {
    const std::string name = parse_word(options.need("name"), "name");
    const Quantity quantity = parse_quantity(options.need("quantity"));
    stock.take(name, quantity);
    return "took " + describe(quantity) + " of " + name;
}

std::string list(Stock& stock, const Options& options) {
    if (options.has("--lots")) {
        return lines_or(descriptions(stock.ordered()), "nothing in stock");
    }
    std::vector<std::string> lines;
    for (const auto& [name, sum] : stock.totals()) {
        lines.push_back(name + ": " + describe(sum));
    }
    return lines_or(lines, "nothing in stock");
}

std::string import_lots(Stock& stock, const Options& options) {
    Stock next = stock;
    read_lots(options.need("file"), [&](const Lot& lot) { next.add(lot); });
    const auto count = next.lots().size() - stock.lots().size();
    stock = std::move(next);
    return "lots imported: " + std::to_string(count);
}

std::string export_lots(Stock& stock, const Options& options) {
    write_lots(options.need("file"), stock.ordered());
    return "lots exported: " + std::to_string(stock.lots().size());
}

}  // namespace

const std::vector<Command>& commands() {
    static const std::vector<Command> all{
        {"add", {.positionals = {"name", "quantity"}, .values = {"--best-before", "--place"}}, add},
        {"take", {.positionals = {"name", "quantity"}}, take},
        {"list", {.flags = {"--lots"}}, list},
        {"import", {.positionals = {"file"}}, import_lots},
        {"export", {.positionals = {"file"}}, export_lots},
    };
    return all;
}
