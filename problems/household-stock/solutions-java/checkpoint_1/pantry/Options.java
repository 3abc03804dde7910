package pantry;

import java.util.Map;
import java.util.Optional;

/** The arguments and options of one command line by name; a flag has an empty value. */
public final class Options {
    private final Map<String, String> values;

    Options(Map<String, String> values) {
        this.values = Map.copyOf(values);
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    String get(String name) {
        return values.get(name);
    }

    Optional<String> find(String name) {
        return Optional.ofNullable(values.get(name));
    }
}
