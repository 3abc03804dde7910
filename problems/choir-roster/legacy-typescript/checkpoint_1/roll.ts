const fs = require("fs");

let file: any = null;
let result = "";

function load(): any {
  const text = fs.readFileSync(file, "utf8");
  let data: any = null;
  try {
    data = JSON.parse(text);
  } catch (e) {
    process.stderr.write("not JSON: " + file + "\n");
    process.exit(1);
  }
  if (data === null || data === undefined || typeof data !== "object") {
    data = {};
  }
  if (data.singers === null || data.singers === undefined) {
    data.singers = [];
  }
  if (data.rehearsals === null || data.rehearsals === undefined) {
    data.rehearsals = [];
  }
  return data;
}

function attendance(data: any) {
  const seen: any[] = [];
  for (let i = 0; i < data.singers.length; i++) {
    const s = data.singers[i];
    if (s === null || s === undefined) {
      continue;
    }
    if (s.name === null || s.name === undefined || s.name === "") {
      continue;
    }
    if (seen.indexOf(s.name) >= 0) {
      continue;
    }
    seen.push(s.name);
    let there = 0;
    let late = 0;
    let all = 0;
    for (let j = 0; j < data.rehearsals.length; j++) {
      const r = data.rehearsals[j];
      if (r === null || r === undefined) {
        continue;
      }
      if (r.date === null || r.date === undefined || r.date === "") {
        continue;
      }
      if (s.since !== null && s.since !== undefined && s.since !== "") {
        if (r.date < s.since) {
          continue;
        }
      }
      all = all + 1;
      if (r.present !== null && r.present !== undefined) {
        let found = false;
        for (let k = 0; k < r.present.length; k++) {
          if (r.present[k] === s.name) {
            found = true;
          }
        }
        if (found) {
          there = there + 1;
        }
      }
      if (r.late !== null && r.late !== undefined) {
        let found = false;
        for (let k = 0; k < r.late.length; k++) {
          if (r.late[k] === s.name) {
            found = true;
          }
        }
        if (found) {
          late = late + 1;
        }
      }
    }
    let percent = 0;
    if (all > 0) {
      percent = Math.floor((there * 100) / all);
    }
    let mark = "";
    if (all > 0 && percent < 50) {
      mark = " !";
    } else if (all > 0 && percent === 100 && late === 0) {
      mark = " *";
    }
    let part = s.part;
    if (part === "S" || part === "s") {
      part = "soprano";
    } else if (part === "A" || part === "a") {
      part = "alto";
    } else if (part === "T" || part === "t") {
      part = "tenor";
    } else if (part === "B" || part === "b") {
      part = "bass";
    } else {
      part = "no part";
    }
    result = result + s.name + " (" + part + "): " + there + " of " + all + ", late " + late + ", " + percent + " %" + mark + "\n";
  }
  if (seen.length === 0) {
    result = result + "nobody\n";
  }
}

function parts(data: any) {
  let s = 0;
  let a = 0;
  let t = 0;
  let b = 0;
  let n = 0;
  const seen: any[] = [];
  for (let i = 0; i < data.singers.length; i++) {
    const x = data.singers[i];
    if (x === null || x === undefined) {
      continue;
    }
    if (x.name === null || x.name === undefined || x.name === "") {
      continue;
    }
    if (seen.indexOf(x.name) >= 0) {
      continue;
    }
    seen.push(x.name);
    if (x.part === "S" || x.part === "s") {
      s++;
    } else if (x.part === "A" || x.part === "a") {
      a++;
    } else if (x.part === "T" || x.part === "t") {
      t++;
    } else if (x.part === "B" || x.part === "b") {
      b++;
    } else {
      n++;
    }
  }
  if (s > 0) {
    result = result + "soprano " + s + "\n";
  }
  if (a > 0) {
    result = result + "alto " + a + "\n";
  }
  if (t > 0) {
    result = result + "tenor " + t + "\n";
  }
  if (b > 0) {
    result = result + "bass " + b + "\n";
  }
  if (n > 0) {
    result = result + "no part " + n + "\n";
  }
  for (let j = 0; j < data.rehearsals.length; j++) {
    const r = data.rehearsals[j];
    if (r === null || r === undefined || r.date === null || r.date === undefined || r.date === "") {
      continue;
    }
    let rs = 0;
    let ra = 0;
    let rt = 0;
    let rb = 0;
    if (r.present !== null && r.present !== undefined) {
      for (let k = 0; k < r.present.length; k++) {
        const again = load();
        let part: any = null;
        for (let i = 0; i < again.singers.length; i++) {
          const x = again.singers[i];
          if (x !== null && x !== undefined && x.name === r.present[k] && part === null && x.name !== "") {
            part = x.part === undefined || x.part === null ? "?" : x.part;
          }
        }
        if (part === "S" || part === "s") {
          rs++;
        }
        if (part === "A" || part === "a") {
          ra++;
        }
        if (part === "T" || part === "t") {
          rt++;
        }
        if (part === "B" || part === "b") {
          rb++;
        }
      }
    }
    let lacks = "";
    if (rs === 0) {
      lacks = lacks + (lacks === "" ? "" : ", ") + "soprano";
    }
    if (ra === 0) {
      lacks = lacks + (lacks === "" ? "" : ", ") + "alto";
    }
    if (rt === 0) {
      lacks = lacks + (lacks === "" ? "" : ", ") + "tenor";
    }
    if (rb === 0) {
      lacks = lacks + (lacks === "" ? "" : ", ") + "bass";
    }
    if (lacks !== "") {
      result = result + r.date + " lacks " + lacks + "\n";
    }
  }
}

function missing(data: any, date: any) {
  let hit: any = null;
  for (let j = 0; j < data.rehearsals.length; j++) {
    const r = data.rehearsals[j];
    if (r !== null && r !== undefined && r.date === date) {
      hit = r;
    }
  }
  if (hit === null) {
    process.stderr.write("no rehearsal on " + date + "\n");
    process.exit(1);
  }
  const seen: any[] = [];
  let count = 0;
  for (let i = 0; i < data.singers.length; i++) {
    const s = data.singers[i];
    if (s === null || s === undefined) {
      continue;
    }
    if (s.name === null || s.name === undefined || s.name === "") {
      continue;
    }
    if (seen.indexOf(s.name) >= 0) {
      continue;
    }
    seen.push(s.name);
    if (s.since !== null && s.since !== undefined && s.since !== "") {
      if (date < s.since) {
        continue;
      }
    }
    let found = false;
    if (hit.present !== null && hit.present !== undefined) {
      for (let k = 0; k < hit.present.length; k++) {
        if (hit.present[k] === s.name) {
          found = true;
        }
      }
    }
    if (!found) {
      result = result + s.name + "\n";
      count++;
    }
  }
  if (count === 0) {
    result = result + "all there\n";
  }
}

function pairs(data: any) {
  const names: any[] = [];
  for (let j = 0; j < data.rehearsals.length; j++) {
    const r = data.rehearsals[j];
    if (r !== null && r !== undefined && r.present !== null && r.present !== undefined) {
      for (let k = 0; k < r.present.length; k++) {
        if (r.present[k] !== null && r.present[k] !== undefined && r.present[k] !== "") {
          if (names.indexOf(r.present[k]) < 0) {
            names.push(r.present[k]);
          }
        }
      }
    }
  }
  names.sort();
  let best = 0;
  let first: any = null;
  let second: any = null;
  for (let a = 0; a < names.length; a++) {
    for (let b = a + 1; b < names.length; b++) {
      let together = 0;
      for (let j = 0; j < data.rehearsals.length; j++) {
        const r = data.rehearsals[j];
        if (r !== null && r !== undefined && r.present !== null && r.present !== undefined) {
          if (r.present.indexOf(names[a]) >= 0 && r.present.indexOf(names[b]) >= 0) {
            together++;
          }
        }
      }
      if (together > best) {
        best = together;
        first = names[a];
        second = names[b];
      }
    }
  }
  if (best === 0) {
    result = result + "no pair\n";
  } else {
    result = result + first + " and " + second + ": " + best + (best === 1 ? " time\n" : " times\n");
  }
}

const argv = process.argv.slice(2);
if (argv.length < 2) {
  process.stderr.write("usage: attendance|parts|pairs FILE, missing FILE DATE\n");
  process.exit(2);
}
file = argv[1];
if (!fs.existsSync(file)) {
  process.stderr.write("no such file: " + file + "\n");
  process.exit(1);
}
if (argv[0] === "attendance") {
  const data = load();
  attendance(data);
} else if (argv[0] === "parts") {
  const data = load();
  parts(data);
} else if (argv[0] === "missing") {
  if (argv.length < 3) {
    process.stderr.write("usage: attendance|parts|pairs FILE, missing FILE DATE\n");
    process.exit(2);
  }
  const data = load();
  missing(data, argv[2]);
} else if (argv[0] === "pairs") {
  const data = load();
  pairs(data);
} else {
  process.stderr.write("usage: attendance|parts|pairs FILE, missing FILE DATE\n");
  process.exit(2);
}
process.stdout.write(result);
