import java.io.File;
import java.util.*;

public class Main {

    static ArrayList<HashMap<String, Object>> recs = new ArrayList<HashMap<String, Object>>();
    static boolean dirty = false;

    public static void main(String[] args) throws Exception {
        if (args.length < 2) {
            System.err.println("usage: board FILE STOP DAY, gaps FILE, transfers FILE DAY, days FILE");
            System.exit(2);
            return;
        }
        File file = new File(args[1]);
        if (file == null || !file.exists()) {
            System.err.println("there is no " + args[1]);
            System.exit(1);
            return;
        }
        Scanner sc = new Scanner(file, "UTF-8");
        while (sc.hasNextLine()) {
            String line = sc.nextLine();
            if (line == null || line.trim().isEmpty()) {
                continue;
            }
            HashMap<String, Object> rec = new HashMap<String, Object>();
            String[] parts = line.split("\\|");
            if (parts.length > 0 && parts[0] != null && parts[0].trim().length() > 0) {
                rec.put("route", parts[0].trim());
            }
            if (parts.length > 1 && parts[1] != null && parts[1].trim().length() > 0) {
                rec.put("stop", parts[1].trim());
            }
            if (parts.length > 2 && parts[2] != null && parts[2].trim().length() > 0) {
                rec.put("time", parts[2].trim());
            }
            if (parts.length > 3 && parts[3] != null && parts[3].trim().length() > 0) {
                rec.put("days", parts[3].trim());
            }
            recs.add(rec);
        }
        sc.close();
        String cmd = args[0];
        switch (cmd == null ? "" : cmd) {
            case "board":
                if (args.length < 4) {
                    System.err.println("usage: board FILE STOP DAY, gaps FILE, transfers FILE DAY, days FILE");
                    System.exit(2);
                    return;
                }
                board(args[2], args[3]);
                break;
            case "gaps":
                gaps();
                break;
            case "transfers":
                if (args.length < 3) {
                    System.err.println("usage: board FILE STOP DAY, gaps FILE, transfers FILE DAY, days FILE");
                    System.exit(2);
                    return;
                }
                transfers(args[2]);
                break;
            case "days":
                days();
                break;
            default:
                System.err.println("usage: board FILE STOP DAY, gaps FILE, transfers FILE DAY, days FILE");
                System.exit(2);
        }
    }

    static int minutes(Object time) {
        if (time == null) {
            return -1;
        }
        String t = (String) time;
        if (t.indexOf(":") < 0) {
            return -1;
        }
        String h = t.substring(0, t.indexOf(":"));
        String m = t.substring(t.indexOf(":") + 1);
        try {
            int hh = Integer.parseInt(h.trim());
            int mm = Integer.parseInt(m.trim());
            if (hh < 0 || hh > 23) {
                return -1;
            }
            if (mm < 0 || mm > 59) {
                return -1;
            }
            return hh * 60 + mm;
        } catch (Exception e) {
            return -1;
        }
    }

    static void board(String stop, String day) {
        ArrayList<HashMap<String, Object>> found = new ArrayList<HashMap<String, Object>>();
        for (HashMap<String, Object> rec : recs) {
            if (rec.get("route") != null) {
                if (rec.get("stop") != null) {
                    if (((String) rec.get("stop")).equalsIgnoreCase(stop)) {
                        if (minutes(rec.get("time")) >= 0) {
                            if (rec.get("days") == null) {
                                found.add(rec);
                            } else {
                                if (((String) rec.get("days")).toUpperCase().indexOf(day.toUpperCase()) >= 0) {
                                    found.add(rec);
                                }
                            }
                        }
                    }
                }
            }
        }
        for (int i = 0; i < found.size(); i++) {
            for (int j = 0; j < found.size() - 1; j++) {
                boolean swap = false;
                if (minutes(found.get(j).get("time")) > minutes(found.get(j + 1).get("time"))) {
                    swap = true;
                }
                if (minutes(found.get(j).get("time")) == minutes(found.get(j + 1).get("time"))) {
                    if (((String) found.get(j).get("route")).compareTo((String) found.get(j + 1).get("route")) > 0) {
                        swap = true;
                    }
                }
                if (swap) {
                    HashMap<String, Object> x = found.get(j);
                    found.set(j, found.get(j + 1));
                    found.set(j + 1, x);
                }
            }
        }
        String last = null;
        for (HashMap<String, Object> rec : found) {
            int t = minutes(rec.get("time"));
            String hh = "" + t / 60;
            if (hh.length() == 1) {
                hh = "0" + hh;
            }
            String mm = "" + t % 60;
            if (mm.length() == 1) {
                mm = "0" + mm;
            }
            String s = hh + ":" + mm + " route " + rec.get("route");
            if (last != null && last.equals(s)) {
                continue;
            }
            System.out.println(s);
            last = s;
        }
        if (found.size() == 0) {
            System.out.println("no bus");
        }
    }

    static void gaps() {
        ArrayList<String> routes = new ArrayList<String>();
        for (HashMap<String, Object> rec : recs) {
            if (rec.get("route") != null) {
                boolean has = false;
                for (String r : routes) {
                    if (r.equals((String) rec.get("route"))) {
                        has = true;
                    }
                }
                if (!has) {
                    routes.add((String) rec.get("route"));
                }
            }
        }
        for (int i = 0; i < routes.size(); i++) {
            for (int j = i + 1; j < routes.size(); j++) {
                if (routes.get(i).compareTo(routes.get(j)) > 0) {
                    String x = routes.get(i);
                    routes.set(i, routes.get(j));
                    routes.set(j, x);
                }
            }
        }
        for (String r : routes) {
            ArrayList<HashMap<String, Object>> of = new ArrayList<HashMap<String, Object>>();
            for (HashMap<String, Object> rec : recs) {
                if (rec.get("route") != null && r.equals((String) rec.get("route"))) {
                    if (minutes(rec.get("time")) >= 0) {
                        of.add(rec);
                    }
                }
            }
            for (int i = 0; i < of.size(); i++) {
                for (int j = 0; j < of.size() - 1; j++) {
                    if (minutes(of.get(j).get("time")) > minutes(of.get(j + 1).get("time"))) {
                        HashMap<String, Object> x = of.get(j);
                        of.set(j, of.get(j + 1));
                        of.set(j + 1, x);
                    }
                }
            }
            int best = -1;
            String from = null;
            String to = null;
            for (int j = 0; j < of.size() - 1; j++) {
                int g = minutes(of.get(j + 1).get("time")) - minutes(of.get(j).get("time"));
                if (g > best) {
                    best = g;
                    from = (String) of.get(j).get("stop");
                    to = (String) of.get(j + 1).get("stop");
                }
            }
            if (of.size() == 0) {
                System.out.println("route " + r + ": no times");
            } else if (best < 0) {
                System.out.println("route " + r + ": one stop");
            } else {
                if (from == null) {
                    from = "(unknown)";
                }
                if (to == null) {
                    to = "(unknown)";
                }
                System.out.println("route " + r + ": " + best + " min from " + from + " to " + to);
            }
        }
        if (routes.size() == 0) {
            System.out.println("no routes");
        }
    }

    static void transfers(String day) {
        ArrayList<String> stops = new ArrayList<String>();
        ArrayList<Integer> counts = new ArrayList<Integer>();
        for (int i = 0; i < recs.size(); i++) {
            for (int j = 0; j < recs.size(); j++) {
                if (i == j) {
                    continue;
                }
                HashMap<String, Object> a = recs.get(i);
                HashMap<String, Object> b = recs.get(j);
                if (a.get("route") == null || b.get("route") == null) {
                    continue;
                }
                if (a.get("stop") == null || b.get("stop") == null) {
                    continue;
                }
                if (!((String) a.get("stop")).equalsIgnoreCase((String) b.get("stop"))) {
                    continue;
                }
                if (((String) a.get("route")).equals((String) b.get("route"))) {
                    continue;
                }
                boolean ra = false;
                if (a.get("days") == null) {
                    ra = true;
                } else {
                    if (((String) a.get("days")).toUpperCase().indexOf(day.toUpperCase()) >= 0) {
                        ra = true;
                    }
                }
                boolean rb = false;
                if (b.get("days") == null) {
                    rb = true;
                } else {
                    if (((String) b.get("days")).toUpperCase().indexOf(day.toUpperCase()) >= 0) {
                        rb = true;
                    }
                }
                if (!ra || !rb) {
                    continue;
                }
                int ta = minutes(a.get("time"));
                int tb = minutes(b.get("time"));
                if (ta < 0 || tb < 0) {
                    continue;
                }
                if (tb - ta >= 2 && tb - ta <= 10) {
                    int at = -1;
                    for (int k = 0; k < stops.size(); k++) {
                        if (stops.get(k).equals(((String) a.get("stop")).toLowerCase())) {
                            at = k;
                        }
                    }
                    if (at == -1) {
                        stops.add(((String) a.get("stop")).toLowerCase());
                        counts.add(1);
                    } else {
                        counts.set(at, counts.get(at) + 1);
                    }
                }
            }
        }
        for (int i = 0; i < stops.size(); i++) {
            for (int j = i + 1; j < stops.size(); j++) {
                if (stops.get(i).compareTo(stops.get(j)) > 0) {
                    String x = stops.get(i);
                    stops.set(i, stops.get(j));
                    stops.set(j, x);
                    Integer y = counts.get(i);
                    counts.set(i, counts.get(j));
                    counts.set(j, y);
                }
            }
        }
        int total = 0;
        for (int i = 0; i < stops.size(); i++) {
            if (counts.get(i) == 1) {
                System.out.println(stops.get(i) + ": 1 transfer");
            } else {
                System.out.println(stops.get(i) + ": " + counts.get(i) + " transfers");
            }
            total = total + counts.get(i);
        }
        System.out.println("in all: " + total);
    }

    static void days() {
        int m = 0, t = 0, w = 0, r = 0, f = 0, none = 0;
        for (HashMap<String, Object> rec : recs) {
            if (rec.get("route") == null) {
                none++;
                continue;
            }
            if (minutes(rec.get("time")) < 0) {
                none++;
                continue;
            }
            if (rec.get("days") == null) {
                m++;
                t++;
                w++;
                r++;
                f++;
            } else {
                String d = ((String) rec.get("days")).toUpperCase();
                boolean any = false;
                if (d.indexOf("M") >= 0) {
                    m++;
                    any = true;
                }
                if (d.indexOf("T") >= 0) {
                    t++;
                    any = true;
                }
                if (d.indexOf("W") >= 0) {
                    w++;
                    any = true;
                }
                if (d.indexOf("R") >= 0) {
                    r++;
                    any = true;
                }
                if (d.indexOf("F") >= 0) {
                    f++;
                    any = true;
                }
                if (any == false) {
                    none++;
                }
            }
        }
        System.out.println("M " + m);
        System.out.println("T " + t);
        System.out.println("W " + w);
        System.out.println("R " + r);
        System.out.println("F " + f);
        if (none > 0) {
            System.out.println("never " + none);
        }
    }
}
