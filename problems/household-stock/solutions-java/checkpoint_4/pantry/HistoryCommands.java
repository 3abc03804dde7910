package pantry;

import java.util.ArrayList;
import java.util.List;

/** Commands that show and revert changes. */
final class HistoryCommands {
    private HistoryCommands() {}

    static List<String> show(History history, Options options) {
        List<String> lines = new ArrayList<>();
        for (String description : history.descriptions()) {
            lines.add("%d. %s".formatted(lines.size() + 1, description));
        }
        return lines.isEmpty() ? List.of("no changes") : lines;
    }

    static List<String> undo(History history, Options options) {
        return history.undo(count(options)).stream().map(description -> "undone: " + description).toList();
    }

    static List<String> redo(History history, Options options) {
        return history.redo(count(options)).stream().map(description -> "redone: " + description).toList();
    }

    private static int count(Options options) {
        return options.find("count").map(Words::count).orElse(1);
    }
}
