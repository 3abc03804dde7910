package dyer;

import java.util.Map;
import java.util.concurrent.Future;

/** A batch: what was ordered, and how far it is. */
final class Batch {
    /** How far a batch is. All states after the first two are settled. */
    enum State { WAITING, DYEING, DONE, FAILED, CANCELLED, EXPIRED }

    final String id;
    final Order order;
    State state = State.WAITING;
    /** Ends the time of the present state; null if nothing does. */
    Future<?> timer;
    final long turn;
    final int number;

    Batch(int number, Order order, long turn) {
        this.id = "B" + number;
        this.number = number;
        this.order = order;
        this.turn = turn;
    }

    boolean isSettled() {
        return state.compareTo(State.DYEING) > 0;
    }

    Map<String, Object> shape() {
        Map<String, Object> shape = Fields.shape(
                "id", id, "customer", order.customer(), "vats", order.vats(), "dye", order.dye(),
                "grams", order.grams(), "ms", order.ms(), "state", name(state));
        if (order.patience() != null) {
            shape.put("patience", order.patience());
        }
        return shape;
    }

    static String name(State state) {
        return state.name().toLowerCase(java.util.Locale.ROOT);
    }

    void stopTimer() {
        if (timer != null) {
            timer.cancel(false);
        }
    }
}
