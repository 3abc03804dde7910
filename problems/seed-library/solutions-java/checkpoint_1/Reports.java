import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The texts that the program prints. */
final class Reports {
    /** Packets of a seed, and the member who took it last. */
    private static final class Seed {
        private int in;
        private int out;
        private String last = "nobody";

        void add(Event event) {
            if (event.is("lend")) {
                out += event.packets;
                last = Event.orElse(event.member, last);
            } else if (event.is("return") || event.is("gift")) {
                in += event.packets;
            }
        }
    }

    private final List<Event> events;
    private final StringBuilder text = new StringBuilder();

    Reports(List<Event> events) {
        this.events = events;
    }

    String members() {
        Map<String, Member> members = new TreeMap<>();
        for (Event event : events) {
            if (event.member != null) {
                members.computeIfAbsent(event.member, name -> new Member()).add(event);
            }
        }
        members.forEach((name, member) -> line(name + ": " + member));
        return lines("no members");
    }

    String seeds() {
        Map<String, Seed> seeds = new TreeMap<>();
        for (Event event : events) {
            seeds.computeIfAbsent(event.seedName(), name -> new Seed()).add(event);
        }
        seeds.forEach((name, seed) -> line(name + ": in " + seed.in + ", out " + seed.out + ", last to " + seed.last));
        return lines("no seeds");
    }

    String overdue(int today) {
        Deque<String> late = new ArrayDeque<>();
        Set<List<String>> closed = new HashSet<>();
        for (int at = events.size() - 1; at >= 0; at--) {
            Event event = events.get(at);
            if (event.member == null) {
                continue;
            }
            // The word "mixed" is a seed of its own, so a missing seed is an empty text.
            List<String> loan = List.of(event.member, Event.orElse(event.seed, ""));
            if (event.is("return") || event.is("lost")) {
                closed.add(loan);
            }
            int days = today - event.day - event.loanDays;
            if (event.is("lend") && event.day + event.loanDays < today && !closed.contains(loan)) {
                late.push(event.member + " has " + event.seedName() + " since day " + event.day + ", " + days + " days late");
            }
        }
        late.forEach(this::line);
        return late.isEmpty() ? lines("nothing is late") : lines("") + "late: " + late.size() + "\n";
    }

    String history(String seed) {
        for (Event event : events) {
            if (seed.equals(event.seed)) {
                String date = Event.orElse(event.date, "?");
                String operation = Event.orElse(event.operation, "?");
                line("day " + date + ": " + operation + " " + Event.orElse(event.member, "somebody"));
            }
        }
        return text.toString();
    }

    private String lines(String ifNone) {
        if (text.isEmpty()) {
            line(ifNone);
        }
        return text.toString();
    }

    private void line(String line) {
        text.append(line).append('\n');
    }
}
