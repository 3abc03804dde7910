package chest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The journal: one line for each command that could change the chest, without secrets. */
final class Journal {
    static final Set<String> COMMANDS = Set.of("take", "drop", "lock", "unlock");
    private static final String FILE = "journal.json";
    private static final int MOST_CHARACTERS = 80;

    private Journal() {}

    static void note(Store store, String command, String argument, String line) throws IOException {
        List<Object> lines = new ArrayList<>(store.load(FILE));
        lines.add(command + " " + written(argument) + ": " + line);
        store.write(FILE, lines);
    }

    static String shown(Store store) throws IOException {
        StringBuilder shown = new StringBuilder();
        int number = 0;
        for (Object line : store.load(FILE)) {
            number++;
            shown.append(number).append(' ').append(line).append('\n');
        }
        return shown.toString();
    }

    private static String written(String argument) {
        String masked = argument;
        for (String name : List.of("CHEST_KEY", "CHEST_WORD")) {
            String secret = Commands.variable(name);
            masked = secret.isEmpty() ? masked : masked.replace(secret, "***");
        }
        return masked.codePoints().limit(MOST_CHARACTERS).mapToObj(Journal::escaped).collect(Collectors.joining());
    }

    private static String escaped(int code) {
        boolean isPlain = code >= ' ' && code <= '~' && code != '\\';
        return isPlain ? Character.toString(code) : "\\u{" + Integer.toHexString(code) + "}";
    }
}
