package loom;

/** What happens in a build. */
interface Report {
    /** A cloth was woven for a reason, or kept if there is no reason. */
    void cloth(String path, String reason);

    void removed(String path);

    void left(String path);
}
