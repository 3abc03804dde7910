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
    static final List<Route> ALL = List.of(
            Route.post("/dyes", Routes::addDye),
            Route.get("/dyes", (room, call) -> Reply.ok(shape("dyes", room.dyes()))),
            Route.get("/dyes/ID", (room, call) -> Reply.ok(room.dye(call.id()))),
            Route.post("/dyes/ID/refill", Routes::refill),
            Route.post("/dyes/ID/weigh", Routes::weigh),
            Route.post("/mixtures", Routes::mix),
            Route.get("/entries", (room, call) -> Reply.ok(shape("entries", room.entries()))));

    private Routes() {}

    private static Reply addDye(StoreRoom room, Call call) {
        String id = call.fields().required("id", Fields::name);
        long grams = call.fields().required("grams", number(0, MOST_GRAMS));
        call.fields().end();
        return new Reply(201, room.add(id, grams));
    }

    private static Reply refill(StoreRoom room, Call call) {
        long grams = call.fields().required("grams", number(1, MOST_GRAMS));
        call.fields().end();
        return Reply.ok(room.refill(call.id(), grams));
    }

    private static Reply weigh(StoreRoom room, Call call) {
        long grams = call.fields().required("grams", number(1, MOST_GRAMS));
        SortedMap<String, Long> parts = new TreeMap<>(Map.of(call.id(), grams));
        return Reply.ok(weigh(room, parts, null, call.fields()));
    }

    private static Reply mix(StoreRoom room, Call call) {
        SortedMap<String, Long> parts = call.fields().required("parts", Fields::parts);
        String into = call.fields().required("into", value -> parts.containsKey(value) ? null : Fields.name(value));
        return Reply.ok(weigh(room, parts, into, call.fields()));
    }

    private static Object weigh(StoreRoom room, SortedMap<String, Long> parts, String into, Fields fields) {
        long ms = fields.optional("ms", number(0, 5000), 0L);
        fields.end();
        return room.weigh(parts, into, ms);
    }
}
