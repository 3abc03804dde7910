import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reports on the timetable of school buses. */
public class Main {
    private static final String USAGE = "usage: board FILE STOP DAY, gaps FILE, transfers FILE DAY, days FILE";
    /** The number of arguments of each command. */
    private static final Map<String, Integer> COMMANDS = Map.of("board", 4, "gaps", 2, "transfers", 3, "days", 2);

    public static void main(String[] args) throws IOException {
        if (args.length < 2) {
            fail(2, USAGE);
        }
        Path file = Path.of(args[1]);
        if (!Files.exists(file)) {
            fail(1, "there is no " + args[1]);
        }
        if (args.length < COMMANDS.getOrDefault(args[0], Integer.MAX_VALUE)) {
            fail(2, USAGE);
        }
        Timetable timetable = new Timetable(read(file));
        StringBuilder out = new StringBuilder();
        switch (args[0]) {
            case "board" -> timetable.board(args[2], args[3], out);
            case "gaps" -> timetable.gaps(out);
            case "transfers" -> timetable.transfers(args[2], out);
            default -> timetable.days(out);
        }
        System.out.print(out);
    }

    private static List<Call> read(Path file) throws IOException {
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        List<Call> calls = new ArrayList<>();
        for (String line : text.split("\r\n|[\n\r\u2028\u2029\u0085]")) {
            if (!line.trim().isEmpty()) {
                calls.add(new Call(line));
            }
        }
        return calls;
    }

    private static void fail(int code, String message) {
        System.err.println(message);
        System.exit(code);
    }
}
