package loom;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

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
}
