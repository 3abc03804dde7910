package pantry;

import java.time.LocalDate;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Something that was added to the pantry; the date is null if the lot has none. */
public record Lot(String name, Quantity quantity, LocalDate bestBefore, String place) {
    private static final String DEFAULT_PLACE = "shelf";

    /** By name, then in taking order; for stable sorts, which keep the order of adding. */
    static final Comparator<Lot> LISTING_ORDER = Comparator.comparing(Lot::name)
        .thenComparing(Lot::bestBefore, Comparator.nullsLast(Comparator.naturalOrder()));

    /** A lot from the texts of a user. The order of the checks is part of the contract. */
    static Lot parse(String name, String quantity, Optional<String> bestBefore, Optional<String> place) {
        return new Lot(
            Words.name(name),
            Quantity.parse(quantity),
            bestBefore.map(Words::date).orElse(null),
            Words.place(place.orElse(DEFAULT_PLACE)));
    }

    /** A lot from the fields of a file. */
    public static Lot parse(Map<String, String> fields) {
        return parse(
            fields.get("name"),
            fields.get("quantity"),
            Optional.ofNullable(fields.get("best_before")),
            Optional.ofNullable(fields.get("place")));
    }

    /** The lot as files contain it, in the order of the fields; an absent date is left out. */
    public Map<String, String> fields() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("name", name);
        fields.put("quantity", quantity.compact());
        if (isDated()) {
            fields.put("best_before", bestBefore.toString());
        }
        fields.put("place", place);
        return fields;
    }

    public boolean isDated() {
        return bestBefore != null;
    }

    String describe() {
        String dated = isDated() ? ", best before " + bestBefore : "";
        return "%s: %s%s, %s".formatted(name, quantity, dated, place);
    }

    Lot withAmount(long amount) {
        return new Lot(name, quantity.withAmount(amount), bestBefore, place);
    }
}
