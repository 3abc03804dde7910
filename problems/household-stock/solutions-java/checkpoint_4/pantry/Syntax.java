package pantry;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** The arguments and options that a command takes. */
public final class Syntax {
    private static final Pattern OPTION = Pattern.compile("-(?!$|[0-9.]+$)\\S*");

    private final List<String> arguments;
    private final Set<String> valued = new HashSet<>();
    private final Set<String> flags = new HashSet<>();
    private final Set<String> required = new HashSet<>();
    private final Map<String, Collection<String>> choices = new HashMap<>();
    private int optionalArguments;

    private Syntax(List<String> arguments) {
        this.arguments = arguments;
    }

    static Syntax of(String... arguments) {
        return new Syntax(List.of(arguments));
    }

    /** Adds options with a value. */
    Syntax valued(String... names) {
        valued.addAll(List.of(names));
        return this;
    }

    /** Adds options without a value. */
    Syntax flags(String... names) {
        flags.addAll(List.of(names));
        return this;
    }

    /** Adds an option with one of some values. */
    Syntax choice(String name, Collection<String> allowed) {
        choices.put(name, allowed);
        return valued(name);
    }

    /** Adds an option with one of some values, which must be given. */
    Syntax requiredChoice(String name, Collection<String> allowed) {
        required.add(name);
        return choice(name, allowed);
    }

    /** Makes the last argument optional. */
    Syntax lastIsOptional() {
        optionalArguments = 1;
        return this;
    }

    public Options parse(List<String> words) {
        Map<String, String> values = new HashMap<>();
        List<String> free = new ArrayList<>();
        Deque<String> rest = new ArrayDeque<>(words);
        while (!rest.isEmpty()) {
            String word = rest.removeFirst();
            if (isOption(word)) {
                readOption(word, rest, values);
            } else {
                free.add(word);
            }
        }
        assignArguments(free, values);
        checkOptions(values);
        return new Options(values);
    }

    private static boolean isOption(String word) {
        return OPTION.matcher(word).matches();
    }

    private void readOption(String word, Deque<String> rest, Map<String, String> values) {
        int equals = word.indexOf('=');
        String key = equals < 0 ? word : word.substring(0, equals);
        String name = key.startsWith("--") ? key.substring(2) : key;
        if (flags.contains(name) && equals < 0) {
            values.put(name, "");
        } else if (!valued.contains(name)) {
            throw new UsageError("unknown option " + word);
        } else if (equals >= 0) {
            values.put(name, word.substring(equals + 1));
        } else if (rest.isEmpty() || isOption(rest.peekFirst())) {
            throw new UsageError(word + " needs a value");
        } else {
            values.put(name, rest.removeFirst());
        }
    }

    private void assignArguments(List<String> free, Map<String, String> values) {
        if (free.size() < arguments.size() - optionalArguments) {
            throw new UsageError("missing " + arguments.get(free.size()));
        }
        if (free.size() > arguments.size()) {
            throw new UsageError("unexpected " + free.get(arguments.size()));
        }
        for (int at = 0; at < free.size(); at++) {
            values.put(arguments.get(at), free.get(at));
        }
    }

    private void checkOptions(Map<String, String> values) {
        for (String name : required) {
            if (!values.containsKey(name)) {
                throw new UsageError("missing --" + name);
            }
        }
        choices.forEach((name, allowed) -> {
            if (values.containsKey(name) && !allowed.contains(values.get(name))) {
                throw new UsageError("bad --" + name);
            }
        });
    }
}
