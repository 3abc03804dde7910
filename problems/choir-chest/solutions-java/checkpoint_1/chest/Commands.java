package chest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The commands by name. */
final class Commands {
    static final Map<String, Command> ALL = Map.ofEntries(
            Map.entry("take", new Command(1, Commands::take)),
            Map.entry("list", new Command(0, Commands::list)),
            Map.entry("show", new Command(1, (store, args) -> Chest.utf8(text(store, args.get(0))))),
            Map.entry("drop", new Command(1, Commands::drop)),
            Map.entry("copy", new Command(1, Commands::copy)));

    private Commands() {}

    private static String lines(Stream<String> lines) {
        return lines.map(line -> line + "\n").collect(Collectors.joining());
    }

    private static byte[] take(Store store, List<String> args) throws IOException {
        String text = Inputs.readText(args.get(0));
        Map<String, String> sheets = Bundle.read(text, store.sheets);
        store.sheets.putAll(sheets);
        store.save();
        return Chest.utf8("taken: " + sheets.size() + "\n");
    }

    private static byte[] list(Store store, List<String> args) {
        return Chest.utf8(lines(store.sheets.keySet().stream()));
    }

    private static String text(Store store, String path) {
        return store.sheet(Paths.normal(path));
    }

    private static byte[] drop(Store store, List<String> args) throws IOException {
        text(store, args.get(0));
        store.sheets.remove(Paths.normal(args.get(0)));
        store.save();
        return Chest.utf8("dropped: 1\n");
    }

    private static byte[] copy(Store store, List<String> args) throws IOException {
        Path out = Path.of(args.get(0));
        if (Files.exists(out, LinkOption.NOFOLLOW_LINKS) && !isEmptyFolder(out)) {
            throw new Refusal("folder not empty");
        }
        Files.createDirectories(out);
        Map<String, String> texts = store.sheets;
        for (Map.Entry<String, String> sheet : texts.entrySet()) {
            Path file = out.resolve(sheet.getKey());
            Files.createDirectories(file.getParent());
            Files.write(file, Chest.utf8(sheet.getValue()));
        }
        return Chest.utf8("copied: " + texts.size() + "\n");
    }

    private static boolean isEmptyFolder(Path path) throws IOException {
        if (!Files.isDirectory(path)) {
            return false;
        }
        try (Stream<Path> content = Files.list(path)) {
            return content.findAny().isEmpty();
        }
    }
}
