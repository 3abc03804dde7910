/** A call of a route at a stop. Missing texts are null. */
final class Call {
    final String route;
    final String stop;
    /** Minutes since midnight; -1 if there is no valid time. */
    final int time;
    /** Days in capitals; null for every day. */
    private final String days;

    Call(String line) {
        String[] parts = line.split("\\|");
        route = text(parts, 0);
        stop = text(parts, 1);
        time = minutes(text(parts, 2));
        String named = text(parts, 3);
        days = named == null ? null : named.toUpperCase();
    }

    boolean isTimed() {
        return route != null && time >= 0;
    }

    boolean runsOn(String day) {
        return days == null || days.contains(day.toUpperCase());
    }

    boolean stopsAt(String name) {
        return stop != null && stop.equalsIgnoreCase(name);
    }

    String shownStop() {
        return stop == null ? "(unknown)" : stop;
    }

    String departure() {
        return String.format("%02d:%02d route %s", time / 60, time % 60, route);
    }

    private static String text(String[] parts, int at) {
        String part = at < parts.length ? parts[at].trim() : "";
        return part.isEmpty() ? null : part;
    }

    private static int minutes(String text) {
        int colon = text == null ? -1 : text.indexOf(':');
        if (colon < 0) {
            return -1;
        }
        int hours = within(text.substring(0, colon), 23);
        int minutes = within(text.substring(colon + 1), 59);
        return hours < 0 || minutes < 0 ? -1 : hours * 60 + minutes;
    }

    /** A number from 0 to a limit; -1 for anything else. */
    private static int within(String text, int most) {
        try {
            int number = Integer.parseInt(text.trim());
            return number > most ? -1 : Math.max(-1, number);
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
