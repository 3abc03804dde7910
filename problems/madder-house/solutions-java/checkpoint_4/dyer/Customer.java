package dyer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A customer: its turn, how much it may have dyed at once, and what it hears of it. */
final class Customer {
    final Map<String, Batch> keys = new HashMap<>();
    final List<Map<String, Object>> events = new ArrayList<>();
    long most = Long.MAX_VALUE;
    long dyeing;
    private long turn = -1;

    long nextTurn(long turnOfHouse) {
        turn = Math.max(turnOfHouse, turn + 1);
        return turn;
    }

    void report(Batch batch) {
        events.add(Fields.shape("event", events.size() + 1, "batch", batch.id, "state", Batch.name(batch.state)));
    }
}
