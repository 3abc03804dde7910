package dyer;

import static dyer.Fields.MOST_GRAMS;
import static dyer.Fields.number;
import static dyer.Fields.shape;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The requests of the service: what each takes, does and answers. */
final class Routes {
    private static final long MOST_WAIT_MS = 30_000;

    static final List<Route> ALL = List.of(
            Route.post("/dyes", Routes::addDye),
            Route.get("/dyes", (house, call) -> Reply.ok(shape("dyes", house.room.dyes()))),
            Route.get("/dyes/ID", (house, call) -> Reply.ok(house.room.dye(call.id()))),
            Route.post("/dyes/ID/refill", Routes::refill),
            Route.post("/dyes/ID/weigh", Routes::weigh),
            Route.post("/mixtures", Routes::mix),
            Route.get("/entries", (house, call) -> Reply.ok(shape("entries", house.room.entries()))),
            Route.post("/vats", Routes::addVat),
            Route.get("/vats", (house, call) -> Reply.ok(shape("vats", house.vats()))),
            Route.get("/vats/ID", (house, call) -> Reply.ok(house.vat(call.id()))),
            Route.get("/vats/ID/log", (house, call) -> Reply.ok(shape("log", house.log(call.id())))),
            Route.post("/batches", Routes::addBatch),
            Route.get("/batches", (house, call) -> Reply.ok(shape("batches", house.batches()))),
            Route.get("/batches/ID", Routes::readBatch));

    private Routes() {}

    private static Reply addDye(House house, Call call) {
        String id = call.fields().required("id", Fields::name);
        long grams = call.fields().required("grams", number(0, MOST_GRAMS));
        call.fields().end();
        return new Reply(201, house.room.add(id, grams));
    }

    private static Reply refill(House house, Call call) {
        long grams = call.fields().required("grams", number(1, MOST_GRAMS));
        call.fields().end();
        return Reply.ok(house.room.refill(call.id(), grams));
    }

    private static Reply weigh(House house, Call call) {
        long grams = call.fields().required("grams", number(1, MOST_GRAMS));
        SortedMap<String, Long> parts = new TreeMap<>(Map.of(call.id(), grams));
        return Reply.ok(weigh(house.room, parts, null, call.fields()));
    }

    private static Reply mix(House house, Call call) {
        SortedMap<String, Long> parts = call.fields().required("parts", Fields::parts);
        String into = call.fields().required("into", value -> parts.containsKey(value) ? null : Fields.name(value));
        return Reply.ok(weigh(house.room, parts, into, call.fields()));
    }

    private static Object weigh(StoreRoom room, SortedMap<String, Long> parts, String into, Fields fields) {
        long ms = fields.optional("ms", number(0, 5000), 0L);
        fields.end();
        return room.weigh(parts, into, ms);
    }

    private static Reply addVat(House house, Call call) {
        String id = call.fields().required("id", Fields::name);
        call.fields().end();
        return new Reply(201, house.addVat(id));
    }

    private static Reply addBatch(House house, Call call) {
        Fields fields = call.fields();
        Order order = new Order(
                fields.required("customer", Fields::name),
                fields.required("vats", Fields.distinctNames(1, 4)),
                fields.required("dye", Fields::name),
                fields.required("grams", number(1, MOST_GRAMS)),
                fields.required("ms", number(1, 60_000)));
        fields.end();
        return new Reply(202, house.order(order));
    }

    private static Reply readBatch(House house, Call call) {
        return Reply.ok(house.batch(call.id(), readWait(call)));
    }

    private static long readWait(Call call) {
        return call.parameters().optional("wait", Fields.digits(MOST_WAIT_MS), 0L);
    }
}
