/** What a member took and brought, in packets. */
final class Member {
    private int lent;
    private int back;
    private int gifts;
    private int lost;

    void add(Event event) {
        switch (Event.orElse(event.operation, "")) {
            case "lend" -> lent += event.packets;
            case "return" -> back += event.packets;
            case "gift" -> gifts += event.packets;
            case "lost" -> lost += event.packets;
            default -> { }
        }
    }

    private int owes() {
        return Math.max(0, lent - back - lost);
    }

    private String rank() {
        if (gifts >= 10 && lost == 0) {
            return " [friend]";
        }
        if (lost > 3) {
            return " [barred]";
        }
        return owes() > 5 ? " [full]" : "";
    }

    @Override
    public String toString() {
        return "lent " + lent + ", back " + back + ", gifts " + gifts + ", lost " + lost + ", owes " + owes() + rank();
    }
}
