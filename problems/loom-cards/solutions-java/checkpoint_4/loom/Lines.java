package loom;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Lines of texts. */
final class Lines {
    private Lines() {}

    /** The lines without their line feeds. */
    static List<String> of(String text) {
        List<String> lines = new ArrayList<>(Arrays.asList(text.split("\n", -1)));
        int last = lines.size() - 1;
        if (lines.get(last).isEmpty()) {
            lines.remove(last);
        }
        return lines;
    }

    /** A text in which each line ends with a line feed. */
    static String join(List<String> lines) {
        return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
    }

    /** The lines with their line feeds, which the last one may lack. */
    static List<String> withEnds(String text) {
        List<String> lines = of(text);
        if (!text.endsWith("\n") && !lines.isEmpty()) {
            String last = lines.remove(lines.size() - 1);
            lines.replaceAll(line -> line + "\n");
            lines.add(last);
        } else {
            lines.replaceAll(line -> line + "\n");
        }
        return lines;
    }
}
