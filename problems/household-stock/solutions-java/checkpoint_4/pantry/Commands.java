package pantry;

import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** All commands by name. */
public final class Commands {
    private static final Map<String, Command> ALL = Map.ofEntries(
        onStock("add", Syntax.of("name", "quantity").valued("best-before", "place"), LotCommands::add),
        onStock("take", Syntax.of("name", "quantity"), LotCommands::take),
        onStock("list", Syntax.of().flags("lots"), LotCommands::list),
        onStock("import", Syntax.of("file"), LotCommands::importLots),
        onStock("export", Syntax.of("file"), LotCommands::exportLots),
        onStock("find", Filter.addTo(Syntax.of().flags("count")), LotCommands::find),
        onStock("move", Syntax.of("name", "place").valued("from"), LotCommands::move),
        onStock("report",
            Filter.addTo(Syntax.of().requiredChoice("by", Group.KEYS.keySet()).choice("format", Report.FORMATS)),
            LotCommands::report),
        onStock("alias", Syntax.of("other", "name"), RuleCommands::alias),
        onStock("minimum", Syntax.of("name", "quantity"), RuleCommands::minimum),
        onStock("shopping", Syntax.of().choice("format", Report.FORMATS), RuleCommands::shopping),
        onStock("expire", Syntax.of("date"), RuleCommands::expire),
        Map.entry("history", new Command(Syntax.of(), HistoryCommands::show)),
        Map.entry("undo", new Command(Syntax.of("count").lastIsOptional(), HistoryCommands::undo)),
        Map.entry("redo", new Command(Syntax.of("count").lastIsOptional(), HistoryCommands::redo)));

    private Commands() {}

    public static Command named(String name) {
        Command command = ALL.get(name);
        if (command == null) {
            throw new UsageError("unknown command " + name);
        }
        return command;
    }

    /** A command on the stock, whose change the history records. */
    private static Map.Entry<String, Command> onStock(
            String name, Syntax syntax, BiFunction<Stock, Options, Outcome> action) {
        return Map.entry(name, new Command(syntax, (history, options) -> {
            Stock before = history.stock().copy();
            Outcome outcome = action.apply(history.stock(), options);
            if (outcome.change() != null) {
                history.record(outcome.change(), before);
            }
            return outcome.lines();
        }));
    }
}
