package chest;

import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Letters: sheets with gaps, filled from a record. */
final class Letters {
    private static final Pattern GAP = Pattern.compile("\\{\\{(?:([a-z][a-z0-9_]{0,19})\\}\\})?");
    private static final Pattern BREAK = Pattern.compile("[\\p{Cc}\\p{Zl}\\p{Zp}]");

    private static final Map<String, UnaryOperator<String>> FORMS = Map.of(
            "plain", value -> value,
            "html", Letters::html,
            "line", value -> BREAK.matcher(value).replaceAll(" "),
            "csv", Letters::csv,
            "shell", value -> "'" + value.replace("'", "'\\''") + "'");

    private Letters() {}

    private static String html(String value) {
        return value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
                .replace("\"", "&quot;").replace("'", "&#39;");
    }

    private static String csv(String value) {
        boolean isFormula = !value.isEmpty() && "=+-@\t\r".indexOf(value.charAt(0)) >= 0;
        return "\"" + (isFormula ? "'" : "") + value.replace("\"", "\"\"") + "\"";
    }

    /** All gaps are looked for before the first is filled, so a bad one comes before a missing value. */
    static String fill(String text, String recordPath, String formName) {
        UnaryOperator<String> form = FORMS.get(formName);
        if (form == null) {
            throw new Refusal("unknown form");
        }
        Map<String, String> record = read(recordPath);
        if (GAP.matcher(text).results().anyMatch(gap -> gap.group(1) == null)) {
            throw new Refusal("bad gap");
        }
        if (!GAP.matcher(text).results().allMatch(gap -> record.containsKey(gap.group(1)))) {
            throw new Refusal("no value");
        }
        StringBuilder filled = new StringBuilder();
        int[] end = {0};
        GAP.matcher(text).results().forEach(gap -> {
            filled.append(text, end[0], gap.start()).append(form.apply(record.get(gap.group(1))));
            end[0] = gap.end();
        });
        return filled.append(text, end[0], text.length()).toString();
    }

    private static Map<String, String> read(String path) {
        byte[] bytes = Inputs.readBytes(path);
        String text = Inputs.decoded(bytes);
        boolean isWithin = text != null && bytes.length <= Inputs.MOST_BYTES && !Inputs.isTooDeep(text);
        Map<String, String> record = isWithin ? Inputs.parseStrings(text) : null;
        if (record == null || record.entrySet().stream()
                .anyMatch(one -> Inputs.hasSurrogate(one.getKey()) || Inputs.hasSurrogate(one.getValue()))) {
            throw new Refusal("not a record");
        }
        return record;
    }
}
