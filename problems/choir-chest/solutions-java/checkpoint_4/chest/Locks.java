package chest;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Locks of sheets: only a salt and a slow hash of the word are kept, in one text. */
final class Locks {
    private static final int ROUNDS = 5_000;
    private static final int SALT_DIGITS = 32;

    private Locks() {}

    static String of(String word) {
        byte[] salt = new byte[SALT_DIGITS / 2];
        new SecureRandom().nextBytes(salt);
        return HexFormat.of().formatHex(salt) + hash(word, salt);
    }

    static boolean opens(String word, String lock) {
        byte[] salt = HexFormat.of().parseHex(lock.substring(0, SALT_DIGITS));
        return MessageDigest.isEqual(Chest.utf8(hash(word, salt)), Chest.utf8(lock.substring(SALT_DIGITS)));
    }

    private static String hash(String word, byte[] salt) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(salt, "HmacSHA256"));
            byte[] hash = Chest.utf8(word);
            for (int round = 0; round < ROUNDS; round++) {
                hash = mac.doFinal(hash);
            }
            return HexFormat.of().formatHex(hash);
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }
}
