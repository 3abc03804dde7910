import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What sales brought, less the cost of the oldest lots. */
final class Profit {
    /** Rest of a lot that was bought. */
    private static final class Lot {
        private int kilos;
        private final int price;

        Lot(Row row) {
            kilos = row.kilos;
            price = row.price;
        }
    }

    private final Map<String, Deque<Lot>> lots = new HashMap<>();

    static void report(List<Row> rows, StringBuilder out) {
        Profit profit = new Profit(rows);
        Map<String, Integer> gains = new TreeMap<>();
        int total = 0;
        for (Row row : rows) {
            if (row.is("SELL") && row.kilos > 0) {
                int gain = row.kilos * row.price - profit.cost(row);
                gains.merge(row.grade, gain, Integer::sum);
                total += gain;
            }
        }
        gains.forEach((grade, gain) -> out.append(grade).append(' ').append(gain).append('\n'));
        out.append("total ").append(total).append('\n');
    }

    /** A sale takes from all lots of the ledger, also from later ones. */
    private Profit(List<Row> rows) {
        for (Row row : rows) {
            if (row.is("BUY") && row.kilos > 0) {
                lots.computeIfAbsent(row.grade, grade -> new ArrayDeque<>()).add(new Lot(row));
            }
        }
    }

    /** The cost of a sale. Kilos without a lot cost nothing. */
    private int cost(Row sale) {
        Deque<Lot> left = lots.getOrDefault(sale.grade, new ArrayDeque<>());
        int need = sale.kilos;
        int cost = 0;
        while (need > 0 && !left.isEmpty()) {
            Lot lot = left.peek();
            int taken = Math.min(need, lot.kilos);
            cost += taken * lot.price;
            need -= taken;
            lot.kilos -= taken;
            if (lot.kilos == 0) {
                left.remove();
            }
        }
        return cost;
    }
}
