import java.io.BufferedReader;
import java.io.File;
import java.io.FileInputStream;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class Main {
    public static List rows = new ArrayList();
    public static Map settings = new HashMap();

    public static void main(String[] a) throws Exception {
        String c = a.length > 0 ? a[0] : null;
        String f = a.length > 1 ? a[1] : null;
        String p = a.length > 2 ? a[2] : null;
        if (c == null || f == null) {
            System.err.println("give a command and a file");
            System.exit(2);
        }
        if (!"stock".equals(c) && !"profit".equals(c) && !"statement".equals(c) && !"audit".equals(c)) {
            System.err.println("unknown command " + c);
            System.exit(2);
        }
        if ("statement".equals(c) && p == null) {
            System.err.println("give a party");
            System.exit(2);
        }
        if (!new File(f).exists()) {
            System.err.println("cannot find " + f);
            System.exit(1);
        }
        BufferedReader in = new BufferedReader(new InputStreamReader(new FileInputStream(f), "UTF-8"));
        while (true) {
            String s = in.readLine();
            if (s == null) {
                break;
            }
            if (s.trim().equals("")) {
                continue;
            }
            rows.add(s);
        }
        in.close();
        sort();
        if ("stock".equals(c)) {
            stock();
        }
        if ("profit".equals(c)) {
            profit();
        }
        if ("statement".equals(c)) {
            statement(p);
        }
        if ("audit".equals(c)) {
            audit();
        }
    }

    public static void sort() {
        boolean again = true;
        while (again) {
            again = false;
            for (int i = 0; i + 1 < rows.size(); i++) {
                String d1 = "";
                String[] x1 = ((String) rows.get(i)).split(",");
                if (x1.length > 0 && x1[0] != null) {
                    d1 = x1[0].trim();
                }
                String d2 = "";
                String[] x2 = ((String) rows.get(i + 1)).split(",");
                if (x2.length > 0 && x2[0] != null) {
                    d2 = x2[0].trim();
                }
                if (d1.compareTo(d2) > 0) {
                    Object o = rows.get(i);
                    rows.set(i, rows.get(i + 1));
                    rows.set(i + 1, o);
                    again = true;
                }
            }
        }
    }

    public static void stock() {
        List grades = new ArrayList();
        List amounts = new ArrayList();
        List shorts = new ArrayList();
        for (int i = 0; i < rows.size(); i++) {
            String[] x = ((String) rows.get(i)).split(",");
            String op = null;
            String grade = null;
            int kilos = 0;
            if (x.length > 1 && x[1] != null && !x[1].trim().equals("")) {
                op = x[1].trim();
            }
            if (x.length > 3 && x[3] != null && !x[3].trim().equals("")) {
                grade = x[3].trim();
            }
            if (x.length > 4 && x[4] != null && !x[4].trim().equals("")) {
                try {
                    kilos = Integer.parseInt(x[4].trim());
                } catch (NumberFormatException e) {
                    kilos = 0;
                }
            }
            if (op != null) {
                if (grade == null) {
                    grade = "ungraded";
                }
                int at = -1;
                for (int j = 0; j < grades.size(); j++) {
                    if (((String) grades.get(j)).equals(grade)) {
                        at = j;
                    }
                }
                if (at < 0) {
                    if (op.equals("BUY") || op.equals("SELL") || op.equals("RETURN") || op.equals("ADJ")) {
                        grades.add(grade);
                        amounts.add(Integer.valueOf(0));
                        shorts.add(Integer.valueOf(0));
                        at = grades.size() - 1;
                    }
                }
                if (op.equals("BUY")) {
                    if (kilos > 0) {
                        amounts.set(at, Integer.valueOf(((Integer) amounts.get(at)).intValue() + kilos));
                    }
                } else {
                    if (op.equals("SELL")) {
                        if (kilos > 0) {
                            if (((Integer) amounts.get(at)).intValue() >= kilos) {
                                amounts.set(at, Integer.valueOf(((Integer) amounts.get(at)).intValue() - kilos));
                            } else {
                                shorts.set(at, Integer.valueOf(((Integer) shorts.get(at)).intValue() + kilos
                                        - ((Integer) amounts.get(at)).intValue()));
                                amounts.set(at, Integer.valueOf(0));
                            }
                        }
                    } else {
                        if (op.equals("RETURN")) {
                            if (kilos > 0) {
                                amounts.set(at, Integer.valueOf(((Integer) amounts.get(at)).intValue() + kilos));
                            }
                        } else {
                            if (op.equals("ADJ")) {
                                int n = ((Integer) amounts.get(at)).intValue() + kilos;
                                if (n < 0) {
                                    n = 0;
                                }
                                amounts.set(at, Integer.valueOf(n));
                            }
                        }
                    }
                }
            }
        }
        for (int i = 0; i < grades.size(); i++) {
            for (int j = i + 1; j < grades.size(); j++) {
                if (((String) grades.get(i)).compareTo((String) grades.get(j)) > 0) {
                    Object o = grades.get(i);
                    grades.set(i, grades.get(j));
                    grades.set(j, o);
                    o = amounts.get(i);
                    amounts.set(i, amounts.get(j));
                    amounts.set(j, o);
                    o = shorts.get(i);
                    shorts.set(i, shorts.get(j));
                    shorts.set(j, o);
                }
            }
        }
        for (int i = 0; i < grades.size(); i++) {
            if (((Integer) shorts.get(i)).intValue() > 0) {
                System.out.println(grades.get(i) + " " + amounts.get(i) + " kg (short " + shorts.get(i) + " kg)");
            } else {
                System.out.println(grades.get(i) + " " + amounts.get(i) + " kg");
            }
        }
        if (grades.size() == 0) {
            System.out.println("empty");
        }
    }

    public static void profit() {
        List grades = new ArrayList();
        List sums = new ArrayList();
        int total = 0;
        for (int i = 0; i < rows.size(); i++) {
            String[] x = ((String) rows.get(i)).split(",");
            String op = null;
            String grade = null;
            int kilos = 0;
            int price = 0;
            if (x.length > 1 && x[1] != null && !x[1].trim().equals("")) {
                op = x[1].trim();
            }
            if (x.length > 3 && x[3] != null && !x[3].trim().equals("")) {
                grade = x[3].trim();
            }
            if (x.length > 4 && x[4] != null && !x[4].trim().equals("")) {
                try {
                    kilos = Integer.parseInt(x[4].trim());
                } catch (NumberFormatException e) {
                    kilos = 0;
                }
            }
            if (x.length > 5 && x[5] != null && !x[5].trim().equals("")) {
                try {
                    price = Integer.parseInt(x[5].trim());
                } catch (NumberFormatException e) {
                    price = 0;
                }
            }
            if (op != null && op.equals("SELL") && kilos > 0) {
                if (grade == null) {
                    grade = "ungraded";
                }
                // how much of this grade was sold before this row
                int before = 0;
                for (int j = 0; j < i; j++) {
                    String[] y = ((String) rows.get(j)).split(",");
                    String op2 = null;
                    String grade2 = null;
                    int kilos2 = 0;
                    if (y.length > 1 && y[1] != null && !y[1].trim().equals("")) {
                        op2 = y[1].trim();
                    }
                    if (y.length > 3 && y[3] != null && !y[3].trim().equals("")) {
                        grade2 = y[3].trim();
                    }
                    if (y.length > 4 && y[4] != null && !y[4].trim().equals("")) {
                        try {
                            kilos2 = Integer.parseInt(y[4].trim());
                        } catch (NumberFormatException e) {
                            kilos2 = 0;
                        }
                    }
                    if (grade2 == null) {
                        grade2 = "ungraded";
                    }
                    if (op2 != null && op2.equals("SELL") && grade2.equals(grade) && kilos2 > 0) {
                        before = before + kilos2;
                    }
                }
                // the lots in order, wherever they stand in the ledger
                int skip = before;
                int need = kilos;
                int cost = 0;
                for (int j = 0; j < rows.size(); j++) {
                    String[] y = ((String) rows.get(j)).split(",");
                    String op2 = null;
                    String grade2 = null;
                    int kilos2 = 0;
                    int price2 = 0;
                    if (y.length > 1 && y[1] != null && !y[1].trim().equals("")) {
                        op2 = y[1].trim();
                    }
                    if (y.length > 3 && y[3] != null && !y[3].trim().equals("")) {
                        grade2 = y[3].trim();
                    }
                    if (y.length > 4 && y[4] != null && !y[4].trim().equals("")) {
                        try {
                            kilos2 = Integer.parseInt(y[4].trim());
                        } catch (NumberFormatException e) {
                            kilos2 = 0;
                        }
                    }
                    if (y.length > 5 && y[5] != null && !y[5].trim().equals("")) {
                        try {
                            price2 = Integer.parseInt(y[5].trim());
                        } catch (NumberFormatException e) {
                            price2 = 0;
                        }
                    }
                    if (grade2 == null) {
                        grade2 = "ungraded";
                    }
                    if (op2 != null && op2.equals("BUY") && grade2.equals(grade) && kilos2 > 0) {
                        if (skip >= kilos2) {
                            skip = skip - kilos2;
                        } else {
                            int here = kilos2 - skip;
                            skip = 0;
                            if (here > need) {
                                here = need;
                            }
                            cost = cost + here * price2;
                            need = need - here;
                        }
                    }
                }
                int gain = kilos * price - cost;
                int at = -1;
                for (int j = 0; j < grades.size(); j++) {
                    if (((String) grades.get(j)).equals(grade)) {
                        at = j;
                    }
                }
                if (at < 0) {
                    grades.add(grade);
                    sums.add(Integer.valueOf(gain));
                } else {
                    sums.set(at, Integer.valueOf(((Integer) sums.get(at)).intValue() + gain));
                }
                total = total + gain;
            }
        }
        for (int i = 0; i < grades.size(); i++) {
            for (int j = i + 1; j < grades.size(); j++) {
                if (((String) grades.get(i)).compareTo((String) grades.get(j)) > 0) {
                    Object o = grades.get(i);
                    grades.set(i, grades.get(j));
                    grades.set(j, o);
                    o = sums.get(i);
                    sums.set(i, sums.get(j));
                    sums.set(j, o);
                }
            }
        }
        for (int i = 0; i < grades.size(); i++) {
            System.out.println(grades.get(i) + " " + sums.get(i));
        }
        System.out.println("total " + total);
    }

    public static void statement(String p) {
        int balance = 0;
        int count = 0;
        for (int i = 0; i < rows.size(); i++) {
            String[] x = ((String) rows.get(i)).split(",");
            String op = null;
            String lot = null;
            String party = null;
            int kilos = 0;
            int price = 0;
            String date = "";
            if (x.length > 0 && x[0] != null) {
                date = x[0].trim();
            }
            if (x.length > 1 && x[1] != null && !x[1].trim().equals("")) {
                op = x[1].trim();
            }
            if (x.length > 2 && x[2] != null && !x[2].trim().equals("")) {
                lot = x[2].trim();
            }
            if (x.length > 4 && x[4] != null && !x[4].trim().equals("")) {
                try {
                    kilos = Integer.parseInt(x[4].trim());
                } catch (NumberFormatException e) {
                    kilos = 0;
                }
            }
            if (x.length > 5 && x[5] != null && !x[5].trim().equals("")) {
                try {
                    price = Integer.parseInt(x[5].trim());
                } catch (NumberFormatException e) {
                    price = 0;
                }
            }
            if (x.length > 6 && x[6] != null && !x[6].trim().equals("")) {
                party = x[6].trim();
            }
            if (party != null && party.equals(p) && op != null) {
                if (date.equals("")) {
                    date = "undated";
                }
                if (lot == null) {
                    lot = "no lot";
                }
                if (op.equals("BUY")) {
                    balance = balance - kilos * price;
                    System.out.println(date + " bought " + lot + " " + (-(kilos * price)) + " balance " + balance);
                    count++;
                }
                if (op.equals("SELL")) {
                    balance = balance + kilos * price;
                    System.out.println(date + " sold " + lot + " " + (kilos * price) + " balance " + balance);
                    count++;
                }
                if (op.equals("RETURN")) {
                    balance = balance - kilos * price;
                    System.out.println(date + " taken back " + lot + " " + (-(kilos * price)) + " balance " + balance);
                    count++;
                }
            }
        }
        if (count == 0) {
            System.out.println("nothing with " + p);
        } else {
            System.out.println(count + " rows, balance " + balance);
        }
    }

    public static void audit() {
        int faults = 0;
        for (int i = 0; i < rows.size(); i++) {
            String[] x = ((String) rows.get(i)).split(",");
            String lot = null;
            String op = null;
            if (x.length > 1 && x[1] != null && !x[1].trim().equals("")) {
                op = x[1].trim();
            }
            if (x.length > 2 && x[2] != null && !x[2].trim().equals("")) {
                lot = x[2].trim();
            }
            if (op == null) {
                System.out.println("row " + (i + 1) + ": no operation");
                faults++;
            } else if (!op.equals("BUY") && !op.equals("SELL") && !op.equals("RETURN") && !op.equals("ADJ")) {
                System.out.println("row " + (i + 1) + ": unknown operation " + op);
                faults++;
            }
            if (op != null && op.equals("BUY")) {
                if (lot == null) {
                    System.out.println("row " + (i + 1) + ": no lot");
                    faults++;
                } else {
                    for (int j = 0; j < i; j++) {
                        String[] y = ((String) rows.get(j)).split(",");
                        if (y.length > 2 && y[1].trim().equals("BUY") && y[2].trim().equals(lot)) {
                            System.out.println("row " + (i + 1) + ": lot " + lot + " is that of row " + (j + 1));
                            faults++;
                            break;
                        }
                    }
                }
            }
            if (x.length < 7) {
                System.out.println("row " + (i + 1) + ": " + x.length + " fields");
                faults++;
            }
        }
        System.out.println(faults == 0 ? "clean" : "faults: " + faults);
    }
}
