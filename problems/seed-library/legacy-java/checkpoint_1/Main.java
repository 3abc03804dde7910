import java.io.*;
import java.util.*;

public class Main {
    static Vector events = new Vector();
    static String today = null;

    public static void main(String[] args) throws IOException {
        if (args.length == 0 || args[0] == null) {
            System.err.println("which report?");
            System.exit(2);
        }
        if (args.length == 1 || args[1] == null) {
            System.err.println("which file?");
            System.exit(2);
        }
        if (!(new File(args[1]).exists())) {
            System.err.println("not found: " + args[1]);
            System.exit(1);
        }
        BufferedReader br = new BufferedReader(new InputStreamReader(new FileInputStream(args[1]), "UTF-8"));
        String line = null;
        while ((line = br.readLine()) != null) {
            if (line.trim().length() == 0) {
                continue;
            }
            if (line.trim().charAt(0) == '#') {
                continue;
            }
            events.add(line);
        }
        br.close();
        StringBuffer sb = new StringBuffer();
        if (args[0].equals("members")) {
            Vector names = new Vector();
            for (int i = 0; i < events.size(); i++) {
                String m = val((String) events.get(i), "member");
                if (m != null) {
                    if (!names.contains(m)) {
                        names.add(m);
                    }
                }
            }
            Collections.sort(names);
            for (int i = 0; i < names.size(); i++) {
                String m = (String) names.get(i);
                int lent = 0;
                int back = 0;
                int gift = 0;
                int lost = 0;
                for (int j = 0; j < events.size(); j++) {
                    String e = (String) events.get(j);
                    String em = val(e, "member");
                    if (em != null && em.equals(m)) {
                        String op = val(e, "op");
                        if (op != null) {
                            if (op.equals("lend")) {
                                int n = 1;
                                if (val(e, "packets") != null) {
                                    try {
                                        n = Integer.parseInt(val(e, "packets"));
                                    } catch (Exception ex) {
                                        n = 1;
                                    }
                                }
                                if (n < 1) {
                                    n = 1;
                                }
                                lent = lent + n;
                            } else if (op.equals("return")) {
                                int n = 1;
                                if (val(e, "packets") != null) {
                                    try {
                                        n = Integer.parseInt(val(e, "packets"));
                                    } catch (Exception ex) {
                                        n = 1;
                                    }
                                }
                                if (n < 1) {
                                    n = 1;
                                }
                                back = back + n;
                            } else if (op.equals("gift")) {
                                int n = 1;
                                if (val(e, "packets") != null) {
                                    try {
                                        n = Integer.parseInt(val(e, "packets"));
                                    } catch (Exception ex) {
                                        n = 1;
                                    }
                                }
                                if (n < 1) {
                                    n = 1;
                                }
                                gift = gift + n;
                            } else if (op.equals("lost")) {
                                int n = 1;
                                if (val(e, "packets") != null) {
                                    try {
                                        n = Integer.parseInt(val(e, "packets"));
                                    } catch (Exception ex) {
                                        n = 1;
                                    }
                                }
                                if (n < 1) {
                                    n = 1;
                                }
                                lost = lost + n;
                            }
                        }
                    }
                }
                int owes = lent - back - lost;
                if (owes < 0) {
                    owes = 0;
                }
                String rank = "";
                if (gift >= 10 && lost == 0) {
                    rank = " [friend]";
                } else if (lost > 3) {
                    rank = " [barred]";
                } else if (owes > 5) {
                    rank = " [full]";
                }
                sb.append(m + ": lent " + lent + ", back " + back + ", gifts " + gift + ", lost " + lost + ", owes "
                        + owes + rank + "\n");
            }
            if (names.size() == 0) {
                sb.append("no members\n");
            }
        } else if (args[0].equals("seeds")) {
            Vector names = new Vector();
            for (int i = 0; i < events.size(); i++) {
                String s = val((String) events.get(i), "seed");
                if (s == null) {
                    s = "mixed";
                }
                if (!names.contains(s)) {
                    names.add(s);
                }
            }
            Collections.sort(names);
            for (int i = 0; i < names.size(); i++) {
                String s = (String) names.get(i);
                int in = 0;
                int outs = 0;
                String last = null;
                for (int j = 0; j < events.size(); j++) {
                    String e = (String) events.get(j);
                    String es = val(e, "seed");
                    if (es == null) {
                        es = "mixed";
                    }
                    if (es.equals(s)) {
                        String op = val(e, "op");
                        if (op != null) {
                            int n = 1;
                            if (val(e, "packets") != null) {
                                try {
                                    n = Integer.parseInt(val(e, "packets"));
                                } catch (Exception ex) {
                                    n = 1;
                                }
                            }
                            if (n < 1) {
                                n = 1;
                            }
                            if (op.equals("lend")) {
                                outs = outs + n;
                                if (val(e, "member") != null) {
                                    last = val(e, "member");
                                }
                            }
                            if (op.equals("return")) {
                                in = in + n;
                            }
                            if (op.equals("gift")) {
                                in = in + n;
                            }
                        }
                    }
                }
                sb.append(s + ": in " + in + ", out " + outs + ", last to " + (last == null ? "nobody" : last) + "\n");
            }
            if (names.size() == 0) {
                sb.append("no seeds\n");
            }
        } else if (args[0].equals("overdue")) {
            if (args.length < 3) {
                System.err.println("which day?");
                System.exit(2);
            }
            today = args[2];
            int day = 0;
            try {
                day = Integer.parseInt(today);
            } catch (Exception e) {
                System.err.println("not a day: " + today);
                System.exit(2);
            }
            int n = 0;
            for (int i = 0; i < events.size(); i++) {
                String e = (String) events.get(i);
                if (val(e, "op") != null && val(e, "op").equals("lend")) {
                    if (val(e, "member") != null) {
                        int d = 0;
                        if (val(e, "day") != null) {
                            try {
                                d = Integer.parseInt(val(e, "day"));
                            } catch (Exception ex) {
                                d = 0;
                            }
                        }
                        int weeks = 30;
                        if (val(e, "days") != null) {
                            try {
                                weeks = Integer.parseInt(val(e, "days"));
                            } catch (Exception ex) {
                                weeks = 30;
                            }
                        }
                        if (d + weeks < day) {
                            // was it given back later?
                            boolean back = false;
                            for (int j = i + 1; j < events.size(); j++) {
                                String f = (String) events.get(j);
                                if (val(f, "op") != null && (val(f, "op").equals("return") || val(f, "op").equals("lost"))) {
                                    if (val(f, "member") != null && val(f, "member").equals(val(e, "member"))) {
                                        if (val(f, "seed") == null && val(e, "seed") == null) {
                                            back = true;
                                        }
                                        if (val(f, "seed") != null && val(f, "seed").equals(val(e, "seed"))) {
                                            back = true;
                                        }
                                    }
                                }
                            }
                            if (!back) {
                                String s = val(e, "seed");
                                if (s == null) {
                                    s = "mixed";
                                }
                                sb.append(val(e, "member") + " has " + s + " since day " + d + ", " + (day - d - weeks)
                                        + " days late\n");
                                n++;
                            }
                        }
                    }
                }
            }
            if (n == 0) {
                sb.append("nothing is late\n");
            } else {
                sb.append("late: " + n + "\n");
            }
        } else if (args[0].equals("history")) {
            if (args.length < 3) {
                System.err.println("which seed?");
                System.exit(2);
            }
            int n = 0;
            for (int i = 0; i < events.size(); i++) {
                String e = (String) events.get(i);
                if (val(e, "seed") != null && val(e, "seed").equals(args[2])) {
                    String op = val(e, "op");
                    if (op == null) {
                        op = "?";
                    }
                    String m = val(e, "member");
                    if (m == null) {
                        m = "somebody";
                    }
                    String d = val(e, "day");
                    if (d == null) {
                        d = "?";
                    }
                    sb.append("day " + d + ": " + op + " " + m + "\n");
                    n++;
                }
            }
            if (n == 0) {
                System.err.println("no seed " + args[2]);
                System.exit(1);
            }
        } else {
            System.err.println("no report " + args[0]);
            System.exit(2);
        }
        System.out.print(sb.toString());
    }

    static String val(String line, String key) {
        if (line == null) {
            return null;
        }
        String[] ps = line.split(";");
        for (int i = 0; i < ps.length; i++) {
            String p = ps[i];
            if (p != null && p.indexOf("=") > 0) {
                String k = p.substring(0, p.indexOf("=")).trim();
                String v = p.substring(p.indexOf("=") + 1).trim();
                if (k.equals(key)) {
                    if (v.length() == 0) {
                        return null;
                    }
                    if (v.equals("null")) {
                        return null;
                    }
                    return v;
                }
            }
        }
        return null;
    }
}
