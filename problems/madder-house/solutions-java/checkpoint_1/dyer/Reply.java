package dyer;

/** An answer: its status, and its body as JSON. */
record Reply(int status, Object body) {
    static Reply ok(Object body) {
        return new Reply(200, body);
    }
}
