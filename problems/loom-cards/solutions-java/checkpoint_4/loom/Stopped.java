package loom;

/** The end of a build that has woven as many cloths as it may. */
final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Stopped(int most) {
        super("stopped after " + most);
    }
}
