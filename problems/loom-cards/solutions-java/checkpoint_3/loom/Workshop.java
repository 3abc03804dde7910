package loom;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A folder with its card, and the commands on it. */
public final class Workshop {
    private static final String CARD = "main.card";

    private final Loom loom;
    private final Map<String, Cloth> cloths;
    private final CardReader reader;

    private Workshop(Tree tree, Report report) {
        Memory memory = new Memory(tree);
        Set<String> sources = tree.files();
        sources.removeAll(memory.paths());
        Weft weft = new Weft(sources);
        cloths = weft.cloths();
        loom = new Loom(tree, memory, cloths, report);
        reader = new CardReader(weft, loom::content);
    }

    public static void run(CommandLine line) {
        switch (line.command()) {
            case "list" -> list(line.cloths());
            case "explain" -> explain(line.cloths().get(0));
            default -> build(line.cloths(), line.isDry());
        }
    }

    private static void build(List<String> targets, boolean isDry) {
        BuildReport report = new BuildReport();
        new Workshop(isDry ? new DraftTree(".") : new Tree("."), report).build(targets);
        report.sumUp();
    }

    private static void list(List<String> targets) {
        Workshop workshop = new Workshop(new DraftTree("."), new Reasons());
        for (String path : workshop.order(targets)) {
            System.out.println(workshop.cloths.get(path).describe());
        }
    }

    private static void explain(String target) {
        Reasons reasons = new Reasons();
        new Workshop(new DraftTree("."), reasons).build(List.of(target));
        reasons.print(target);
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
