package loom;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** A folder with its card, and the commands on it. */
public final class Workshop {
    private static final String CARD = "main.card";

    private final Tree tree = new Tree(".");
    private final Memory memory = new Memory(tree);
    private final Map<String, Cloth> cloths = new CardReader().read(CARD, tree.read(CARD));

    private Workshop() {}

    public static void run(CommandLine line) {
        Workshop workshop = new Workshop();
        if (line.command().equals("list")) {
            workshop.list(line.cloths());
        } else {
            workshop.build(line.cloths());
        }
    }

    private void build(List<String> targets) {
        List<Cloth> order = order(targets);
        Builder builder = new Builder(tree, memory);
        order.forEach(builder::bringUp);
        builder.sumUp();
    }

    private void list(List<String> targets) {
        for (Cloth cloth : order(targets)) {
            System.out.println(cloth.describe());
        }
    }

    /** The cloths that some cloths need, or all, in the order in which they are made. */
    private List<Cloth> order(List<String> targets) {
        for (String target : targets) {
            if (!cloths.containsKey(target)) {
                throw new CardError("no cloth '%s'".formatted(target));
            }
        }
        Plan plan = new Plan(cloths, tree::isFile);
        Collection<String> wanted = targets.isEmpty() ? cloths.keySet() : targets;
        wanted.forEach(plan::add);
        return plan.order().stream().map(cloths::get).toList();
    }
}
