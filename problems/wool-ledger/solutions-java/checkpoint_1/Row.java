/** A row of the ledger. Missing texts are null, missing numbers 0. */
final class Row {
    final int fields;
    final String date;
    final String operation;
    final String lot;
    final String grade;
    final int kilos;
    final int price;
    final String party;

    Row(String line) {
        String[] parts = line.split(",");
        fields = parts.length;
        date = parts.length > 0 ? parts[0].trim() : "";
        operation = text(parts, 1);
        lot = text(parts, 2);
        String named = text(parts, 3);
        grade = named == null ? "ungraded" : named;
        kilos = number(parts, 4);
        price = number(parts, 5);
        party = text(parts, 6);
    }

    boolean is(String name) {
        return name.equals(operation);
    }

    /** Whether it moves wool in the stock. */
    boolean isKnown() {
        return is("BUY") || is("SELL") || is("RETURN") || is("ADJ");
    }

    private static String text(String[] parts, int at) {
        String part = at < parts.length ? parts[at].trim() : "";
        return part.isEmpty() ? null : part;
    }

    private static int number(String[] parts, int at) {
        String part = text(parts, at);
        try {
            return part == null ? 0 : Integer.parseInt(part);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
