package loom;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A folder with its card, and the commands on it. */
public final class Workshop {
    private static final String CARD = "main.card";
    private static final int DONE = 0;
    private static final int STOPPED = 3;

    private final Loom loom;
    private final Map<String, Cloth> cloths;
    private final CardReader reader;

    private Workshop(Folder folder, CommandLine line, Report report) {
        Set<String> sources = folder.tree().files();
        sources.removeAll(folder.memory().paths());
        Weft weft = new Weft(sources);
        cloths = weft.cloths();
        loom = new Loom(folder, cloths, report, line.most());
        reader = new CardReader(weft, loom::content, line.settings());
    }

    /** Runs a command; returns the exit code. */
    public static int run(CommandLine line) {
        switch (line.command()) {
            case "list" -> list(line);
            case "explain" -> explain(line);
            case "cache" -> new Cache(new Tree(line.words().get(0)), line.room()).print();
            default -> {
                return build(line);
            }
        }
        return DONE;
    }

    private static int build(CommandLine line) {
        BuildReport report = new BuildReport();
        try {
            new Workshop(Folder.of(line), line, report).build(line.words());
        } catch (Stopped stopped) {
            System.out.println(stopped.getMessage());
            return STOPPED;
        }
        report.sumUp();
        return DONE;
    }

    private static void list(CommandLine line) {
        Workshop workshop = new Workshop(Folder.draft(line), line, new Reasons());
        for (String path : workshop.order(line.words())) {
            System.out.println(workshop.cloths.get(path).describe());
        }
    }

    private static void explain(CommandLine line) {
        Reasons reasons = new Reasons();
        new Workshop(Folder.draft(line), line, reasons).build(line.words());
        reasons.print(line.words().get(0));
    }

    private void build(List<String> targets) {
        order(targets);
        wanted(targets).forEach(loom::bringUp);
        if (targets.isEmpty()) {
            loom.sweep();
        }
    }

    /** The cloths that are needed, in the order in which they are made, after reading the cards. */
    private Collection<String> order(List<String> targets) {
        reader.read(CARD);
        for (String target : targets) {
            if (!cloths.containsKey(target)) {
                throw new CardError("no cloth '%s'".formatted(target));
            }
        }
        Plan plan = loom.plan();
        wanted(targets).forEach(plan::add);
        return plan.order();
    }

    private Collection<String> wanted(List<String> targets) {
        return targets.isEmpty() ? new ArrayList<>(cloths.keySet()) : targets;
    }
}
