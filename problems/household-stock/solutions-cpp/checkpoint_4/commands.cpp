#include "commands.hpp"

#include "formats.hpp"
#include "query.hpp"
#include "report.hpp"
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

/// The name that a text of the user stands for.
std::string parse_name(const Stock& stock, const std::string& text) {
    return stock.resolve(parse_word(text, "name"));
}

Outcome add(Stock& stock, const Options& options) {
    const Lot& lot = stock.add(parse_lot({.name = options.need("name"),
                                          .quantity = options.need("quantity"),
                                          .best_before = options.get("--best-before"),
                                          .place = options.get("--place")}));
    const std::string what = describe(lot.quantity) + " of " + lot.name;
    return {"added " + what, "add " + what};
}

Outcome take(Stock& stock, const Options& options) {
    const std::string name = parse_name(stock, options.need("name"));
    const Quantity quantity = parse_quantity(options.need("quantity"));
    stock.take(name, quantity);
    const std::string what = describe(quantity) + " of " + name;
    return {"took " + what, "take " + what};
}

Outcome list(Stock& stock, const Options& options) {
    if (options.has("--lots")) {
        return {lines_or(descriptions(stock.ordered()), "nothing in stock"), {}};
    }
    std::vector<std::string> lines;
    for (const auto& [name, sum] : stock.totals()) {
        lines.push_back(name + ": " + describe(sum));
    }
    return {lines_or(lines, "nothing in stock"), {}};
}

Outcome import_lots(Stock& stock, const Options& options) {
    const std::string& file = options.need("file");
    Stock next = stock;
    read_lots(file, [&](const Lot& lot) { next.add(lot); });
    const std::string count = std::to_string(next.lots().size() - stock.lots().size());
    stock = std::move(next);
    return {"lots imported: " + count, "import " + file + " (" + count + " lots)"};
}

Outcome export_lots(Stock& stock, const Options& options) {
    write_lots(options.need("file"), stock.ordered());
    return {"lots exported: " + std::to_string(stock.lots().size()), {}};
}

Outcome move_lots(Stock& stock, const Options& options) {
    const std::string name = parse_name(stock, options.need("name"));
    const std::string place = parse_word(options.need("place"), "place");
    std::optional<std::string> origin = options.get("--from");
    if (origin) {
        origin = parse_word(*origin, "place");
    }
    const std::string count = std::to_string(stock.move(name, place, origin));
    return {"lots moved: " + count, "move " + name + " to " + place + " (" + count + " lots)"};
}

Outcome find_lots(Stock& stock, const Options& options) {
    const auto lots = choose(stock.ordered(), options);
    if (options.has("--count")) {
        return {"lots: " + std::to_string(lots.size()), {}};
    }
    return {lines_or(descriptions(lots), "no lots found"), {}};
}

std::string print(const Report& report, const Options& options) {
    return print(report, options.get("--format").value_or("text"));
}

Outcome print_report(Stock& stock, const Options& options) {
    const Report report = group_lots(choose(stock.lots(), options), options.need("--by"));
    return {print(report, options), {}};
}

Outcome alias(Stock& stock, const Options& options) {
    const std::string other = parse_word(options.need("other"), "name");
    const std::string name = parse_name(stock, options.need("name"));
    stock.alias(other, name);
    return {other + " means " + name, "alias " + other + " to " + name};
}

Outcome minimum(Stock& stock, const Options& options) {
    const std::string name = parse_name(stock, options.need("name"));
    const std::string& text = options.need("quantity");
    if (text == "none") {
        stock.drop_minimum(name);
        return {"no minimum for " + name, "minimum of " + name + " none"};
    }
    const Quantity quantity = parse_quantity(text);
    stock.set_minimum(name, quantity);
    return {"minimum of " + name + " is " + describe(quantity), "minimum of " + name + " " + describe(quantity)};
}

Outcome shopping(Stock& stock, const Options& options) {
    return {print(list_needs(stock), options), {}};
}

Outcome expire(Stock& stock, const Options& options) {
    const std::string date = parse_date(options.need("date"));
    const auto lots = stock.expire(date);
    if (lots.empty()) {
        return {"nothing to throw away", {}};
    }
    std::vector<std::string> lines;
    for (const Lot& lot : lots) {
        lines.push_back("threw away " + describe(lot.quantity) + " of " + lot.name + ", best before " +
                        lot.best_before.value());
    }
    return {joined(lines, "\n"), "expire " + date + " (" + std::to_string(lots.size()) + " lots)"};
}

std::string show_history(History& history, const Options&) {
    std::vector<std::string> lines;
    for (const Change& change : history.done) {
        lines.push_back(std::to_string(lines.size() + 1) + ". " + change.description);
    }
    return lines_or(lines, "no changes");
}

std::string say_each(const std::string& word, std::vector<std::string> descriptions) {
    for (std::string& description : descriptions) {
        description.insert(0, word + ": ");
    }
    return joined(descriptions, "\n");
}

std::size_t count_of(const Options& options) {
    return parse_count(options.get("count").value_or("1"));
}

std::string undo(History& history, const Options& options) {
    return say_each("undone", history.undo(count_of(options)));
}

std::string redo(History& history, const Options& options) {
    return say_each("redone", history.redo(count_of(options)));
}

const std::vector<std::string> report_formats{"text", "csv", "json"};

/// A shape with the filters, and what a command takes besides.
Shape filtering(Shape shape) {
    shape.values.insert(shape.values.end(), filter_values.begin(), filter_values.end());
    shape.flags.push_back("--undated");
    return shape;
}

}  // namespace

const std::vector<Command>& commands() {
    static const std::vector<Command> all{
        {"add", {.positionals = {"name", "quantity"}, .values = {"--best-before", "--place"}}, add},
        {"take", {.positionals = {"name", "quantity"}}, take},
        {"list", {.flags = {"--lots"}}, list},
        {"import", {.positionals = {"file"}}, import_lots},
        {"export", {.positionals = {"file"}}, export_lots},
        {"move", {.positionals = {"name", "place"}, .values = {"--from"}}, move_lots},
        {"find", filtering({.flags = {"--count"}}), find_lots},
        {"report",
         filtering({.values = {"--by", "--format"},
                    .required = {"--by"},
                    .choices = {{"--by", {"name", "place", "month"}}, {"--format", report_formats}}}),
         print_report},
        {"alias", {.positionals = {"other", "name"}}, alias},
        {"minimum", {.positionals = {"name", "quantity"}}, minimum},
        {"shopping", {.values = {"--format"}, .choices = {{"--format", report_formats}}}, shopping},
        {"expire", {.positionals = {"date"}}, expire},
        {"history", {}, show_history},
        {"undo", {.optional = {"count"}}, undo},
        {"redo", {.optional = {"count"}}, redo},
    };
    return all;
}

std::string run(const Command& command, History& history, const Options& options) {
    if (const auto* on_history = std::get_if<Command::OnHistory>(&command.run)) {
        return (*on_history)(history, options);
    }
    const Stock before = history.stock;
    const Outcome outcome = std::get<Command::OnStock>(command.run)(history.stock, options);
    if (outcome.change) {
        history.record(*outcome.change, before);
    }
    return outcome.said;
}
