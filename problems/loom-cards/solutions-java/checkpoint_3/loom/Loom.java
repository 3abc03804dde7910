package loom;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** One build. It weaves the cloths that are not up to date. */
final class Loom {
    private final Tree tree;
    private final Memory memory;
    private final Map<String, Cloth> cloths;
    private final Report report;
    private final List<String> way = new ArrayList<>();
    private final Set<String> done = new HashSet<>();

    Loom(Tree tree, Memory memory, Map<String, Cloth> cloths, Report report) {
        this.tree = tree;
        this.memory = memory;
        this.cloths = cloths;
        this.report = report;
    }

    /** A plan that begins at the cloth that is being woven. */
    Plan plan() {
        return new Plan(cloths, this::isFile, way);
    }

    /** Whether a path that is not a cloth is a file. A stale file does not count. */
    private boolean isFile(String path) {
        return tree.isFile(path) && !memory.isUnchanged(path);
    }

    /** The content of a file or a cloth, which is brought up first. */
    Optional<String> content(String path) {
        if (cloths.containsKey(path)) {
            bringUpLate(path);
        } else if (!isFile(path)) {
            return Optional.empty();
        }
        return tree.read(path);
    }

    private void bringUpLate(String path) {
        if (!done.contains(path)) {
            plan().add(path);
            bringUp(path);
        }
    }

    /** Weaves or keeps a cloth and all that it needs, as far as cards say. */
    void bringUp(String path) {
        if (done.contains(path)) {
            return;
        }
        Cloth cloth = cloths.get(path);
        way.add(path);
        cloth.threads().stream().filter(cloths::containsKey).forEach(this::bringUp);
        Optional<String> reason = reason(cloth);
        if (reason.isPresent()) {
            weave(cloth);
        }
        way.remove(way.size() - 1);
        done.add(path);
        report.cloth(path, reason.orElse(null));
    }

    /** The reason to weave a cloth, if there is one. */
    private Optional<String> reason(Cloth cloth) {
        Woven record = memory.find(cloth.path()).orElse(null);
        if (record == null) {
            return Optional.of("never woven");
        }
        if (!record.recipe().paths().equals(cloth.threads())) {
            return Optional.of("other threads");
        }
        if (!record.recipe().actions().equals(cloth.actions())) {
            return Optional.of("other actions");
        }
        return record.inputs()
            .filter(input -> !isSame(input))
            .findFirst()
            .map(input -> "'%s' changed".formatted(input.path()))
            .or(() -> changedOutput(cloth.path()));
    }

    /** Whether a path still has its content, after it was brought up if it is a cloth. */
    private boolean isSame(Input input) {
        return content(input.path()).map(Digest::of).filter(input.digest()::equals).isPresent();
    }

    private Optional<String> changedOutput(String path) {
        if (memory.isUnchanged(path)) {
            return Optional.empty();
        }
        return Optional.of(tree.isFile(path) ? "changed by hand" : "not there");
    }

    private Recipe recipe(Cloth cloth) {
        List<Input> threads =
            cloth.threads().stream().map(thread -> new Input(thread, Digest.of(threadContent(thread)))).toList();
        return new Recipe(threads, cloth.actions());
    }

    private String threadContent(String thread) {
        return tree.read(thread).orElseThrow();
    }

    private void weave(Cloth cloth) {
        Recipe recipe = recipe(cloth);
        List<Input> found = new ArrayList<>();
        String text = cloth.threads().stream().map(this::threadContent).collect(Collectors.joining());
        String output = Actions.run(cloth.actions(), text, path -> find(path, found));
        tree.write(cloth.path(), output);
        memory.put(new Woven(cloth.path(), recipe, found, Digest.of(output)));
    }

    /** The content of a path that the cloth that is being woven needs. */
    private String find(String path, List<Input> found) {
        if (!Paths.isPath(path)) {
            throw new WeavingError("bad path '%s' in '%s'".formatted(path, way.get(way.size() - 1)));
        }
        if (!done.contains(path)) {
            plan().addThread(path);
        }
        String content = content(path).orElseThrow();
        found.add(new Input(path, Digest.of(content)));
        return content;
    }

    /** Removes what was woven before and is not a cloth any more. */
    void sweep() {
        for (String path : memory.paths()) {
            if (cloths.containsKey(path)) {
                continue;
            }
            if (memory.isUnchanged(path)) {
                tree.remove(path);
                report.removed(path);
            } else if (tree.isFile(path)) {
                report.left(path);
            }
            memory.forget(path);
        }
    }
}
