package pantry;

import java.util.List;
import java.util.Map;

/** All commands by name. */
public final class Commands {
    private static final Map<String, Command> ALL = Map.ofEntries(
        Map.entry("add", new Command(Syntax.of("name", "quantity").valued("best-before", "place"), Commands::add)),
        Map.entry("take", new Command(Syntax.of("name", "quantity"), Commands::take)),
        Map.entry("list", new Command(Syntax.of().flags("lots"), Commands::list)));

    private Commands() {}

    public static Command named(String name) {
        Command command = ALL.get(name);
        if (command == null) {
            throw new UsageError("unknown command " + name);
        }
        return command;
    }

    private static List<String> add(Stock stock, Options options) {
        Lot lot = Lot.parse(
            options.get("name"), options.get("quantity"), options.find("best-before"), options.find("place"));
        stock.add(lot);
        return List.of("added %s of %s".formatted(lot.quantity(), lot.name()));
    }

    private static List<String> take(Stock stock, Options options) {
        String name = Words.name(options.get("name"));
        Quantity quantity = Quantity.parse(options.get("quantity"));
        stock.take(name, quantity);
        return List.of("took %s of %s".formatted(quantity, name));
    }

    private static List<String> list(Stock stock, Options options) {
        List<String> lines = options.has("lots")
            ? stock.ordered().stream().map(Lot::describe).toList()
            : stock.totals().entrySet().stream().map(total -> total.getKey() + ": " + total.getValue()).toList();
        return lines.isEmpty() ? List.of("nothing in stock") : lines;
    }
}
