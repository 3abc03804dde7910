package chest;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/** A bundle: lines of JSON, each of them a sheet. */
final class Bundle {
    private static final int MOST_CHARACTERS = 20_000;
    private static final int MOST_UNPACKED = 65_536;
    private static final int MOST_SHEETS = 500;
    private static final int MOST_IN_BUNDLE = 1_000_000;

    private final Map<String, String> present;
    private final Map<String, String> sheets = new LinkedHashMap<>();
    private final Taken taken = new Taken();
    private int total;

    private Bundle(Map<String, String> present) {
        this.present = present;
        present.keySet().forEach(taken::add);
    }

    /** The sheets of a bundle, of which none clashes with those that are present. */
    static Map<String, String> read(String text, Map<String, String> present) {
        Bundle bundle = new Bundle(present);
        String[] lines = text.split("\n", -1);
        for (int number = 1; number <= lines.length; number++) {
            try {
                if (!lines[number - 1].isEmpty()) {
                    bundle.add(lines[number - 1]);
                }
            } catch (Refusal fault) {
                throw new Refusal("line " + number + ": " + fault.getMessage());
            }
        }
        return bundle.sheets;
    }

    private void add(String line) {
        require(Chest.utf8(line).length <= Inputs.MOST_BYTES, "too long");
        require(!Inputs.isTooDeep(line), "too deep");
        Map<String, String> value = Inputs.parseStrings(line);
        require(value != null && value.size() == 2 && value.containsKey("path")
                && (value.containsKey("text") || value.containsKey("gzip")), "not a sheet");
        String path = Paths.normal(value.get("path"));
        String text = value.containsKey("text") ? value.get("text") : unpacked(value.get("gzip"));
        require(text.codePoints().count() <= MOST_CHARACTERS && text.codePoints().allMatch(Bundle::isAllowed), "bad text");
        require(!sheets.containsKey(path), "repeated");
        require(!taken.clashes(path), "clash");
        require(sheets.size() < MOST_SHEETS, "too many");
        total += Chest.utf8(text).length;
        require(total <= MOST_IN_BUNDLE, "bundle too large");
        sheets.put(path, text);
        taken.add(path);
    }

    private static void require(boolean holds, String fault) {
        if (!holds) {
            throw new Refusal(fault);
        }
    }

    private static boolean isAllowed(int code) {
        int type = Character.getType(code);
        return code == '\t' || code == '\n' || (type != Character.CONTROL && type != Character.SURROGATE);
    }

    /** The text in gzip in Base64. It never unpacks more than a little too much. */
    private static String unpacked(String packed) {
        byte[] content;
        try {
            byte[] data = Base64.getDecoder().decode(packed);
            require(packed.length() % 4 == 0, "bad gzip");
            GZIPInputStream stream = new GZIPInputStream(new ByteArrayInputStream(data));
            content = stream.readNBytes(MOST_UNPACKED + 1);
        } catch (IOException | IllegalArgumentException error) {
            throw new Refusal("bad gzip");
        }
        require(content.length <= MOST_UNPACKED, "too large");
        String text = Inputs.decoded(content);
        require(text != null, "bad gzip");
        return text;
    }
}
