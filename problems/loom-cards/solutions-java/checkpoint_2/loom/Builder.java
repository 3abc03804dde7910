package loom;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Weaves the cloths that are not up to date. */
final class Builder {
    private final Tree tree;
    private final Memory memory;
    private int woven;
    private int kept;
    private int removed;

    Builder(Tree tree, Memory memory) {
        this.tree = tree;
        this.memory = memory;
    }

    /** Weaves or keeps a cloth whose threads are up to date. */
    void bringUp(Cloth cloth) {
        Recipe recipe = recipe(cloth);
        if (isUpToDate(cloth, recipe)) {
            System.out.println("kept " + cloth.path());
            kept++;
            return;
        }
        weave(cloth, recipe);
        System.out.println("woven " + cloth.path());
        woven++;
    }

    /** Removes what was woven before and is not a cloth any more. */
    void sweep(Set<String> cloths) {
        for (String path : memory.paths()) {
            if (cloths.contains(path)) {
                continue;
            }
            if (memory.isUnchanged(path)) {
                tree.remove(path);
                System.out.println("removed " + path);
                removed++;
            } else if (tree.isFile(path)) {
                System.out.println("left " + path);
            }
            memory.forget(path);
        }
    }

    void sumUp() {
        String end = removed > 0 ? ", %d removed".formatted(removed) : "";
        System.out.println("%d woven, %d kept%s".formatted(woven, kept, end));
    }

    private boolean isUpToDate(Cloth cloth, Recipe recipe) {
        return memory.find(cloth.path()).filter(record -> record.recipe().equals(recipe)).isPresent()
            && memory.isUnchanged(cloth.path());
    }

    private Recipe recipe(Cloth cloth) {
        List<Input> threads =
            cloth.threads().stream().map(thread -> new Input(thread, Digest.of(content(thread)))).toList();
        return new Recipe(threads, cloth.actions());
    }

    private String content(String thread) {
        return tree.read(thread).orElseThrow();
    }

    private void weave(Cloth cloth, Recipe recipe) {
        String text = cloth.threads().stream().map(this::content).collect(Collectors.joining());
        String output = Actions.run(cloth.actions(), text);
        tree.write(cloth.path(), output);
        memory.put(new Woven(cloth.path(), recipe, Digest.of(output)));
    }
}
