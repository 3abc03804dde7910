package loom;

import java.util.LinkedHashMap;
import java.util.Map;

/** Keeps the reasons for which cloths are woven. */
final class Reasons implements Report {
    private final Map<String, String> reasons = new LinkedHashMap<>();

    @Override
    public void cloth(String path, String reason) {
        reasons.put(path, reason);
    }

    @Override
    public void removed(String path) {}

    @Override
    public void left(String path) {}

    /** Prints all reasons, and whether a cloth is up to date. */
    void print(String target) {
        reasons.forEach((path, reason) -> {
            if (reason != null) {
                System.out.println(path + ": " + reason);
            } else if (path.equals(target)) {
                System.out.println(path + ": up to date");
            }
        });
    }
}
