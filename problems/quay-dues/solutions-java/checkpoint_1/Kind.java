/** A kind of ship with its tariff, in cents. */
enum Kind {
    FERRY("F") {
        @Override
        long fee(Visit visit) {
            long fee = visit.length * 200L + visit.hours * 100L;
            return visit.hours > 12 ? fee - fee / 10 : fee;
        }
    },
    CARGO("C") {
        @Override
        long fee(Visit visit) {
            long fee = visit.length * 300L + visit.tons * 40L;
            return visit.tons > 100 ? fee - fee / 20 : fee;
        }
    },
    TANKER("T") {
        @Override
        long fee(Visit visit) {
            return visit.length * 500L + visit.tons * 60L + 5000L;
        }
    },
    YACHT("Y") {
        @Override
        long fee(Visit visit) {
            return Math.max(2000L, visit.length * 100L + visit.hours * 200L);
        }
    },
    OTHER("") {
        @Override
        long fee(Visit visit) {
            return visit.length * 400L;
        }
    };

    private final String letter;

    Kind(String letter) {
        this.letter = letter;
    }

    abstract long fee(Visit visit);

    String title() {
        return name().toLowerCase();
    }

    /** The kind with a letter of any case; OTHER for anything else, also for null. */
    static Kind of(String letter) {
        for (Kind kind : values()) {
            if (kind.letter.equalsIgnoreCase(letter)) {
                return kind;
            }
        }
        return OTHER;
    }
}
