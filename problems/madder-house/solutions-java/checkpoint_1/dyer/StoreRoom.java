package dyer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * The store room: dyes, their scales, and the entries of what went in and out.
 *
 * <p>All state of the house changes under the monitor of this object, and whoever waits for a change waits on it.
 */
public final class StoreRoom {
    private final SortedMap<String, Long> grams = new TreeMap<>();
    private final Map<String, Long> onScale = new LinkedHashMap<>();
    private final List<Map<String, Object>> entries = new ArrayList<>();

    synchronized Map<String, Object> add(String dye, long amount) {
        if (grams.containsKey(dye)) {
            throw new Refusal(409, "dye-exists");
        }
        grams.put(dye, amount);
        return dye(dye);
    }

    synchronized Map<String, Object> dye(String dye) {
        checkKnown(dye);
        Map<String, Object> shape = new LinkedHashMap<>();
        shape.put("id", dye);
        shape.put("grams", grams.get(dye));
        return shape;
    }

    synchronized List<Map<String, Object>> dyes() {
        return grams.keySet().stream().map(this::dye).toList();
    }

    synchronized List<Map<String, Object>> entries() {
        return List.copyOf(entries);
    }

    synchronized Map<String, Object> refill(String dye, long amount) {
        checkKnown(dye);
        return record(Map.of(dye, amount));
    }

    /** Takes parts, and adds them to the dye `into` if there is one. It gets all scales at once or none. */
    Map<String, Object> weigh(SortedMap<String, Long> parts, String into, long ms) {
        begin(parts, into);
        sleep(ms);
        synchronized (this) {
            onScale.keySet().removeAll(parts.keySet());
            Map<String, Long> changes = new LinkedHashMap<>();
            parts.forEach((dye, amount) -> changes.put(dye, -amount));
            if (into != null) {
                changes.put(into, parts.values().stream().mapToLong(Long::longValue).sum());
            }
            notifyAll();
            return record(changes);
        }
    }

    private synchronized void begin(SortedMap<String, Long> parts, String into) {
        parts.keySet().forEach(this::checkKnown);
        if (into != null) {
            checkKnown(into);
        }
        await(() -> parts.keySet().stream().noneMatch(onScale::containsKey), null);
        parts.forEach((dye, amount) -> {
            if (grams.get(dye) < amount) {
                throw new Refusal(409, "short").with("dye", dye).with("grams", grams.get(dye));
            }
        });
        onScale.putAll(parts);
    }

    /** Waits until something is true, or some milliseconds have passed. Returns whether it is true. */
    synchronized boolean await(BooleanSupplier holds, Long ms) {
        long end = ms == null ? Long.MAX_VALUE : System.nanoTime() / 1_000_000 + ms;
        while (!holds.getAsBoolean()) {
            long left = ms == null ? 0 : end - System.nanoTime() / 1_000_000;
            if (ms != null && left <= 0) {
                return false;
            }
            try {
                wait(left);
            } catch (InterruptedException interrupt) {
                throw new IllegalStateException(interrupt);
            }
        }
        return true;
    }

    private static void sleep(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException interrupt) {
            throw new IllegalStateException(interrupt);
        }
    }

    synchronized void checkKnown(String dye) {
        if (!grams.containsKey(dye)) {
            throw new Refusal(404, "no-dye").with("dye", dye);
        }
    }

    /** Applies changes as one entry. */
    synchronized Map<String, Object> record(Map<String, Long> changes) {
        Map<String, Object> left = new LinkedHashMap<>();
        changes.forEach((dye, change) -> left.put(dye, grams.merge(dye, change, Long::sum)));
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("entry", entries.size() + 1);
        entry.put("changes", changes);
        entry.put("left", left);
        entries.add(entry);
        return entry;
    }
}
