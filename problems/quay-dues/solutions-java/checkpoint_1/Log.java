import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All visits of a file, in its order. */
final class Log {
    final List<Visit> visits = new ArrayList<>();
    int skipped;

    static Log of(List<String> lines) {
        Log log = new Log();
        for (String line : lines) {
            Visit visit = Visit.parse(line);
            if (visit == null) {
                log.skipped++;
            } else {
                log.visits.add(visit);
            }
        }
        return log;
    }

    List<Visit> named(String name) {
        List<Visit> found = new ArrayList<>();
        for (Visit visit : visits) {
            if (visit.ship.equalsIgnoreCase(name)) {
                found.add(visit);
            }
        }
        return found;
    }

    Map<String, List<Visit>> byShip() {
        Map<String, List<Visit>> ships = new TreeMap<>();
        for (Visit visit : visits) {
            ships.computeIfAbsent(visit.ship, name -> new ArrayList<>()).add(visit);
        }
        return ships;
    }

    /** Pairs of visits at one berth at one time, in the order of the file. */
    List<Visit[]> clashes() {
        Map<String, List<Visit>> later = new HashMap<>();
        List<Visit[]> pairs = new ArrayList<>();
        for (int at = visits.size() - 1; at >= 0; at--) {
            Visit visit = visits.get(at);
            if (visit.berth == null) {
                continue;
            }
            List<Visit> others = later.computeIfAbsent(visit.berth, berth -> new ArrayList<>());
            for (Visit other : others) {
                if (visit.overlaps(other)) {
                    pairs.add(new Visit[] {visit, other});
                }
            }
            others.add(visit);
        }
        java.util.Collections.reverse(pairs);
        return pairs;
    }
}
