package pantry;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** All lots, in the order in which they were added. */
public final class Stock {
    private final List<Lot> lots;

    Stock(List<Lot> lots) {
        this.lots = new ArrayList<>(lots);
    }

    List<Lot> lots() {
        return List.copyOf(lots);
    }

    int size() {
        return lots.size();
    }

    /** All lots in listing order. */
    List<Lot> ordered() {
        return lots.stream().sorted(Lot.LISTING_ORDER).toList();
    }

    /** The sum of the lots of each name, in the order of the names. */
    Map<String, Quantity> totals() {
        Map<String, Quantity> totals = new TreeMap<>();
        for (Lot lot : lots) {
            totals.merge(lot.name(), lot.quantity(),
                (sum, quantity) -> sum.withAmount(sum.amount() + quantity.amount()));
        }
        return totals;
    }

    void add(Lot lot) {
        requireUnit(lot.name(), lot.quantity().unit());
        lots.add(lot);
    }

    void take(String name, Quantity quantity) {
        List<Lot> available = lotsOf(name);
        requireUnit(name, quantity.unit());
        long total = available.stream().mapToLong(lot -> lot.quantity().amount()).sum();
        if (total < quantity.amount()) {
            throw new Refusal("only %s of %s left".formatted(quantity.withAmount(total), name));
        }
        long missing = quantity.amount();
        for (Lot lot : available) {
            long used = Math.min(missing, lot.quantity().amount());
            shrink(lot, used);
            missing -= used;
        }
    }

    /** Moves the lots of a name, of one place or of all; returns how many. */
    int move(String name, String place, Optional<String> origin) {
        List<Lot> chosen =
            lotsOf(name).stream().filter(lot -> origin.isEmpty() || lot.place().equals(origin.get())).toList();
        if (chosen.isEmpty()) {
            throw new Refusal("no %s in %s".formatted(name, origin.orElseThrow()));
        }
        lots.replaceAll(lot -> chosen.contains(lot) ? lot.withPlace(place) : lot);
        return chosen.size();
    }

    /** The lots of a name in taking order; at least one. */
    private List<Lot> lotsOf(String name) {
        List<Lot> found = ordered().stream().filter(lot -> lot.name().equals(name)).toList();
        if (found.isEmpty()) {
            throw new Refusal("no %s in stock".formatted(name));
        }
        return found;
    }

    private void requireUnit(String name, Unit unit) {
        unitOf(name).filter(kept -> kept != unit).ifPresent(kept -> {
            throw new Refusal("%s is kept in %s".formatted(name, kept));
        });
    }

    private Optional<Unit> unitOf(String name) {
        return lots.stream().filter(lot -> lot.name().equals(name)).map(lot -> lot.quantity().unit()).findFirst();
    }

    private void shrink(Lot lot, long used) {
        int position = lots.indexOf(lot);
        long rest = lot.quantity().amount() - used;
        if (rest > 0) {
            lots.set(position, lot.withAmount(rest));
        } else {
            lots.remove(position);
        }
    }
}
