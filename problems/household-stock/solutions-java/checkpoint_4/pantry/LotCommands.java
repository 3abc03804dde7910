package pantry;

import java.util.List;
import java.util.Optional;
import pantry.files.LotFiles;

/** Commands that change and list lots. */
final class LotCommands {
    private LotCommands() {}

    static Outcome add(Stock stock, Options options) {
        Lot lot = stock.add(Lot.parse(
            options.get("name"), options.get("quantity"), options.find("best-before"), options.find("place")));
        String what = "%s of %s".formatted(lot.quantity(), lot.name());
        return Outcome.changed("added " + what, "add " + what);
    }

    static Outcome take(Stock stock, Options options) {
        String name = stock.resolve(Words.name(options.get("name")));
        Quantity quantity = Quantity.parse(options.get("quantity"));
        stock.take(name, quantity);
        String what = "%s of %s".formatted(quantity, name);
        return Outcome.changed("took " + what, "take " + what);
    }

    static Outcome list(Stock stock, Options options) {
        List<String> lines = options.has("lots")
            ? stock.ordered().stream().map(Lot::describe).toList()
            : stock.totals().entrySet().stream().map(total -> total.getKey() + ": " + total.getValue()).toList();
        return Outcome.unchanged(lines.isEmpty() ? List.of("nothing in stock") : lines);
    }

    static Outcome importLots(Stock stock, Options options) {
        String file = options.get("file");
        int before = stock.size();
        LotFiles.read(file, stock::add);
        int count = stock.size() - before;
        return Outcome.changed("lots imported: " + count, "import %s (%d lots)".formatted(file, count));
    }

    static Outcome exportLots(Stock stock, Options options) {
        List<Lot> lots = stock.ordered();
        LotFiles.write(lots, options.get("file"));
        return Outcome.unchanged("lots exported: " + lots.size());
    }

    static Outcome find(Stock stock, Options options) {
        List<Lot> lots = Filter.of(options).choose(stock.ordered());
        if (options.has("count")) {
            return Outcome.unchanged("lots: " + lots.size());
        }
        List<String> lines = lots.stream().map(Lot::describe).toList();
        return Outcome.unchanged(lines.isEmpty() ? List.of("no lots found") : lines);
    }

    static Outcome move(Stock stock, Options options) {
        String name = stock.resolve(Words.name(options.get("name")));
        String place = Words.place(options.get("place"));
        Optional<String> origin = options.find("from").map(Words::place);
        int count = stock.move(name, place, origin);
        return Outcome.changed("lots moved: " + count, "move %s to %s (%d lots)".formatted(name, place, count));
    }

    static Outcome report(Stock stock, Options options) {
        List<Lot> lots = Filter.of(options).choose(stock.ordered());
        return Outcome.unchanged(Group.report(lots, options.get("by")).lines(options.find("format")));
    }
}
