//! Copies of functions in each language.

use crate::common::Repo;
use slope_gate::Head;
use slope_model::gate::GateRule;

/// A function `original` for each language, with calls, branches and texts.
const FUNCTIONS: &[(&str, &str)] = &[
    (
        "py",
        "def original(rows, limit):\n    total = 0\n    for row in rows:\n        if row > limit:\n            total += limit\n        elif row < 0:\n            continue\n        else:\n            total += check(row)\n            report(\"row\", row)\n    print(\"total\", total)\n    return total\n",
    ),
    (
        "sh",
        "original() {\n  local target=\"$1\"\n  local mode=\"$2\"\n  if [ -z \"$target\" ]; then\n    echo \"no target\"\n    return 1\n  fi\n  for file in \"$target\"/*.txt; do\n    cp \"$file\" \"/srv/$mode/\"\n    chmod 644 \"$file\"\n  done\n  if [ \"$mode\" = fast ]; then\n    sync\n  fi\n  echo \"done $target\"\n}\n",
    ),
    (
        "swift",
        "func original(rows: [Int], limit: Int) -> Int {\n    var total = 0\n    for row in rows {\n        if row > limit {\n            total += limit\n        } else if row < 0 {\n            continue\n        } else {\n            total += check(row)\n            report(\"row\", row)\n        }\n    }\n    print(\"total\", total)\n    return total\n}\n",
    ),
    (
        "c",
        "int original(int *rows, int limit) {\n  int total = 0;\n  for (int i = 0; i < 10; i++) {\n    if (rows[i] > limit) {\n      total += limit;\n    } else if (rows[i] < 0) {\n      continue;\n    } else {\n      total += check(rows[i]);\n      report(\"row\", rows[i]);\n    }\n  }\n  printf(\"total %d\", total);\n  return total;\n}\n",
    ),
    (
        "cpp",
        "int original(int *rows, int limit) {\n  int total = 0;\n  for (int i = 0; i < 10; i++) {\n    if (rows[i] > limit) {\n      total += limit;\n    } else if (rows[i] < 0) {\n      continue;\n    } else {\n      total += check(rows[i]);\n      report(\"row\", rows[i]);\n    }\n  }\n  printf(\"total %d\", total);\n  return total;\n}\n",
    ),
    (
        "cs",
        "class A {\n  int original(int[] rows, int limit) {\n    int total = 0;\n    foreach (int row in rows) {\n      if (row > limit) {\n        total += limit;\n      } else if (row < 0) {\n        continue;\n      } else {\n        total += Check(row);\n        Report(\"row\", row);\n      }\n    }\n    Print(\"total\", total);\n    return total;\n  }\n}\n",
    ),
    (
        "java",
        "class A {\n  int original(int[] rows, int limit) {\n    int total = 0;\n    for (int row : rows) {\n      if (row > limit) {\n        total += limit;\n      } else if (row < 0) {\n        continue;\n      } else {\n        total += check(row);\n        report(\"row\", row);\n      }\n    }\n    print(\"total\", total);\n    return total;\n  }\n}\n",
    ),
    (
        "go",
        "package a\n\nfunc original(rows []int, limit int) int {\n\ttotal := 0\n\tfor _, row := range rows {\n\t\tif row > limit {\n\t\t\ttotal += limit\n\t\t} else if row < 0 {\n\t\t\tcontinue\n\t\t} else {\n\t\t\ttotal += check(row)\n\t\t\treport(\"row\", row)\n\t\t}\n\t}\n\tprint(\"total\", total)\n\treturn total\n}\n",
    ),
    (
        "rs",
        "fn original(rows: &[i32], limit: i32) -> i32 {\n    let mut total = 0;\n    for &row in rows {\n        if row > limit {\n            total += limit;\n        } else if row < 0 {\n            continue;\n        } else {\n            total += check(row);\n            report(\"row\", row);\n        }\n    }\n    print(\"total\", total);\n    total\n}\n",
    ),
    (
        "js",
        "function original(rows, limit) {\n  let total = 0;\n  for (const row of rows) {\n    if (row > limit) {\n      total += limit;\n    } else if (row < 0) {\n      continue;\n    } else {\n      total += check(row);\n      report(\"row\", row);\n    }\n  }\n  console.log(\"total\", total);\n  return total;\n}\n",
    ),
    (
        "ts",
        "function original(rows: number[], limit: number): number {\n  let total = 0;\n  for (const row of rows) {\n    if (row > limit) {\n      total += limit;\n    } else if (row < 0) {\n      continue;\n    } else {\n      total += check(row);\n      report(\"row\", row);\n    }\n  }\n  console.log(\"total\", total);\n  return total;\n}\n",
    ),
    (
        "rb",
        "def original(rows, limit)\n  total = 0\n  rows.each do |row|\n    if row > limit\n      total += limit\n    elsif row < 0\n      next\n    else\n      total += check(row)\n      report(\"row\", row)\n    end\n  end\n  puts(\"total\", total)\n  total\nend\n",
    ),
    (
        "php",
        "<?php\nfunction original($rows, $limit) {\n  $total = 0;\n  foreach ($rows as $row) {\n    if ($row > $limit) {\n      $total += $limit;\n    } elseif ($row < 0) {\n      continue;\n    } else {\n      $total += check($row);\n      report(\"row\", $row);\n    }\n  }\n  show(\"total\", $total);\n  return $total;\n}\n",
    ),
    (
        "kt",
        "fun original(rows: List<Int>, limit: Int): Int {\n    var total = 0\n    for (row in rows) {\n        if (row > limit) {\n            total += limit\n        } else if (row < 0) {\n            continue\n        } else {\n            total += check(row)\n            report(\"row\", row)\n        }\n    }\n    println(\"total\", total)\n    return total\n}\n",
    ),
    (
        "scala",
        "object A {\n  def original(rows: List[Int], limit: Int): Int = {\n    var total = 0\n    for (row <- rows) {\n      if (row > limit) {\n        total += limit\n      } else if (row < 0) {\n        skip()\n      } else {\n        total += check(row)\n        report(\"row\", row)\n      }\n    }\n    println(\"total\", total)\n    total\n  }\n}\n",
    ),
    (
        "lua",
        "function original(rows, limit)\n  local total = 0\n  for _, row in ipairs(rows) do\n    if row > limit then\n      total = total + limit\n    elseif row < 0 then\n      skip()\n    else\n      total = total + check(row)\n      report(\"row\", row)\n    end\n  end\n  print(\"total\", total)\n  return total\nend\n",
    ),
    (
        "zig",
        "fn original(rows: []i32, limit: i32) i32 {\n    var total: i32 = 0;\n    for (rows) |row| {\n        if (row > limit) {\n            total += limit;\n        } else if (row < 0) {\n            continue;\n        } else {\n            total += check(row);\n            report(\"row\", row);\n        }\n    }\n    print(\"total\", total);\n    return total;\n}\n",
    ),
    (
        "hs",
        "original rows limit = do\n  let total = sum rows\n  let other = product rows\n  if total > limit\n    then do\n      report \"row\" total\n      report \"limit\" limit\n    else do\n      check other\n      report \"other\" other\n  print total\n  print other\n  return (total + other)\n",
    ),
];

#[test]
fn copies_are_the_same_code() {
    for (suffix, code) in FUNCTIONS {
        let first = format!("lib/a.{suffix}");
        let repo = Repo::new(&[(&first, code)]);
        let copy = code.replace("original", "another");
        repo.write(&[(&format!("lib/b.{suffix}"), &copy)]);
        let violations = repo.judge(None, Head::Worktree).violations;
        let messages: Vec<&str> = violations
            .iter()
            .filter(|violation| violation.rule == GateRule::NewClone)
            .map(|violation| violation.message.as_str())
            .collect();
        let [message] = messages[..] else {
            panic!("{suffix}: {messages:?}")
        };
        assert!(
            message.contains("is the same code as"),
            "{suffix}: {message}"
        );
    }
}
