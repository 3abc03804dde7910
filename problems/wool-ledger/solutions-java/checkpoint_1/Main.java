import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** Reports on a ledger of wool. */
public class Main {
    private static final Set<String> COMMANDS = Set.of("stock", "profit", "statement", "audit");

    public static void main(String[] args) throws IOException {
        check(args);
        List<Row> rows = read(Path.of(args[1]));
        StringBuilder out = new StringBuilder();
        switch (args[0]) {
            case "stock" -> Stock.report(rows, out);
            case "profit" -> Profit.report(rows, out);
            case "statement" -> Statement.report(rows, args[2], out);
            default -> Audit.report(rows, out);
        }
        System.out.print(out);
    }

    private static void check(String[] args) {
        if (args.length < 2) {
            fail(2, "give a command and a file");
        }
        if (!COMMANDS.contains(args[0])) {
            fail(2, "unknown command " + args[0]);
        }
        if (args[0].equals("statement") && args.length < 3) {
            fail(2, "give a party");
        }
        if (!Files.exists(Path.of(args[1]))) {
            fail(1, "cannot find " + args[1]);
        }
    }

    /** The rows by date; rows of one day stay in the order of the file. */
    private static List<Row> read(Path file) throws IOException {
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        List<Row> rows = new ArrayList<>();
        for (String line : text.split("\r\n|\r|\n")) {
            if (!line.trim().isEmpty()) {
                rows.add(new Row(line));
            }
        }
        rows.sort(Comparator.comparing(row -> row.date));
        return rows;
    }

    private static void fail(int code, String message) {
        System.err.println(message);
        System.exit(code);
    }
}
