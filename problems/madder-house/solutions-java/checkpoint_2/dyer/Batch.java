package dyer;

import java.util.Map;

/** A batch: what was ordered, and how far it is. */
final class Batch {
    /** How far a batch is. */
    enum State { WAITING, DYEING, DONE, FAILED }

    final String id;
    final Order order;
    State state = State.WAITING;

    Batch(int number, Order order) {
        this.id = "B" + number;
        this.order = order;
    }

    boolean isSettled() {
        return state.compareTo(State.DYEING) > 0;
    }

    Map<String, Object> shape() {
        Map<String, Object> shape = Fields.shape(
                "id", id, "customer", order.customer(), "vats", order.vats(), "dye", order.dye(),
                "grams", order.grams(), "ms", order.ms(), "state", name(state));
        return shape;
    }

    static String name(State state) {
        return state.name().toLowerCase(java.util.Locale.ROOT);
    }
}
