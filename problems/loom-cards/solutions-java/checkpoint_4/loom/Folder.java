package loom;

import java.util.Optional;

/** The files of a folder, what is remembered there, and the cache if there is one. */
record Folder(Tree tree, Memory memory, Optional<Cache> cache) {
    static Folder of(CommandLine line) {
        Optional<Cache> cache = line.cache().map(path -> new Cache(tree(path, line), line.room()));
        return in(tree(line.folder(), line), cache);
    }

    /** A folder in which nothing really changes. */
    static Folder draft(CommandLine line) {
        return in(new DraftTree(line.folder()), Optional.empty());
    }

    private static Folder in(Tree tree, Optional<Cache> cache) {
        return new Folder(tree, new Memory(tree), cache);
    }

    private static Tree tree(String path, CommandLine line) {
        return line.isDry() ? new DraftTree(path) : new Tree(path);
    }
}
