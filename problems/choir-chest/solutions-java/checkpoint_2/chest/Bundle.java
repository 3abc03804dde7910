package chest;

import java.util.LinkedHashMap;
import java.util.Map;

/** A bundle: lines of JSON, each of them a sheet. */
final class Bundle {
    private static final int MOST_CHARACTERS = 20_000;

    private final Map<String, String> present;
    private final Map<String, String> sheets = new LinkedHashMap<>();
    private final Taken taken = new Taken();

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
        Map<String, String> value = Inputs.parseStrings(line);
        require(value != null && value.size() == 2 && value.containsKey("path") && value.containsKey("text"), "not a sheet");
        String path = Paths.normal(value.get("path"));
        String text = value.get("text");
        require(text.codePoints().count() <= MOST_CHARACTERS && text.codePoints().allMatch(Bundle::isAllowed), "bad text");
        require(!sheets.containsKey(path), "repeated");
        require(!taken.clashes(path), "clash");
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
}
