import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Dues and berths of a harbour, from a file of visits. */
public class Main {
    private static final String USAGE = "usage: bill FILE | summary FILE | clashes FILE | ship FILE NAME";

    public static void main(String[] args) throws IOException {
        int wanted = args.length > 0 && args[0].equals("ship") ? 3 : 2;
        if (args.length == 0 || !Reports.isKnown(args[0]) || args.length < wanted) {
            fail(2, USAGE);
        }
        Path file = Path.of(args[1]);
        if (!Files.exists(file)) {
            fail(1, "no file " + args[1]);
        }
        Log log = Log.of(lines(file));
        if (args[0].equals("ship") && log.named(args[2]).isEmpty()) {
            fail(1, "no ship " + args[2]);
        }
        System.out.print(new Reports(log).named(args));
    }

    /** The lines that are not blank and not comments. */
    private static List<String> lines(Path file) throws IOException {
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        List<String> kept = new ArrayList<>();
        for (String line : text.split("\r\n|\r|\n")) {
            String inner = line.trim();
            if (!inner.isEmpty() && !inner.startsWith("#")) {
                kept.add(line);
            }
        }
        return kept;
    }

    private static void fail(int code, String message) {
        System.err.println(message);
        System.exit(code);
    }
}
