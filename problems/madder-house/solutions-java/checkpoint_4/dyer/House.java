package dyer;

import dyer.Batch.State;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The house: vats, and the batches that are dyed in them.
 *
 * <p>Everything here happens under the monitor of the store room, so a batch takes its vats and its dye in one step.
 */
public final class House {
    final StoreRoom room;
    private final SortedMap<String, Vat> vats = new TreeMap<>();
    private final Map<String, Batch> batches = new LinkedHashMap<>();
    private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(2);
    private final Map<String, Customer> customers = new HashMap<>();
    private long turn;
    private boolean isClosing;

    public House(StoreRoom room) {
        this.room = room;
    }

    Object addVat(String id) {
        synchronized (room) {
            if (vats.containsKey(id)) {
                throw new Refusal(409, "vat-exists");
            }
            vats.put(id, new Vat(id));
            return vat(id);
        }
    }

    Object vat(String id) {
        synchronized (room) {
            return knownVat(id).shape();
        }
    }

    Object vats() {
        synchronized (room) {
            return vats.values().stream().map(Vat::shape).toList();
        }
    }

    Object log(String id) {
        synchronized (room) {
            return List.copyOf(knownVat(id).log);
        }
    }

    Reply order(Order order, String key) {
        synchronized (room) {
            order.vats().forEach(this::knownVat);
            room.checkKnown(order.dye());
            Customer customer = customer(order.customer());
            Batch known = customer.keys.get(key);
            if (known != null && !known.order.equals(order)) {
                throw new Refusal(409, "key-used").with("batch", known.id);
            }
            if (known != null) {
                return Reply.ok(known.shape());
            }
            if (isClosing) {
                throw new Refusal(409, "closing");
            }
            return new Reply(202, add(order, key, customer).shape());
        }
    }

    private Batch add(Order order, String key, Customer customer) {
        Batch batch = new Batch(batches.size() + 1, order, customer.nextTurn(turn));
        batches.put(batch.id, batch);
        if (key != null) {
            customer.keys.put(key, batch);
        }
        enter(batch, State.WAITING);
        beginWaiting();
        watchPatience(batch);
        return batch;
    }

    /** The batch, once it is settled or the time is over. */
    Object batch(String id, long ms) {
        synchronized (room) {
            Batch batch = knownBatch(id);
            room.await(batch::isSettled, ms);
            return batch.shape();
        }
    }

    Object batches() {
        synchronized (room) {
            return batches.values().stream().map(Batch::shape).toList();
        }
    }

    Object cancel(String id) {
        synchronized (room) {
            Batch batch = knownBatch(id);
            if (batch.isSettled()) {
                throw new Refusal(409, "settled").with("state", Batch.name(batch.state));
            }
            cancel(batch);
            beginWaiting();
            return batch.shape();
        }
    }

    void limit(String id, long most) {
        synchronized (room) {
            customer(id).most = most;
            beginWaiting();
        }
    }

    /** The customer's events after a number, once there is one or the time is over. */
    Object events(String id, int after, long ms) {
        synchronized (room) {
            List<Map<String, Object>> events = customer(id).events;
            room.await(() -> events.size() > after, ms);
            return List.copyOf(events.subList(Math.min(after, events.size()), events.size()));
        }
    }

    /** Ends the work of the house, and counts the batches in each settled state. */
    Object close(long ms) {
        synchronized (room) {
            if (isClosing) {
                throw new Refusal(409, "closing");
            }
            isClosing = true;
            inState(State.WAITING).forEach(this::cancel);
            room.await(() -> inState(State.DYEING).isEmpty(), ms);
            inState(State.DYEING).forEach(this::cancel);
            return Fields.shape(
                    "done", inState(State.DONE).size(), "failed", inState(State.FAILED).size(),
                    "cancelled", inState(State.CANCELLED).size(), "expired", inState(State.EXPIRED).size());
        }
    }

    private Customer customer(String id) {
        return customers.computeIfAbsent(id, unknown -> new Customer());
    }

    private List<Batch> inState(State state) {
        return batches.values().stream().filter(batch -> batch.state == state).toList();
    }

    private Vat knownVat(String id) {
        if (!vats.containsKey(id)) {
            throw new Refusal(404, "no-vat").with("vat", id);
        }
        return vats.get(id);
    }

    private Batch knownBatch(String id) {
        if (!batches.containsKey(id)) {
            throw new Refusal(404, "no-batch").with("batch", id);
        }
        return batches.get(id);
    }

    private List<Vat> vatsOf(Batch batch) {
        return batch.order.vats().stream().map(vats::get).toList();
    }

    /** Puts a batch into a state, and wakes those who wait for it. */
    private void enter(Batch batch, State state) {
        batch.state = state;
        customer(batch.order.customer()).report(batch);
        room.notifyAll();
    }

    /** Begins all batches that can, in their order. A batch that cannot keeps its vats from later ones. */
    private void beginWaiting() {
        Set<Vat> wanted = new HashSet<>();
        Comparator<Batch> order = Comparator.<Batch>comparingLong(batch -> batch.turn).thenComparing(batch -> batch.number);
        for (Batch batch : inState(State.WAITING).stream().sorted(order).toList()) {
            Customer customer = customer(batch.order.customer());
            if (customer.dyeing >= customer.most) {
                continue;
            }
            List<Vat> needed = vatsOf(batch);
            if (needed.stream().allMatch(vat -> vat.batch == null && !wanted.contains(vat))) {
                begin(batch);
            } else {
                wanted.addAll(needed);
            }
        }
    }

    private void begin(Batch batch) {
        batch.stopTimer();
        Order order = batch.order;
        if (room.available(order.dye()) < order.grams()) {
            enter(batch, State.FAILED);
            return;
        }
        room.record(Map.of(order.dye(), -order.grams()));
        vatsOf(batch).forEach(vat -> vat.enter(batch, batch, "begins"));
        batch.timer = clock.schedule(() -> finish(batch), order.ms(), TimeUnit.MILLISECONDS);
        turn = Math.max(turn, batch.turn);
        customer(order.customer()).dyeing++;
        enter(batch, State.DYEING);
    }

    private void finish(Batch batch) {
        synchronized (room) {
            if (batch.state != State.DYEING) {
                return;
            }
            leaveVats(batch, "ends");
            enter(batch, State.DONE);
            beginWaiting();
        }
    }

    private void leaveVats(Batch batch, String event) {
        vatsOf(batch).forEach(vat -> vat.enter(null, batch, event));
        customer(batch.order.customer()).dyeing--;
    }

    private void cancel(Batch batch) {
        batch.stopTimer();
        if (batch.state == State.DYEING) {
            leaveVats(batch, "stops");
            room.record(Map.of(batch.order.dye(), batch.order.grams()));
        }
        enter(batch, State.CANCELLED);
    }

    private void watchPatience(Batch batch) {
        Long patience = batch.order.patience();
        if (batch.state != State.WAITING || patience == null) {
            return;
        }
        if (patience == 0) {
            enter(batch, State.EXPIRED);
            return;
        }
        batch.timer = clock.schedule(() -> expire(batch), patience, TimeUnit.MILLISECONDS);
    }

    private void expire(Batch batch) {
        synchronized (room) {
            if (batch.state == State.WAITING) {
                enter(batch, State.EXPIRED);
                beginWaiting();
            }
        }
    }
}
