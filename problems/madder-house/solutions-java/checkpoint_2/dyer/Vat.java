package dyer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A vat, with the batch in it if it is busy. */
final class Vat {
    final String id;
    final List<Map<String, Object>> log = new ArrayList<>();
    Batch batch;

    Vat(String id) {
        this.id = id;
    }

    Map<String, Object> shape() {
        return batch == null
                ? Fields.shape("id", id, "state", "free")
                : Fields.shape("id", id, "state", "busy", "batch", batch.id);
    }

    /** Changes the batch in the vat. */
    void enter(Batch next, Batch about, String event) {
        batch = next;
        log.add(Fields.shape("batch", about.id, "event", event));
    }
}
