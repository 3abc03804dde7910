package loom;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A command with its options and the words after them. */
public final class CommandLine {
    private static final Map<String, Set<String>> OPTIONS = Map.of(
        "build", Set.of("--in", "--set", "--dry", "--cache", "--room", "--at-most"),
        "list", Set.of("--in", "--set"),
        "explain", Set.of("--in", "--set"),
        "cache", Set.of());
    private static final Set<String> ONE_WORD = Set.of("explain", "cache");

    private final String command;
    private final List<String> words = new ArrayList<>();
    private final Map<String, List<String>> settings = new LinkedHashMap<>();
    private String folder = ".";
    private String cache;
    private int room = Cache.DEFAULT_ROOM;
    private int most = Integer.MAX_VALUE;
    private boolean isDry;

    private CommandLine(String command) {
        this.command = command;
    }

    public static CommandLine parse(List<String> args) {
        if (args.isEmpty() || !OPTIONS.containsKey(args.get(0))) {
            throw new UsageError("commands are build, list, explain and cache");
        }
        CommandLine line = new CommandLine(args.get(0));
        Deque<String> rest = new ArrayDeque<>(args.subList(1, args.size()));
        while (!rest.isEmpty()) {
            line.read(rest.removeFirst(), rest);
        }
        if (ONE_WORD.contains(line.command) && line.words.size() != 1) {
            throw new UsageError(line.command + " takes one word");
        }
        return line;
    }

    private void read(String word, Deque<String> rest) {
        if (!word.startsWith("-")) {
            words.add(word);
        } else if (!OPTIONS.get(command).contains(word)) {
            throw new UsageError("unknown option " + word);
        } else if (word.equals("--dry")) {
            isDry = true;
        } else if (rest.isEmpty() || rest.peekFirst().startsWith("--")) {
            throw new UsageError(word + " needs a value");
        } else {
            set(word, rest.removeFirst());
        }
    }

    private void set(String option, String value) {
        switch (option) {
            case "--in" -> folder = value;
            case "--cache" -> cache = value;
            case "--room" -> room = number(value);
            case "--at-most" -> most = number(value);
            default -> addSetting(value);
        }
    }

    private static int number(String text) {
        if (!text.matches("[0-9]{1,6}")) {
            throw new UsageError("bad number " + text);
        }
        return Integer.parseInt(text);
    }

    private void addSetting(String setting) {
        int sign = setting.indexOf('=');
        if (sign < 0 || !Names.isName(setting.substring(0, sign))) {
            throw new UsageError("bad setting " + setting);
        }
        List<String> meaning = settings.computeIfAbsent(setting.substring(0, sign), name -> new ArrayList<>());
        meaning.add(setting.substring(sign + 1));
        if (meaning.size() > Names.MAX_WORDS) {
            throw new UsageError("too many words in " + setting);
        }
    }

    String command() {
        return command;
    }

    /** The cloths that are named, or the folder of the command `cache`. */
    List<String> words() {
        return words;
    }

    Map<String, List<String>> settings() {
        return settings;
    }

    String folder() {
        return folder;
    }

    Optional<String> cache() {
        return Optional.ofNullable(cache);
    }

    int room() {
        return room;
    }

    /** The greatest number of cloths to weave. */
    int most() {
        return most;
    }

    boolean isDry() {
        return isDry;
    }
}
