package pantry;

import java.time.LocalDate;
import java.util.List;

/** Commands about aliases, minimums and dates. */
final class RuleCommands {
    private RuleCommands() {}

    static Outcome alias(Stock stock, Options options) {
        String other = Words.name(options.get("other"));
        String name = stock.resolve(Words.name(options.get("name")));
        stock.alias(other, name);
        return Outcome.changed("%s means %s".formatted(other, name), "alias %s to %s".formatted(other, name));
    }

    static Outcome minimum(Stock stock, Options options) {
        String name = stock.resolve(Words.name(options.get("name")));
        String text = options.get("quantity");
        if (text.equals("none")) {
            stock.dropMinimum(name);
            return Outcome.changed("no minimum for " + name, "minimum of %s none".formatted(name));
        }
        Quantity quantity = Quantity.parse(text);
        stock.setMinimum(name, quantity);
        return Outcome.changed(
            "minimum of %s is %s".formatted(name, quantity), "minimum of %s %s".formatted(name, quantity));
    }

    static Outcome shopping(Stock stock, Options options) {
        return Outcome.unchanged(Need.report(stock).lines(options.find("format")));
    }

    static Outcome expire(Stock stock, Options options) {
        LocalDate date = Words.date(options.get("date"));
        List<Lot> old = stock.expire(date);
        if (old.isEmpty()) {
            return Outcome.unchanged("nothing to throw away");
        }
        List<String> lines = old.stream().map(RuleCommands::thrownAway).toList();
        return new Outcome(lines, "expire %s (%d lots)".formatted(date, old.size()));
    }

    private static String thrownAway(Lot lot) {
        return "threw away %s of %s, best before %s".formatted(lot.quantity(), lot.name(), lot.bestBefore());
    }
}
