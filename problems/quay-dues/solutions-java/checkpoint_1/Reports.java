import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The texts that the program prints. */
final class Reports {
    private final Log log;
    private final StringBuilder out = new StringBuilder();

    Reports(Log log) {
        this.log = log;
    }

    static boolean isKnown(String name) {
        return Set.of("bill", "summary", "clashes", "ship").contains(name);
    }

    String named(String[] args) {
        switch (args[0]) {
            case "bill" -> bill();
            case "summary" -> summary();
            case "clashes" -> clashes();
            default -> ship(args[2]);
        }
        return out.toString();
    }

    private void bill() {
        Map<Kind, Long> sums = new EnumMap<>(Kind.class);
        for (Visit visit : log.visits) {
            sums.merge(visit.kind, visit.fee(), Long::sum);
            line(visit.id + " " + visit.ship + " " + visit.kind.title() + " " + visit.hours + " h " + money(visit.fee()));
        }
        long total = 0;
        for (Map.Entry<Kind, Long> sum : sums.entrySet()) {
            total += sum.getValue();
            if (sum.getValue() > 0) {
                line(sum.getKey().title() + ": " + money(sum.getValue()));
            }
        }
        line("total: " + money(total));
        skipped();
    }

    private void summary() {
        Map<String, List<Visit>> ships = log.byShip();
        ships.forEach((name, visits) -> {
            String count = visits.size() + (visits.size() == 1 ? " visit, " : " visits, ");
            int hours = visits.stream().mapToInt(visit -> visit.hours).sum();
            long fees = visits.stream().mapToLong(Visit::fee).sum();
            line(name + ": " + count + hours + " h, " + money(fees));
        });
        if (ships.isEmpty()) {
            line("nothing");
        }
        skipped();
    }

    private void clashes() {
        List<Visit[]> pairs = log.clashes();
        for (Visit[] pair : pairs) {
            line("berth " + pair[0].berth + ": " + pair[0].id + " and " + pair[1].id);
        }
        line(pairs.isEmpty() ? "no clash" : "clashes: " + pairs.size());
    }

    private void ship(String name) {
        for (Visit visit : log.named(name)) {
            String berth = visit.berth == null ? "?" : visit.berth;
            line(visit.id + " berth " + berth + " from " + visit.from + " to " + visit.end());
        }
    }

    private void skipped() {
        if (log.skipped > 0) {
            line("skipped: " + log.skipped);
        }
    }

    private void line(String text) {
        out.append(text).append('\n');
    }

    private static String money(long cents) {
        return cents / 100 + "." + (cents % 100 < 10 ? "0" : "") + cents % 100;
    }
}
