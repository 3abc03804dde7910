package chest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import json.Json;

/** The files of the chest: all sheets are in one file, so no path of a sheet is ever a path of a file. */
final class Store {
    private static final String SHEETS = "sheets.json";

    final SortedMap<String, String> sheets = new TreeMap<>(Paths.BY_CODES);
    private final Path folder;

    Store(Path folder) throws IOException {
        this.folder = folder;
        for (Object item : load(SHEETS)) {
            Map<?, ?> sheet = (Map<?, ?>) item;
            sheets.put((String) sheet.get("path"), (String) sheet.get("text"));
        }
    }

    /** The items of a file; none if it is missing. */
    List<?> load(String name) throws IOException {
        Path path = folder.resolve(name);
        return Files.exists(path) ? (List<?>) Json.parse(Files.readString(path)) : List.of();
    }

    void save() throws IOException {
        List<Object> items = new ArrayList<>();
        sheets.forEach((path, text) -> items.add(Map.of("path", path, "text", text)));
        write(SHEETS, items);
    }

    /** Replaces a file as a whole. */
    void write(String name, List<?> items) throws IOException {
        Files.createDirectories(folder);
        Path next = folder.resolve(name + ".new");
        Files.writeString(next, Json.write(items));
        Files.move(next, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    String sheet(String path) {
        if (!sheets.containsKey(path)) {
            throw new Refusal("no such sheet");
        }
        return sheets.get(path);
    }
}
