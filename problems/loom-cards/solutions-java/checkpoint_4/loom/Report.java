package loom;

import java.util.Optional;

/** What happens in a build. */
interface Report {
    /** A cloth was woven or fetched for a reason, or kept without one. */
    void cloth(String path, String outcome, Optional<String> reason);

    void removed(String path);

    void left(String path);
}
