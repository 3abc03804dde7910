package chest;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A bundle: lines of JSON, each of them a sheet. */
final class Bundle {
    private static final int MOST_CHARACTERS = 20_000;
    private static final int MOST_UNPACKED = 65_536;
    private static final int MOST_SHEETS = 500;
    private static final int MOST_IN_BUNDLE = 1_000_000;

    private final Map<String, Sheet> present;
    private final Map<String, String> sheets = new LinkedHashMap<>();
    private final Taken taken = new Taken();
    private int total;

    private Bundle(Map<String, Sheet> present) {
        this.present = present;
        present.keySet().forEach(taken::add);
    }

    /** The sheets of a bundle, of which none clashes with those that are present. */
    static Map<String, String> read(String text, Map<String, Sheet> present) {
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
        require(!present.containsKey(path) || present.get(path).lock() == null, "locked");
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

    /** A bundle with the seal that belongs to it. */
    static String sealed(String text, String key) {
        String whole = text.isEmpty() || text.endsWith("\n") ? text : text + "\n";
        return whole + "{\"seal\": \"" + seal(whole, key) + "\"}\n";
    }

    /** Everything before the seal in the last line, if it is right. */
    static String acceptSeal(String text, String key) {
        String body = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
        int start = body.lastIndexOf('\n') + 1;
        String last = body.substring(start);
        require(Chest.utf8(last).length <= Inputs.MOST_BYTES && !Inputs.isTooDeep(last), "no seal");
        Map<String, String> value = Inputs.parseStrings(last);
        require(value != null && value.size() == 1 && value.containsKey("seal"), "no seal");
        String rest = text.substring(0, start);
        byte[] right = Chest.utf8(seal(rest, key));
        require(MessageDigest.isEqual(Chest.utf8(value.get("seal")), right), "wrong seal");
        return rest;
    }

    private static String seal(String text, String key) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Chest.utf8(key), "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(Chest.utf8(text)));
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }
}
