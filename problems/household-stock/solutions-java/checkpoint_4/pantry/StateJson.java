package pantry;

import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The state of the pantry as JSON values. */
final class StateJson {
    private StateJson() {}

    static Stock emptyStock() {
        return new Stock(List.of(), Map.of(), Map.of());
    }

    static Map<String, ?> json(History history) {
        return Map.of(
            "stock", json(history.stock()),
            "done", history.done().stream().map(StateJson::json).toList(),
            "undone", history.undone().stream().map(StateJson::json).toList());
    }

    private static List<?> json(History.Change change) {
        return List.of(change.description(), json(change.stock()));
    }

    private static Map<String, ?> json(Stock stock) {
        return Map.of(
            "lots", stock.lots().stream().map(StateJson::json).toList(),
            "aliases", stock.aliases(),
            "minimums", mapped(stock.minimums(), Quantity::compact));
    }

    private static List<String> json(Lot lot) {
        String date = lot.isDated() ? lot.bestBefore().toString() : "";
        return List.of(lot.name(), lot.quantity().compact(), date, lot.place());
    }

    static History history(Object json) {
        Map<?, ?> members = (Map<?, ?>) json;
        return new History(
            stock(members.get("stock")), changes(members.get("done")), changes(members.get("undone")));
    }

    private static List<History.Change> changes(Object json) {
        return ((List<?>) json).stream().map(change -> change((List<?>) change)).toList();
    }

    private static History.Change change(List<?> json) {
        return new History.Change((String) json.get(0), stock(json.get(1)));
    }

    private static Stock stock(Object json) {
        Map<?, ?> members = (Map<?, ?>) json;
        return new Stock(
            ((List<?>) members.get("lots")).stream().map(lot -> lot((List<?>) lot)).toList(),
            mapped((Map<?, ?>) members.get("aliases"), String.class::cast),
            mapped((Map<?, ?>) members.get("minimums"), quantity -> Quantity.parse((String) quantity)));
    }

    private static Lot lot(List<?> json) {
        String date = (String) json.get(2);
        return new Lot(
            (String) json.get(0),
            Quantity.parse((String) json.get(1)),
            date.isEmpty() ? null : LocalDate.parse(date),
            (String) json.get(3));
    }

    private static <V, T> Map<String, T> mapped(Map<?, V> members, Function<V, T> change) {
        return members.entrySet().stream().collect(Collectors.toMap(
            entry -> (String) entry.getKey(),
            entry -> change.apply(entry.getValue()),
            (first, second) -> second,
            LinkedHashMap::new));
    }
}
