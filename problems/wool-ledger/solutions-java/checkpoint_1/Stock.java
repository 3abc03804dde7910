import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Kilos of a grade in the stock. */
final class Stock {
    private int kilos;
    private int missing;

    static void report(List<Row> rows, StringBuilder out) {
        Map<String, Stock> grades = new TreeMap<>();
        for (Row row : rows) {
            if (row.isKnown()) {
                grades.computeIfAbsent(row.grade, grade -> new Stock()).apply(row);
            }
        }
        grades.forEach((grade, stock) -> out.append(grade).append(' ').append(stock).append('\n'));
        if (grades.isEmpty()) {
            out.append("empty\n");
        }
    }

    private void apply(Row row) {
        if (row.is("ADJ")) {
            kilos = Math.max(0, kilos + row.kilos);
        } else if (row.kilos > 0) {
            move(row.is("SELL") ? -row.kilos : row.kilos);
        }
    }

    private void move(int change) {
        missing += Math.max(0, -change - kilos);
        kilos = Math.max(0, kilos + change);
    }

    @Override
    public String toString() {
        return kilos + " kg" + (missing > 0 ? " (short " + missing + " kg)" : "");
    }
}
