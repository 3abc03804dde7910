package pantry;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The quantity of a name that is missing to its minimum. */
record Need(String name, Quantity quantity) {
    static Report report(Stock stock) {
        List<Report.Row> rows = of(stock).stream().map(Need::row).toList();
        return new Report(List.of("name", "amount", "unit"), rows, "nothing to buy");
    }

    private static List<Need> of(Stock stock) {
        Map<String, Quantity> totals = stock.totals();
        List<Need> needs = new ArrayList<>();
        stock.minimums().forEach((name, minimum) -> {
            long inStock = totals.containsKey(name) ? totals.get(name).amount() : 0;
            if (inStock < minimum.amount()) {
                needs.add(new Need(name, minimum.withAmount(minimum.amount() - inStock)));
            }
        });
        return needs;
    }

    private Report.Row row() {
        List<?> cells = List.of(name, quantity.amount(), quantity.unit().toString());
        return new Report.Row(cells, "%s: buy %s".formatted(name, quantity));
    }
}
