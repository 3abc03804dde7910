package dyer;

import java.math.BigDecimal;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The fields of one request that were read so far. A check returns the value in its own type, or null if it is wrong. */
final class Fields {
    static final long MOST_GRAMS = 100_000;
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,19}");

    private final Map<String, ?> body;
    private final TreeSet<String> unlisted;

    Fields(Map<String, ?> body) {
        this.body = body;
        this.unlisted = new TreeSet<>(body.keySet());
    }

    <T> T required(String name, Function<Object, T> check) {
        T value = optional(name, check, null);
        if (value == null) {
            throw Refusal.wrongField(name);
        }
        return value;
    }

    <T> T optional(String name, Function<Object, T> check, T missing) {
        unlisted.remove(name);
        if (!body.containsKey(name)) {
            return missing;
        }
        T value = check.apply(body.get(name));
        if (value == null) {
            throw Refusal.wrongField(name);
        }
        return value;
    }

    /** Refuses fields that were not read. */
    void end() {
        if (!unlisted.isEmpty()) {
            throw Refusal.wrongField(unlisted.first());
        }
    }

    static Function<Object, Long> number(long least, long most) {
        return value -> {
            boolean isWhole = value instanceof BigDecimal number && number.scale() == 0
                    && number.compareTo(BigDecimal.valueOf(least)) >= 0
                    && number.compareTo(BigDecimal.valueOf(most)) <= 0;
            return isWhole ? ((BigDecimal) value).longValue() : null;
        };
    }

    static String name(Object value) {
        return value instanceof String text && NAME.matcher(text).matches() ? text : null;
    }

    /** One to five dyes with their grams. */
    static SortedMap<String, Long> parts(Object value) {
        if (!(value instanceof Map<?, ?> given) || given.isEmpty() || given.size() > 5) {
            return null;
        }
        SortedMap<String, Long> parts = new TreeMap<>();
        for (Map.Entry<?, ?> part : given.entrySet()) {
            Long grams = number(1, MOST_GRAMS).apply(part.getValue());
            if (name(part.getKey()) == null || grams == null) {
                return null;
            }
            parts.put((String) part.getKey(), grams);
        }
        return parts;
    }

    static Function<Object, List<String>> distinctNames(int least, int most) {
        return value -> {
            if (!(value instanceof List<?> items) || items.size() < least || items.size() > most) {
                return null;
            }
            boolean areRight = items.stream().allMatch(item -> name(item) != null);
            return areRight && new HashSet<>(items).size() == items.size()
                    ? items.stream().map(String.class::cast).toList()
                    : null;
        };
    }

    /** A number in a parameter. */
    static Function<Object, Long> digits(long most) {
        return value -> {
            boolean isRight = ((String) value).matches("[0-9]{1,9}") && Long.parseLong((String) value) <= most;
            return isRight ? Long.valueOf((String) value) : null;
        };
    }

    static Map<String, Object> shape(Object... keysAndValues) {
        Map<String, Object> shape = new LinkedHashMap<>();
        for (int at = 0; at < keysAndValues.length; at += 2) {
            shape.put((String) keysAndValues[at], keysAndValues[at + 1]);
        }
        return shape;
    }
}
