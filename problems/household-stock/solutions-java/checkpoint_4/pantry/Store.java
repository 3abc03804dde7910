package pantry;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import json.Json;
import json.JsonException;

/** The file that keeps the pantry between runs. */
public final class Store {
    private static final Path FILE = Path.of("pantry.json");

    private Store() {}

    public static History load() {
        if (!Files.exists(FILE)) {
            return new History(StateJson.emptyStock(), List.of(), List.of());
        }
        try {
            return StateJson.history(Json.parse(Files.readString(FILE)));
        } catch (IOException | JsonException | ClassCastException error) {
            throw new Refusal(FILE + " is damaged");
        }
    }

    /** Writes to another file first, so that an interrupted run leaves the old state. */
    public static void save(History history) {
        Path draft = Path.of(FILE + ".new");
        try {
            Files.writeString(draft, Json.write(StateJson.json(history)));
            Files.move(draft, FILE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }
}
