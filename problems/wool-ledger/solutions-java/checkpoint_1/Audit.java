import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Faults of the ledger. */
final class Audit {
    private final Map<String, Integer> lots = new HashMap<>();
    private final StringBuilder out;
    private int faults;

    private Audit(StringBuilder out) {
        this.out = out;
    }

    static void report(List<Row> rows, StringBuilder out) {
        Audit audit = new Audit(out);
        for (int at = 0; at < rows.size(); at++) {
            audit.row(at + 1, rows.get(at));
        }
        out.append(audit.faults == 0 ? "clean" : "faults: " + audit.faults).append('\n');
    }

    private void row(int number, Row row) {
        if (row.operation == null) {
            fault(number, "no operation");
        } else if (!row.isKnown()) {
            fault(number, "unknown operation " + row.operation);
        }
        if (row.is("BUY")) {
            lot(number, row.lot);
        }
        if (row.fields < 7) {
            fault(number, row.fields + " fields");
        }
    }

    private void lot(int number, String lot) {
        Integer first = lot == null ? null : lots.putIfAbsent(lot, number);
        if (lot == null) {
            fault(number, "no lot");
        } else if (first != null) {
            fault(number, "lot " + lot + " is that of row " + first);
        }
    }

    private void fault(int number, String text) {
        out.append("row ").append(number).append(": ").append(text).append('\n');
        faults++;
    }
}
