import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reports on a library that lends seeds. */
public class Main {
    /** The question for the third argument of each report; empty if it has none. */
    private static final Map<String, String> REPORTS =
            Map.of("members", "", "seeds", "", "overdue", "which day?", "history", "which seed?");

    public static void main(String[] args) throws IOException {
        check(args);
        Reports reports = new Reports(read(Path.of(args[1])));
        String text = switch (args[0]) {
            case "members" -> reports.members();
            case "seeds" -> reports.seeds();
            case "overdue" -> reports.overdue(day(args[2]));
            default -> reports.history(args[2]);
        };
        if (text.isEmpty()) {
            fail(1, "no seed " + args[2]);
        }
        System.out.print(text);
    }

    private static void check(String[] args) {
        if (args.length < 2) {
            fail(2, args.length == 0 ? "which report?" : "which file?");
        }
        if (!Files.exists(Path.of(args[1]))) {
            fail(1, "not found: " + args[1]);
        }
        if (!REPORTS.containsKey(args[0])) {
            fail(2, "no report " + args[0]);
        }
        String question = REPORTS.get(args[0]);
        if (args.length < 3 && !question.isEmpty()) {
            fail(2, question);
        }
    }

    private static int day(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            fail(2, "not a day: " + text);
            return 0;
        }
    }

    private static List<Event> read(Path file) throws IOException {
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        List<Event> events = new ArrayList<>();
        for (String line : text.split("\r\n|\r|\n")) {
            String inner = line.trim();
            if (!inner.isEmpty() && !inner.startsWith("#")) {
                events.add(new Event(line));
            }
        }
        return events;
    }

    private static void fail(int code, String message) {
        System.err.println(message);
        System.exit(code);
    }
}
