package dyer;

import java.util.LinkedHashMap;
import java.util.Map;

/** A reason for which a request is refused. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    final int status;
    final transient Map<String, Object> body = new LinkedHashMap<>();

    Refusal(int status, String code) {
        super(code);
        this.status = status;
        body.put("fault", code);
    }

    Refusal with(String key, Object value) {
        body.put(key, value);
        return this;
    }

    static Refusal wrongField(String name) {
        return new Refusal(422, "wrong-field").with("field", name);
    }
}
