import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** All calls of a file. */
final class Timetable {
    private static final int SHORTEST_TRANSFER = 2;
    private static final int LONGEST_TRANSFER = 10;
    private static final List<String> DAYS = List.of("M", "T", "W", "R", "F");

    private final List<Call> calls;

    Timetable(List<Call> calls) {
        this.calls = calls;
    }

    void board(String stop, String day, StringBuilder out) {
        Set<String> departures = calls.stream()
                .filter(call -> call.isTimed() && call.stopsAt(stop) && call.runsOn(day))
                .sorted(Comparator.comparingInt((Call call) -> call.time).thenComparing(call -> call.route))
                .map(Call::departure)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        departures.forEach(departure -> line(out, departure));
        if (departures.isEmpty()) {
            line(out, "no bus");
        }
    }

    void gaps(StringBuilder out) {
        Map<String, List<Call>> routes = new TreeMap<>();
        for (Call call : calls) {
            if (call.route != null) {
                List<Call> timed = routes.computeIfAbsent(call.route, route -> new ArrayList<>());
                timed.addAll(call.isTimed() ? List.of(call) : List.of());
            }
        }
        routes.forEach((route, timed) -> line(out, "route " + route + ": " + longestGap(timed)));
        if (routes.isEmpty()) {
            line(out, "no routes");
        }
    }

    private static String longestGap(List<Call> timed) {
        if (timed.size() < 2) {
            return timed.isEmpty() ? "no times" : "one stop";
        }
        timed.sort(Comparator.comparingInt(call -> call.time));
        int longest = 1;
        for (int at = 2; at < timed.size(); at++) {
            longest = gap(timed, at) > gap(timed, longest) ? at : longest;
        }
        String stops = timed.get(longest - 1).shownStop() + " to " + timed.get(longest).shownStop();
        return gap(timed, longest) + " min from " + stops;
    }

    /** Minutes from the call before. */
    private static int gap(List<Call> timed, int at) {
        return timed.get(at).time - timed.get(at - 1).time;
    }

    void transfers(String day, StringBuilder out) {
        Map<String, List<Call>> stops = new TreeMap<>();
        for (Call call : calls) {
            if (call.isTimed() && call.stop != null && call.runsOn(day)) {
                stops.computeIfAbsent(call.stop.toLowerCase(), stop -> new ArrayList<>()).add(call);
            }
        }
        int total = 0;
        for (Map.Entry<String, List<Call>> stop : stops.entrySet()) {
            int count = transfersAt(stop.getValue());
            total += count;
            if (count > 0) {
                line(out, stop.getKey() + ": " + count + (count == 1 ? " transfer" : " transfers"));
            }
        }
        line(out, "in all: " + total);
    }

    private static int transfersAt(List<Call> stop) {
        stop.sort(Comparator.comparingInt(call -> call.time));
        int count = 0;
        for (int first = 0; first < stop.size(); first++) {
            count += transfersFrom(stop, first);
        }
        return count;
    }

    private static int transfersFrom(List<Call> stop, int first) {
        Call from = stop.get(first);
        int count = 0;
        for (int at = first + 1; at < stop.size(); at++) {
            int wait = stop.get(at).time - from.time;
            if (wait > LONGEST_TRANSFER) {
                break;
            }
            boolean isOther = !stop.get(at).route.equals(from.route);
            count += isOther && wait >= SHORTEST_TRANSFER ? 1 : 0;
        }
        return count;
    }

    void days(StringBuilder out) {
        List<Call> timed = calls.stream().filter(Call::isTimed).toList();
        for (String day : DAYS) {
            line(out, day + " " + timed.stream().filter(call -> call.runsOn(day)).count());
        }
        long running = timed.stream().filter(call -> DAYS.stream().anyMatch(call::runsOn)).count();
        if (running < calls.size()) {
            line(out, "never " + (calls.size() - running));
        }
    }

    private static void line(StringBuilder out, String text) {
        out.append(text).append('\n');
    }
}
