package loom;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** A walk through cloths, which gives the order in which they are made. */
final class Plan {
    private final Map<String, Cloth> cloths;
    private final Predicate<String> isFile;
    private final List<String> way;
    private final Set<String> order = new LinkedHashSet<>();

    /** The walk begins where a way of cloths has led. */
    Plan(Map<String, Cloth> cloths, Predicate<String> isFile, Collection<String> way) {
        this.cloths = cloths;
        this.isFile = isFile;
        this.way = new ArrayList<>(way);
    }

    Set<String> order() {
        return order;
    }

    void add(String path) {
        if (way.contains(path)) {
            List<String> loop = new ArrayList<>(way.subList(way.indexOf(path), way.size()));
            loop.add(path);
            throw new WeavingError("cycle: " + String.join(" > ", loop));
        }
        if (order.contains(path)) {
            return;
        }
        way.add(path);
        cloths.get(path).threads().forEach(this::addThread);
        way.remove(way.size() - 1);
        order.add(path);
    }

    /** Adds what the last cloth of the way needs. */
    void addThread(String thread) {
        if (cloths.containsKey(thread)) {
            add(thread);
        } else if (!isFile.test(thread)) {
            String needed = way.get(way.size() - 1);
            throw new WeavingError("no cloth and no file '%s' for '%s'".formatted(thread, needed));
        }
    }
}
