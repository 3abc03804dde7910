package chest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Runs one command. */
public final class Chest {
    private Chest() {}

    /** The exit code. */
    public static int run(String[] args) throws IOException {
        Command command = args.length < 2 ? null : Commands.ALL.get(args[1]);
        if (command == null || command.count() != args.length - 2) {
            System.err.print("usage: chest DIR COMMAND [ARGUMENT ...]\n");
            return 2;
        }
        Store store = new Store(Path.of(args[0]));
        List<String> rest = Arrays.asList(args).subList(2, args.length);
        try {
            byte[] output = command.action().run(store, rest);
            note(store, args[1], rest, new String(output, StandardCharsets.UTF_8).stripTrailing());
            System.out.write(output);
            System.out.flush();
            return 0;
        } catch (Refusal refusal) {
            String line = "refused: " + refusal.getMessage();
            note(store, args[1], rest, line);
            System.err.print(line + "\n");
            return 1;
        }
    }

    private static void note(Store store, String command, List<String> rest, String line) throws IOException {
        if (Journal.COMMANDS.contains(command)) {
            Journal.note(store, command, rest.get(0), line);
        }
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
