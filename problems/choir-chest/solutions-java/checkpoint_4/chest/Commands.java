package chest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The commands by name. */
final class Commands {
    static final Map<String, Command> ALL = Map.ofEntries(
            Map.entry("take", new Command(1, Commands::take)),
            Map.entry("list", new Command(0, Commands::list)),
            Map.entry("show", new Command(1, (store, args) -> Chest.utf8(text(store, args.get(0))))),
            Map.entry("drop", new Command(1, Commands::drop)),
            Map.entry("copy", new Command(1, Commands::copy)),
            Map.entry("fill", new Command(3, Commands::fill)),
            Map.entry("print", new Command(2, Commands::print)),
            Map.entry("find", new Command(1, Commands::find)),
            Map.entry("seal", new Command(1, Commands::seal)),
            Map.entry("lock", new Command(1, Commands::lock)),
            Map.entry("unlock", new Command(1, Commands::unlock)),
            Map.entry("journal", new Command(0, (store, args) -> Chest.utf8(Journal.shown(store)))));

    private Commands() {}

    private static String lines(Stream<String> lines) {
        return lines.map(line -> line + "\n").collect(Collectors.joining());
    }

    private static byte[] take(Store store, List<String> args) throws IOException {
        String text = Inputs.readText(args.get(0));
        String key = variable("CHEST_KEY");
        Map<String, String> sheets = Bundle.read(key.isEmpty() ? text : Bundle.acceptSeal(text, key), store.sheets);
        sheets.forEach((path, sheet) -> store.sheets.put(path, new Sheet(sheet, null)));
        store.save();
        return Chest.utf8("taken: " + sheets.size() + "\n");
    }

    /** A variable of the environment; empty if it is missing. */
    static String variable(String name) {
        return System.getenv().getOrDefault(name, "");
    }

    private static byte[] seal(Store store, List<String> args) {
        String key = variable("CHEST_KEY");
        if (key.isEmpty()) {
            throw new Refusal("no key");
        }
        return Chest.utf8(Bundle.sealed(Inputs.readText(args.get(0)), key));
    }

    private static byte[] list(Store store, List<String> args) {
        return Chest.utf8(lines(store.sheets.entrySet().stream()
                .map(sheet -> sheet.getKey() + (sheet.getValue().lock() == null ? "" : " (locked)"))));
    }

    /** The text of a sheet that is open. */
    private static String text(Store store, String path) {
        Sheet sheet = store.sheet(Paths.normal(path));
        if (!sheet.isOpen()) {
            throw new Refusal("locked");
        }
        return sheet.text();
    }

    private static byte[] lock(Store store, List<String> args) throws IOException {
        String path = Paths.normal(args.get(0));
        Sheet sheet = forLock(store, path);
        if (sheet.lock() != null) {
            throw new Refusal("locked already");
        }
        store.sheets.put(path, new Sheet(sheet.text(), Locks.of(variable("CHEST_WORD"))));
        store.save();
        return Chest.utf8("locked: 1\n");
    }

    private static byte[] unlock(Store store, List<String> args) throws IOException {
        String path = Paths.normal(args.get(0));
        Sheet sheet = forLock(store, path);
        if (sheet.lock() == null) {
            throw new Refusal("not locked");
        }
        store.sheets.put(path, new Sheet(sheet.text(), null));
        store.save();
        return Chest.utf8("unlocked: 1\n");
    }

    /** A sheet that the word may lock or unlock. */
    private static Sheet forLock(Store store, String path) {
        Sheet sheet = store.sheet(path);
        if (variable("CHEST_WORD").isEmpty()) {
            throw new Refusal("no word");
        }
        if (!sheet.isOpen()) {
            throw new Refusal("locked");
        }
        return sheet;
    }

    /** Texts of the sheets that are open, by path. */
    private static SortedMap<String, String> open(Store store) {
        SortedMap<String, String> texts = new TreeMap<>(Paths.BY_CODES);
        store.sheets.forEach((path, sheet) -> {
            if (sheet.isOpen()) {
                texts.put(path, sheet.text());
            }
        });
        return texts;
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
        Map<String, String> texts = open(store);
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

    private static byte[] fill(Store store, List<String> args) {
        String text = text(store, args.get(0));
        return Chest.utf8(Letters.fill(text, args.get(1), args.get(2)));
    }

    private static byte[] print(Store store, List<String> args) {
        return Printer.run(args.get(1), text(store, args.get(0)));
    }

    private static byte[] find(Store store, List<String> args) {
        Question question = Question.parse(args.get(0));
        return Chest.utf8(lines(open(store).entrySet().stream()
                .filter(sheet -> question.holds(sheet.getKey(), sheet.getValue()))
                .map(Map.Entry::getKey)));
    }
}
