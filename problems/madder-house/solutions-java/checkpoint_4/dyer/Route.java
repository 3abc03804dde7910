package dyer;

/** A request of the service. The part `ID` of the pattern matches any part of a path that is not empty. */
record Route(String method, String pattern, boolean hasBody, Handler handler) {
    /** Checks the fields of a request, does it, and answers. */
    @FunctionalInterface
    interface Handler {
        Reply handle(House house, Call call);
    }

    static Route get(String pattern, Handler handler) {
        return new Route("GET", pattern, false, handler);
    }

    static Route post(String pattern, Handler handler) {
        return new Route("POST", pattern, true, handler);
    }

    boolean matches(String givenMethod, String path) {
        String[] wanted = pattern.split("/", -1);
        String[] given = path.split("/", -1);
        if (!method.equals(givenMethod) || wanted.length != given.length) {
            return false;
        }
        for (int at = 0; at < wanted.length; at++) {
            boolean isId = wanted[at].equals("ID") && !given[at].isEmpty();
            if (!isId && !wanted[at].equals(given[at])) {
                return false;
            }
        }
        return true;
    }
}
