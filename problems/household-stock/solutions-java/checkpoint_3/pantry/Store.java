package pantry;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import json.Json;
import json.JsonException;

/** The file that keeps the pantry between runs. */
public final class Store {
    private static final Path FILE = Path.of("pantry.json");

    private Store() {}

    public static Stock load() {
        if (!Files.exists(FILE)) {
            return new Stock(List.of());
        }
        try {
            return stock(Json.parse(Files.readString(FILE)));
        } catch (IOException | JsonException | ClassCastException error) {
            throw new Refusal(FILE + " is damaged");
        }
    }

    /** Writes to another file first, so that an interrupted run leaves the old state. */
    public static void save(Stock stock) {
        Path draft = Path.of(FILE + ".new");
        try {
            Files.writeString(draft, Json.write(json(stock)));
            Files.move(draft, FILE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    private static Map<String, ?> json(Stock stock) {
        return Map.of("lots", stock.lots().stream().map(Store::json).toList());
    }

    private static List<String> json(Lot lot) {
        String date = lot.isDated() ? lot.bestBefore().toString() : "";
        return List.of(lot.name(), lot.quantity().compact(), date, lot.place());
    }

    private static Stock stock(Object json) {
        List<?> lots = (List<?>) ((Map<?, ?>) json).get("lots");
        return new Stock(lots.stream().map(lot -> lot((List<?>) lot)).toList());
    }

    private static Lot lot(List<?> json) {
        String date = (String) json.get(2);
        return new Lot(
            (String) json.get(0),
            Quantity.parse((String) json.get(1)),
            date.isEmpty() ? null : LocalDate.parse(date),
            (String) json.get(3));
    }
}
