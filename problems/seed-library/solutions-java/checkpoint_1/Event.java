import java.util.HashMap;
import java.util.Map;

/** A line of the library's book. Missing texts are null. */
final class Event {
    private static final int DEFAULT_LOAN_DAYS = 30;

    final String operation;
    final String member;
    final String seed;
    /** The day as it is written. */
    final String date;
    final int packets;
    final int day;
    final int loanDays;

    Event(String line) {
        Map<String, String> values = values(line);
        operation = values.get("op");
        member = values.get("member");
        seed = values.get("seed");
        date = values.get("day");
        packets = Math.max(1, number(values.get("packets"), 1));
        day = number(date, 0);
        loanDays = number(values.get("days"), DEFAULT_LOAN_DAYS);
    }

    boolean is(String name) {
        return name.equals(operation);
    }

    String seedName() {
        return orElse(seed, "mixed");
    }

    static String orElse(String text, String other) {
        return text == null ? other : text;
    }

    /** The first value of each key; null for an empty one and for the word null. */
    private static Map<String, String> values(String line) {
        Map<String, String> values = new HashMap<>();
        for (String pair : line.split(";")) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                String value = pair.substring(equals + 1).trim();
                boolean isMissing = value.isEmpty() || value.equals("null");
                String key = pair.substring(0, equals).trim();
                if (!values.containsKey(key)) {
                    values.put(key, isMissing ? null : value);
                }
            }
        }
        return values;
    }

    private static int number(String text, int other) {
        try {
            return text == null ? other : Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return other;
        }
    }
}
