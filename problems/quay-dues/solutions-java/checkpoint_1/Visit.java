/** A visit of a ship. */
final class Visit {
    final String id;
    final String ship;
    final Kind kind;
    final int length;
    /** The berth; null if it is not known. */
    final String berth;
    final int from;
    final int hours;
    final int tons;

    private Visit(String[] fields) {
        id = text(fields, 0);
        String name = text(fields, 1);
        ship = name == null ? "(no name)" : name;
        kind = Kind.of(text(fields, 2));
        length = number(fields, 3);
        berth = text(fields, 4);
        from = number(fields, 5);
        hours = text(fields, 6) == null ? 1 : Math.max(1, number(fields, 6) - from);
        tons = number(fields, 7);
    }

    /** The visit in a line; null if the line has no id. */
    static Visit parse(String line) {
        Visit visit = new Visit(line.split(";", -1));
        return visit.id == null ? null : visit;
    }

    long fee() {
        return kind.fee(this);
    }

    int end() {
        return from + hours;
    }

    boolean overlaps(Visit other) {
        return from < other.end() && other.from < end();
    }

    /** A field; null if it is missing, empty or a hyphen. */
    private static String text(String[] fields, int at) {
        String field = at < fields.length ? fields[at].trim() : "";
        return field.isEmpty() || field.equals("-") ? null : field;
    }

    /** A field as a number; 0 if it is not one, or negative. */
    private static int number(String[] fields, int at) {
        String field = text(fields, at);
        try {
            return field == null ? 0 : Math.max(0, Integer.parseInt(field));
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
