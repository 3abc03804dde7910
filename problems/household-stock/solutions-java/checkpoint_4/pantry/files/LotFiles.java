package pantry.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import pantry.Lot;
import pantry.Refusal;

/** Files that lots are read from and written to. */
public final class LotFiles {
    private static final Map<String, LotFormat> FORMATS =
        Map.of(".csv", new CsvFormat(), ".jsonl", new JsonlFormat(), ".txt", new TxtFormat());

    private LotFiles() {}

    /** Passes each lot of a file to a consumer; a refusal names the line. */
    public static void read(String path, Consumer<Lot> accept) {
        LotFormat.Reader reader = format(path).reader();
        int number = 0;
        for (String line : text(path).split("\r\n?|\n", -1)) {
            number++;
            try {
                reader.fields(line).map(Lot::parse).ifPresent(accept);
            } catch (Refusal refusal) {
                throw new Refusal("%s:%d: %s".formatted(path, number, refusal.getMessage()));
            }
        }
    }

    public static void write(List<Lot> lots, String path) {
        String text = format(path).write(lots, path);
        try {
            Files.writeString(Path.of(path), text);
        } catch (IOException error) {
            throw new Refusal("cannot write " + path);
        }
    }

    private static LotFormat format(String path) {
        return FORMATS.entrySet().stream()
            .filter(format -> path.endsWith(format.getKey()))
            .map(Map.Entry::getValue)
            .findFirst()
            .orElseThrow(() -> new Refusal("unknown format of " + path));
    }

    private static String text(String path) {
        try {
            return Files.readString(Path.of(path));
        } catch (IOException error) {
            throw new Refusal("cannot read " + path);
        }
    }
}
