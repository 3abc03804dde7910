import java.util.List;
import java.util.Map;

/** The account of a party. */
final class Statement {
    private static final Map<String, String> VERBS = Map.of("BUY", "bought", "SELL", "sold", "RETURN", "taken back");

    static void report(List<Row> rows, String party, StringBuilder out) {
        int balance = 0;
        int count = 0;
        for (Row row : rows) {
            if (party.equals(row.party) && row.operation != null && VERBS.containsKey(row.operation)) {
                int amount = (row.is("SELL") ? 1 : -1) * row.kilos * row.price;
                balance += amount;
                count++;
                out.append(entry(row, amount)).append(" balance ").append(balance).append('\n');
            }
        }
        out.append(count == 0 ? "nothing with " + party : count + " rows, balance " + balance).append('\n');
    }

    private static String entry(Row row, int amount) {
        String date = row.date.isEmpty() ? "undated" : row.date;
        String lot = row.lot == null ? "no lot" : row.lot;
        return date + " " + VERBS.get(row.operation) + " " + lot + " " + amount;
    }

    private Statement() {
    }
}
