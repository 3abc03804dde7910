package chest;

/** A sheet, with its lock if it has one. */
record Sheet(String text, String lock) {
    /** Whether it has no lock, or the word of this command opens it. */
    boolean isOpen() {
        return lock == null || Locks.opens(Commands.variable("CHEST_WORD"), lock);
    }
}
