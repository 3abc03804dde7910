package loom;

import java.util.List;

/** A command and the cloths that it names. */
public record CommandLine(String command, List<String> cloths) {
    private static final List<String> COMMANDS = List.of("build", "list");

    public static CommandLine parse(List<String> args) {
        if (args.isEmpty() || !COMMANDS.contains(args.get(0))) {
            throw new UsageError("build [CLOTH...] or list [CLOTH...]");
        }
        List<String> cloths = args.subList(1, args.size());
        for (String cloth : cloths) {
            if (cloth.startsWith("-")) {
                throw new UsageError("unknown option " + cloth);
            }
        }
        return new CommandLine(args.get(0), cloths);
    }
}
