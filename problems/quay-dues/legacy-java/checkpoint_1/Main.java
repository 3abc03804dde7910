import java.io.*;
import java.util.*;

public class Main {
    static List<String> data = new ArrayList<String>();
    static String mode = null;
    static String out = "";
    static int skipped = 0;

    public static void main(String[] args) throws Exception {
        if (args == null || args.length == 0) {
            System.err.println("usage: bill FILE | summary FILE | clashes FILE | ship FILE NAME");
            System.exit(2);
        }
        mode = args[0];
        if (mode != null && mode.equals("bill")) {
            if (args.length < 2) {
                System.err.println("usage: bill FILE | summary FILE | clashes FILE | ship FILE NAME");
                System.exit(2);
            }
            File f = new File(args[1]);
            if (!f.exists()) {
                System.err.println("no file " + args[1]);
                System.exit(1);
            }
            BufferedReader r = new BufferedReader(new InputStreamReader(new FileInputStream(f), "UTF-8"));
            String l = r.readLine();
            while (l != null) {
                if (l.trim().length() > 0) {
                    if (!l.trim().startsWith("#")) {
                        data.add(l);
                    }
                }
                l = r.readLine();
            }
            r.close();
            doBill();
        } else if (mode != null && mode.equals("summary")) {
            if (args.length < 2) {
                System.err.println("usage: bill FILE | summary FILE | clashes FILE | ship FILE NAME");
                System.exit(2);
            }
            File f = new File(args[1]);
            if (!f.exists()) {
                System.err.println("no file " + args[1]);
                System.exit(1);
            }
            BufferedReader r = new BufferedReader(new InputStreamReader(new FileInputStream(f), "UTF-8"));
            String l = r.readLine();
            while (l != null) {
                if (l.trim().length() > 0) {
                    if (!l.trim().startsWith("#")) {
                        data.add(l);
                    }
                }
                l = r.readLine();
            }
            r.close();
            doSummary();
        } else if (mode != null && mode.equals("clashes")) {
            if (args.length < 2) {
                System.err.println("usage: bill FILE | summary FILE | clashes FILE | ship FILE NAME");
                System.exit(2);
            }
            File f = new File(args[1]);
            if (!f.exists()) {
                System.err.println("no file " + args[1]);
                System.exit(1);
            }
            BufferedReader r = new BufferedReader(new InputStreamReader(new FileInputStream(f), "UTF-8"));
            String l = r.readLine();
            while (l != null) {
                if (l.trim().length() > 0) {
                    if (!l.trim().startsWith("#")) {
                        data.add(l);
                    }
                }
                l = r.readLine();
            }
            r.close();
            doClashes();
        } else if (mode != null && mode.equals("ship")) {
            if (args.length < 3) {
                System.err.println("usage: bill FILE | summary FILE | clashes FILE | ship FILE NAME");
                System.exit(2);
            }
            File f = new File(args[1]);
            if (!f.exists()) {
                System.err.println("no file " + args[1]);
                System.exit(1);
            }
            BufferedReader r = new BufferedReader(new InputStreamReader(new FileInputStream(f), "UTF-8"));
            String l = r.readLine();
            while (l != null) {
                if (l.trim().length() > 0) {
                    if (!l.trim().startsWith("#")) {
                        data.add(l);
                    }
                }
                l = r.readLine();
            }
            r.close();
            doShip(args[2]);
        } else {
            System.err.println("usage: bill FILE | summary FILE | clashes FILE | ship FILE NAME");
            System.exit(2);
        }
        System.out.print(out);
    }

    static String get(String line, int n) {
        if (line == null) {
            return null;
        }
        String[] p = line.split(";", -1);
        if (p == null || n >= p.length) {
            return null;
        }
        String s = p[n];
        if (s == null) {
            return null;
        }
        s = s.trim();
        if (s.equals("") || s.equals("-")) {
            return null;
        }
        return s;
    }

    static int num(String s) {
        if (s == null) {
            return 0;
        }
        try {
            int n = Integer.parseInt(s);
            if (n < 0) {
                return 0;
            } else {
                return n;
            }
        } catch (Exception e) {
            return 0;
        }
    }

    static void doBill() {
        long f = 0, c = 0, t = 0, y = 0, o = 0;
        for (int i = 0; i < data.size(); i++) {
            String id = get(data.get(i), 0);
            if (id == null) {
                skipped = skipped + 1;
                continue;
            }
            String ship = get(data.get(i), 1);
            if (ship == null) {
                ship = "(no name)";
            }
            String kind = get(data.get(i), 2);
            int from = num(get(data.get(i), 5));
            String tos = get(data.get(i), 6);
            int hours = 1;
            if (tos != null) {
                int to = num(tos);
                if (to - from >= 1) {
                    hours = to - from;
                }
            }
            long fee = 0;
            String name = "";
            if (kind != null && (kind.equals("F") || kind.equals("f"))) {
                name = "ferry";
                fee = num(get(data.get(i), 3)) * 200L + hours * 100L;
                if (hours > 12) {
                    fee = fee - fee / 10;
                }
                f = f + fee;
            } else if (kind != null && (kind.equals("C") || kind.equals("c"))) {
                name = "cargo";
                fee = num(get(data.get(i), 3)) * 300L + num(get(data.get(i), 7)) * 40L;
                if (num(get(data.get(i), 7)) > 100) {
                    fee = fee - fee / 20;
                }
                c = c + fee;
            } else if (kind != null && (kind.equals("T") || kind.equals("t"))) {
                name = "tanker";
                fee = num(get(data.get(i), 3)) * 500L + num(get(data.get(i), 7)) * 60L + 5000L;
                t = t + fee;
            } else if (kind != null && (kind.equals("Y") || kind.equals("y"))) {
                name = "yacht";
                fee = num(get(data.get(i), 3)) * 100L + hours * 200L;
                if (fee < 2000L) {
                    fee = 2000L;
                }
                y = y + fee;
            } else {
                name = "other";
                fee = num(get(data.get(i), 3)) * 400L;
                o = o + fee;
            }
            String cents = "" + (fee % 100);
            if (cents.length() < 2) {
                cents = "0" + cents;
            }
            out = out + id + " " + ship + " " + name + " " + hours + " h " + (fee / 100) + "." + cents + "\n";
        }
        if (f > 0) {
            String cents = "" + (f % 100);
            if (cents.length() < 2) {
                cents = "0" + cents;
            }
            out = out + "ferry: " + (f / 100) + "." + cents + "\n";
        }
        if (c > 0) {
            String cents = "" + (c % 100);
            if (cents.length() < 2) {
                cents = "0" + cents;
            }
            out = out + "cargo: " + (c / 100) + "." + cents + "\n";
        }
        if (t > 0) {
            String cents = "" + (t % 100);
            if (cents.length() < 2) {
                cents = "0" + cents;
            }
            out = out + "tanker: " + (t / 100) + "." + cents + "\n";
        }
        if (y > 0) {
            String cents = "" + (y % 100);
            if (cents.length() < 2) {
                cents = "0" + cents;
            }
            out = out + "yacht: " + (y / 100) + "." + cents + "\n";
        }
        if (o > 0) {
            String cents = "" + (o % 100);
            if (cents.length() < 2) {
                cents = "0" + cents;
            }
            out = out + "other: " + (o / 100) + "." + cents + "\n";
        }
        long all = f + c + t + y + o;
        String cents = "" + (all % 100);
        if (cents.length() < 2) {
            cents = "0" + cents;
        }
        out = out + "total: " + (all / 100) + "." + cents + "\n";
        if (skipped > 0) {
            out = out + "skipped: " + skipped + "\n";
        }
    }

    static void doSummary() {
        List<String> names = new ArrayList<String>();
        for (int i = 0; i < data.size(); i++) {
            String id = get(data.get(i), 0);
            if (id == null) {
                skipped = skipped + 1;
                continue;
            }
            String ship = get(data.get(i), 1);
            if (ship == null) {
                ship = "(no name)";
            }
            boolean there = false;
            for (int j = 0; j < names.size(); j++) {
                if (names.get(j).equals(ship)) {
                    there = true;
                }
            }
            if (there == false) {
                names.add(ship);
            }
        }
        for (int i = 0; i < names.size(); i++) {
            for (int j = 0; j < names.size() - 1; j++) {
                if (names.get(j).compareTo(names.get(j + 1)) > 0) {
                    String x = names.get(j);
                    names.set(j, names.get(j + 1));
                    names.set(j + 1, x);
                }
            }
        }
        for (int k = 0; k < names.size(); k++) {
            int visits = 0;
            int sum = 0;
            long amount = 0;
            for (int i = 0; i < data.size(); i++) {
                String id = get(data.get(i), 0);
                if (id == null) {
                    continue;
                }
                String ship = get(data.get(i), 1);
                if (ship == null) {
                    ship = "(no name)";
                }
                if (!ship.equals(names.get(k))) {
                    continue;
                }
                String kind = get(data.get(i), 2);
                int from = num(get(data.get(i), 5));
                String tos = get(data.get(i), 6);
                int hours = 1;
                if (tos != null) {
                    int to = num(tos);
                    if (to - from >= 1) {
                        hours = to - from;
                    }
                }
                long fee = 0;
                if (kind != null && (kind.equals("F") || kind.equals("f"))) {
                    fee = num(get(data.get(i), 3)) * 200L + hours * 100L;
                    if (hours > 12) {
                        fee = fee - fee / 10;
                    }
                } else if (kind != null && (kind.equals("C") || kind.equals("c"))) {
                    fee = num(get(data.get(i), 3)) * 300L + num(get(data.get(i), 7)) * 40L;
                    if (num(get(data.get(i), 7)) > 100) {
                        fee = fee - fee / 20;
                    }
                } else if (kind != null && (kind.equals("T") || kind.equals("t"))) {
                    fee = num(get(data.get(i), 3)) * 500L + num(get(data.get(i), 7)) * 60L + 5000L;
                } else if (kind != null && (kind.equals("Y") || kind.equals("y"))) {
                    fee = num(get(data.get(i), 3)) * 100L + hours * 200L;
                    if (fee < 2000L) {
                        fee = 2000L;
                    }
                } else {
                    fee = num(get(data.get(i), 3)) * 400L;
                }
                visits = visits + 1;
                sum = sum + hours;
                amount = amount + fee;
            }
            String cents = "" + (amount % 100);
            if (cents.length() < 2) {
                cents = "0" + cents;
            }
            out = out + names.get(k) + ": " + visits + (visits == 1 ? " visit, " : " visits, ") + sum + " h, "
                    + (amount / 100) + "." + cents + "\n";
        }
        if (names.size() == 0) {
            out = out + "nothing\n";
        }
        if (skipped > 0) {
            out = out + "skipped: " + skipped + "\n";
        }
    }

    static void doClashes() {
        int n = 0;
        for (int i = 0; i < data.size(); i++) {
            for (int j = i + 1; j < data.size(); j++) {
                String a = get(data.get(i), 0);
                String b = get(data.get(j), 0);
                if (a == null || b == null) {
                    continue;
                }
                String ba = get(data.get(i), 4);
                String bb = get(data.get(j), 4);
                if (ba == null || bb == null) {
                    continue;
                }
                if (ba.equals(bb)) {
                    int fa = num(get(data.get(i), 5));
                    int fb = num(get(data.get(j), 5));
                    int ha = 1;
                    String ta = get(data.get(i), 6);
                    if (ta != null) {
                        int to = num(ta);
                        if (to - fa >= 1) {
                            ha = to - fa;
                        }
                    }
                    int hb = 1;
                    String tb = get(data.get(j), 6);
                    if (tb != null) {
                        int to = num(tb);
                        if (to - fb >= 1) {
                            hb = to - fb;
                        }
                    }
                    if (fa < fb + hb && fb < fa + ha) {
                        out = out + "berth " + ba + ": " + a + " and " + b + "\n";
                        n = n + 1;
                    }
                }
            }
        }
        if (n == 0) {
            out = out + "no clash\n";
        } else {
            out = out + "clashes: " + n + "\n";
        }
    }

    static void doShip(String name) {
        int n = 0;
        for (int i = 0; i < data.size(); i++) {
            String id = get(data.get(i), 0);
            if (id == null) {
                continue;
            }
            String ship = get(data.get(i), 1);
            if (ship == null) {
                ship = "(no name)";
            }
            if (ship.equalsIgnoreCase(name)) {
                int from = num(get(data.get(i), 5));
                String tos = get(data.get(i), 6);
                int hours = 1;
                if (tos != null) {
                    int to = num(tos);
                    if (to - from >= 1) {
                        hours = to - from;
                    }
                }
                String berth = get(data.get(i), 4);
                if (berth == null) {
                    berth = "?";
                }
                out = out + id + " berth " + berth + " from " + from + " to " + (from + hours) + "\n";
                n = n + 1;
            }
        }
        if (n == 0) {
            System.err.println("no ship " + name);
            System.exit(1);
        }
    }
}
