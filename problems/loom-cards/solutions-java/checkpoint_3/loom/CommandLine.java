package loom;

import java.util.ArrayList;
import java.util.List;

/** A command, the cloths that it names, and whether it is a trial run. */
public record CommandLine(String command, List<String> cloths, boolean isDry) {
    private static final List<String> COMMANDS = List.of("build", "list", "explain");

    public static CommandLine parse(List<String> args) {
        if (args.isEmpty() || !COMMANDS.contains(args.get(0))) {
            throw new UsageError("build [--dry] [CLOTH...], list [CLOTH...] or explain CLOTH");
        }
        String command = args.get(0);
        List<String> cloths = new ArrayList<>();
        boolean isDry = false;
        for (String word : args.subList(1, args.size())) {
            if (word.equals("--dry") && command.equals("build")) {
                isDry = true;
            } else if (word.startsWith("-")) {
                throw new UsageError("unknown option " + word);
            } else {
                cloths.add(word);
            }
        }
        if (command.equals("explain") && cloths.size() != 1) {
            throw new UsageError("explain CLOTH");
        }
        return new CommandLine(command, cloths, isDry);
    }
}
