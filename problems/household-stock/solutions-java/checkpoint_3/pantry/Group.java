package pantry;

import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Lots with the same key. */
record Group(String key, List<Lot> lots) {
    private static final DateTimeFormatter MONTH = DateTimeFormatter.ofPattern("uuuu-MM");

    /** The keys by which lots are grouped; `none` sorts after all months. */
    static final Map<String, Function<Lot, String>> KEYS = Map.of(
        "name", Lot::name,
        "place", Lot::place,
        "month", lot -> lot.isDated() ? lot.bestBefore().format(MONTH) : "none");

    static Report report(List<Lot> lots, String by) {
        Map<String, List<Lot>> members =
            lots.stream().collect(Collectors.groupingBy(KEYS.get(by), TreeMap::new, Collectors.toList()));
        List<Report.Row> rows =
            members.entrySet().stream().map(entry -> new Group(entry.getKey(), entry.getValue()).row()).toList();
        return new Report(columns(), rows, "no lots found");
    }

    private static List<String> columns() {
        List<String> columns = new ArrayList<>(List.of("key", "lots"));
        for (Unit unit : Unit.values()) {
            columns.add(unit.toString());
        }
        return columns;
    }

    private Report.Row row() {
        List<Object> cells = new ArrayList<>(List.of(key, lots.size()));
        StringBuilder text = new StringBuilder("%s: %d lots".formatted(key, lots.size()));
        sums().forEach((unit, sum) -> {
            cells.add(sum);
            if (sum > 0) {
                text.append(", ").append(new Quantity(sum, unit));
            }
        });
        return new Report.Row(cells, text.toString());
    }

    private Map<Unit, Long> sums() {
        Map<Unit, Long> sums = new EnumMap<>(Unit.class);
        for (Unit unit : Unit.values()) {
            sums.put(unit, 0L);
        }
        for (Lot lot : lots) {
            sums.merge(lot.quantity().unit(), lot.quantity().amount(), Long::sum);
        }
        return sums;
    }
}
