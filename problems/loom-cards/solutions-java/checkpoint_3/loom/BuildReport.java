package loom;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Prints what happens in a build, and sums it up. */
final class BuildReport implements Report {
    private static final List<String> ALWAYS_COUNTED = List.of("woven", "kept");

    private final Map<String, Integer> counts = new LinkedHashMap<>();

    BuildReport() {
        for (String outcome : List.of("woven", "kept", "removed")) {
            counts.put(outcome, 0);
        }
    }

    @Override
    public void cloth(String path, String reason) {
        note(reason == null ? "kept" : "woven", path);
    }

    @Override
    public void removed(String path) {
        note("removed", path);
    }

    @Override
    public void left(String path) {
        System.out.println("left " + path);
    }

    private void note(String outcome, String path) {
        counts.merge(outcome, 1, Integer::sum);
        System.out.println(outcome + " " + path);
    }

    void sumUp() {
        System.out.println(counts.entrySet().stream()
            .filter(count -> count.getValue() > 0 || ALWAYS_COUNTED.contains(count.getKey()))
            .map(count -> count.getValue() + " " + count.getKey())
            .collect(Collectors.joining(", ")));
    }
}
