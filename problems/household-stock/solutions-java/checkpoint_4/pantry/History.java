package pantry;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;

/** The present stock, the changes that led to it, and the changes that were undone. */
public final class History {
    /** A change, with the stock on its other side. */
    record Change(String description, Stock stock) {}

    private Stock stock;
    private final Deque<Change> done;
    private final Deque<Change> undone;

    /** Of both collections, the last change is the next to undo or redo. */
    History(Stock stock, Collection<Change> done, Collection<Change> undone) {
        this.stock = stock;
        this.done = new ArrayDeque<>(done);
        this.undone = new ArrayDeque<>(undone);
    }

    Stock stock() {
        return stock;
    }

    List<Change> done() {
        return List.copyOf(done);
    }

    List<Change> undone() {
        return List.copyOf(undone);
    }

    List<String> descriptions() {
        return done.stream().map(Change::description).toList();
    }

    void record(String description, Stock before) {
        done.addLast(new Change(description, before));
        undone.clear();
    }

    /** Reverts changes; returns their descriptions. */
    List<String> undo(int count) {
        return replay("undo", count, done, undone);
    }

    /** Applies undone changes again; returns their descriptions. */
    List<String> redo(int count) {
        return replay("redo", count, undone, done);
    }

    private List<String> replay(String verb, int count, Deque<Change> source, Deque<Change> target) {
        if (source.isEmpty()) {
            throw new Refusal("nothing to " + verb);
        }
        if (source.size() < count) {
            throw new Refusal("only %d changes to %s".formatted(source.size(), verb));
        }
        List<String> descriptions = new ArrayList<>();
        for (int step = 0; step < count; step++) {
            Change change = source.removeLast();
            target.addLast(new Change(change.description(), stock));
            stock = change.stock();
            descriptions.add(change.description());
        }
        return descriptions;
    }
}
