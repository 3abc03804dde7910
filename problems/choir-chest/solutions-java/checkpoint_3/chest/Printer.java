package chest;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/** The printer: a program of the house, started without a shell. */
final class Printer {
    private static final int MOST_CHARACTERS = 100;

    private Printer() {}

    /** The output of the printer. */
    static byte[] run(String title, String text) {
        if (title.codePoints().count() > MOST_CHARACTERS || title.codePoints().anyMatch(Character::isISOControl)) {
            throw new Refusal("bad title");
        }
        String command = System.getenv("CHEST_PRINTER");
        if (command == null || command.isEmpty()) {
            throw new Refusal("no printer");
        }
        List<String> words = new ArrayList<>(List.of(command.split(" ", -1)));
        words.add("--title=" + title);
        try {
            return print(words, text);
        } catch (IOException | InterruptedException error) {
            throw new Refusal("printer failed");
        }
    }

    private static byte[] print(List<String> words, String text) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD);
        String path = System.getenv("PATH");
        builder.environment().clear();
        if (path != null) {
            builder.environment().put("PATH", path);
        }
        Process printer = builder.start();
        Thread writer = new Thread(() -> feed(printer, text));
        writer.start();
        byte[] output = printer.getInputStream().readAllBytes();
        if (printer.waitFor() != 0) {
            throw new Refusal("printer failed");
        }
        return output;
    }

    private static void feed(Process printer, String text) {
        try (OutputStream input = printer.getOutputStream()) {
            input.write(Chest.utf8(text));
        } catch (IOException error) {
            // The printer does not want to read everything.
        }
    }
}
