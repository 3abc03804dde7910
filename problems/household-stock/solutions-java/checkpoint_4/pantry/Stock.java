package pantry;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** All lots, in the order in which they were added, with the aliases and minimums of names. */
public final class Stock {
    private final List<Lot> lots;
    private final Map<String, String> aliases;
    private final Map<String, Quantity> minimums;

    Stock(List<Lot> lots, Map<String, String> aliases, Map<String, Quantity> minimums) {
        this.lots = new ArrayList<>(lots);
        this.aliases = new HashMap<>(aliases);
        this.minimums = new TreeMap<>(minimums);
    }

    /** A copy that later changes do not reach. */
    Stock copy() {
        return new Stock(lots, aliases, minimums);
    }

    List<Lot> lots() {
        return List.copyOf(lots);
    }

    Map<String, String> aliases() {
        return Map.copyOf(aliases);
    }

    /** The minimums in the order of the names. */
    Map<String, Quantity> minimums() {
        return new TreeMap<>(minimums);
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

    /** The name that a name means. */
    String resolve(String name) {
        return aliases.getOrDefault(name, name);
    }

    /** Adds a lot under the name that its own means; returns the lot as it was added. */
    Lot add(Lot given) {
        Lot lot = given.withName(resolve(given.name()));
        requireUnit(lot.name(), unitOf(lot.name()), Optional.of(lot.quantity().unit()));
        lots.add(lot);
        return lot;
    }

    void take(String name, Quantity quantity) {
        List<Lot> available = lotsOf(name);
        requireUnit(name, unitInStock(name), Optional.of(quantity.unit()));
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

    /** Removes the lots that are best before an earlier date; returns them in listing order. */
    List<Lot> expire(LocalDate date) {
        List<Lot> old = ordered().stream().filter(lot -> lot.isBestBefore(date)).toList();
        lots.removeIf(lot -> lot.isBestBefore(date));
        return old;
    }

    void alias(String other, String name) {
        if (other.equals(name)) {
            throw new Refusal("cannot alias %s to itself".formatted(name));
        }
        requireUnit(name, unitOf(name), unitOf(other));
        lots.replaceAll(lot -> lot.name().equals(other) ? lot.withName(name) : lot);
        Quantity minimum = minimums.remove(other);
        if (minimum != null) {
            minimums.putIfAbsent(name, minimum);
        }
        aliases.replaceAll((key, target) -> target.equals(other) ? name : target);
        aliases.put(other, name);
    }

    void setMinimum(String name, Quantity quantity) {
        requireUnit(name, unitInStock(name), Optional.of(quantity.unit()));
        minimums.put(name, quantity);
    }

    void dropMinimum(String name) {
        if (minimums.remove(name) == null) {
            throw new Refusal("no minimum for " + name);
        }
    }

    /** The lots of a name in taking order; at least one. */
    private List<Lot> lotsOf(String name) {
        List<Lot> found = ordered().stream().filter(lot -> lot.name().equals(name)).toList();
        if (found.isEmpty()) {
            throw new Refusal("no %s in stock".formatted(name));
        }
        return found;
    }

    private static void requireUnit(String name, Optional<Unit> kept, Optional<Unit> unit) {
        if (kept.isPresent() && unit.isPresent() && kept.get() != unit.get()) {
            throw new Refusal("%s is kept in %s".formatted(name, kept.get()));
        }
    }

    /** The unit of the lots of a name, else of its minimum. */
    private Optional<Unit> unitOf(String name) {
        return unitInStock(name).or(() -> Optional.ofNullable(minimums.get(name)).map(Quantity::unit));
    }

    private Optional<Unit> unitInStock(String name) {
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
