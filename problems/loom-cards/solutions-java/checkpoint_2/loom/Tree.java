package loom;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The files of a folder. Contents are strings with one character for each byte. */
final class Tree {
    private final Path root;

    Tree(String root) {
        this.root = Path.of(root);
    }

    boolean isFile(String path) {
        return Files.isRegularFile(root.resolve(path));
    }

    Optional<String> read(String path) {
        try {
            return Optional.of(Files.readString(root.resolve(path), StandardCharsets.ISO_8859_1));
        } catch (IOException error) {
            return Optional.empty();
        }
    }

    void write(String path, String content) {
        Path file = root.resolve(path);
        Path draft = root.resolve(path + "~");
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(draft, content, StandardCharsets.ISO_8859_1);
            Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    /** The paths of all files that can be threads. */
    Set<String> files() {
        Set<String> files = new TreeSet<>();
        addFiles(root, "", files);
        return files;
    }

    private static void addFiles(Path folder, String prefix, Set<String> files) {
        for (Path entry : entries(folder)) {
            String path = prefix + entry.getFileName();
            if (entry.getFileName().toString().startsWith(".")) {
                continue;
            }
            if (Files.isDirectory(entry)) {
                addFiles(entry, path + "/", files);
            } else if (Paths.isPath(path)) {
                files.add(path);
            }
        }
    }

    private static Iterable<Path> entries(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.toList();
        } catch (IOException error) {
            return Set.of();
        }
    }

    /** Removes a file, and the folders that are empty without it. */
    void remove(String path) {
        try {
            Files.delete(root.resolve(path));
            for (Path folder = Path.of(path).getParent(); folder != null; folder = folder.getParent()) {
                if (entries(root.resolve(folder)).iterator().hasNext()) {
                    return;
                }
                Files.delete(root.resolve(folder));
            }
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }
}
