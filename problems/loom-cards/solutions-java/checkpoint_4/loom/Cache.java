package loom;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Results of all folders that name this cache, ordered by use. The first is the next to be removed. */
final class Cache {
    static final int DEFAULT_ROOM = 4000;
    private static final String INDEX = "index";

    /** A result: the cloth that was woven then, what went into it, and the size and digest of its output. */
    record Entry(
            String path, List<String> threads, List<List<String>> actions, List<Input> found, int size, String output) {
        static void write(DataOutput out, Entry entry) throws IOException {
            out.writeUTF(entry.path);
            Codec.writeWords(out, entry.threads);
            Codec.writeList(out, entry.actions, Codec::writeWords);
            Codec.writeList(out, entry.found, Input::write);
            out.writeInt(entry.size);
            out.writeUTF(entry.output);
        }

        static Entry read(DataInput in) throws IOException {
            return new Entry(
                in.readUTF(),
                Codec.readWords(in),
                Codec.readList(in, Codec::readWords),
                Codec.readList(in, Input::read),
                in.readInt(),
                in.readUTF());
        }

        private boolean isFor(Recipe recipe) {
            return threads.equals(recipe.digests()) && actions.equals(recipe.actions());
        }

        private String file() {
            return "texts/" + output;
        }
    }

    private final Tree tree;
    private final int room;
    private final List<Entry> entries;

    Cache(Tree tree, int room) {
        this.tree = tree;
        this.room = room;
        this.entries =
            new ArrayList<>(tree.read(INDEX).map(content -> Codec.decode(content, Entry::read)).orElse(List.of()));
    }

    /** An entry that fits a recipe, if what was found has the same content here. */
    Optional<Entry> fetch(Recipe recipe, Predicate<Input> isSame) {
        for (Entry entry : entries.stream().filter(candidate -> candidate.isFor(recipe)).toList()) {
            // Checking what was found can weave cloths, and so remove the entry.
            if (entry.found.stream().allMatch(isSame) && remove(entry)) {
                entries.add(entry);
                save();
                return Optional.of(entry);
            }
        }
        return Optional.empty();
    }

    /** Removes this very entry; returns whether it was there. */
    private boolean remove(Entry entry) {
        return entries.removeIf(other -> other == entry);
    }

    String output(Entry entry) {
        return tree.read(entry.file()).orElseThrow();
    }

    void put(String path, Recipe recipe, List<Input> found, String output) {
        if (output.length() > room) {
            return;
        }
        Entry entry =
            new Entry(path, recipe.digests(), recipe.actions(), found, output.length(), Digest.of(output));
        tree.write(entry.file(), output);
        entries.add(entry);
        while (size() > room) {
            drop(entries.remove(0));
        }
        save();
    }

    private void drop(Entry entry) {
        if (entries.stream().noneMatch(other -> other.output.equals(entry.output))) {
            tree.remove(entry.file());
        }
    }

    private int size() {
        return entries.stream().mapToInt(Entry::size).sum();
    }

    private void save() {
        tree.write(INDEX, Codec.encode(entries, Entry::write));
    }

    void print() {
        for (Entry entry : entries) {
            System.out.println(entry.size() + " " + entry.path());
        }
        System.out.println("%d entries, %d bytes".formatted(entries.size(), size()));
    }
}
