package dyer;

/** The parts of a request that a handler needs. */
record Call(String id, Fields fields, Fields parameters) {}
