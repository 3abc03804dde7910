const fs = require("fs");

const state: any = { rows: [], out: [], errors: 0 };

function readAll(path: any) {
  if (path === undefined || path === null || path === "") {
    console.error("no file given");
    process.exit(2);
  }
  let text: any = null;
  try {
    text = fs.readFileSync(path, "utf8");
  } catch (e) {
    console.error("cannot read " + path);
    process.exit(1);
  }
  const lines = text.split("\n");
  for (let i = 0; i < lines.length; i++) {
    let line = lines[i];
    if (line === undefined || line === null) {
      continue;
    }
    line = line.trim();
    if (line === "") {
      continue;
    }
    state.rows.push(line);
  }
}

function fees() {
  const traders: any = {};
  const order: any[] = [];
  for (let i = 0; i < state.rows.length; i++) {
    let row: any = null;
    try {
      row = JSON.parse(state.rows[i]);
    } catch (e) {
      state.errors++;
      continue;
    }
    if (row === null || typeof row !== "object" || Array.isArray(row)) {
      state.errors++;
      continue;
    }
    if (row.trader === undefined || row.trader === null || row.trader === "") {
      state.errors++;
      continue;
    }
    if (order.indexOf(row.trader) < 0) {
      order.push(row.trader);
    }
  }
  order.sort();
  for (let t = 0; t < order.length; t++) {
    let days = 0;
    let cents = 0;
    let goods: any[] = [];
    for (let i = 0; i < state.rows.length; i++) {
      let row: any = null;
      try {
        row = JSON.parse(state.rows[i]);
      } catch (e) {
        continue;
      }
      if (row === null || typeof row !== "object" || Array.isArray(row)) {
        continue;
      }
      if (row.trader === undefined || row.trader === null || row.trader === "") {
        continue;
      }
      if (row.trader !== order[t]) {
        continue;
      }
      days = days + 1;
      let metres = 1;
      if (row.metres !== undefined && row.metres !== null) {
        if (typeof row.metres === "number" && row.metres > 0) {
          metres = Math.ceil(row.metres);
        }
      }
      if (row.kind === "food") {
        let fee = metres * 450;
        if (row.power === true) {
          fee = fee + 600;
        }
        if (row.day === "sat" || row.day === "sun") {
          fee = fee + Math.floor(fee / 4);
        }
        cents = cents + fee;
      } else if (row.kind === "craft") {
        let fee = metres * 300;
        if (row.power === true) {
          fee = fee + 600;
        }
        if (row.day === "sat" || row.day === "sun") {
          fee = fee + Math.floor(fee / 4);
        }
        cents = cents + fee;
      } else if (row.kind === "plants") {
        let fee = metres * 250;
        if (row.power === true) {
          fee = fee + 600;
        }
        if (row.day === "sat" || row.day === "sun") {
          fee = fee + Math.floor(fee / 4);
        }
        cents = cents + fee;
      } else if (row.kind === "charity") {
        let fee = 0;
        if (row.power === true) {
          fee = fee + 600;
        }
        cents = cents + fee;
      } else {
        let fee = metres * 500;
        if (row.power === true) {
          fee = fee + 600;
        }
        if (row.day === "sat" || row.day === "sun") {
          fee = fee + Math.floor(fee / 4);
        }
        cents = cents + fee;
      }
      if (row.goods !== undefined && row.goods !== null) {
        for (let g = 0; g < row.goods.length; g++) {
          if (row.goods[g] !== null && row.goods[g] !== "" && goods.indexOf(row.goods[g]) < 0) {
            goods.push(row.goods[g]);
          }
        }
      }
    }
    if (days > 3) {
      cents = cents - Math.floor(cents / 10);
    }
    let euros = "" + Math.floor(cents / 100);
    let rest = "" + (cents % 100);
    if (rest.length === 1) {
      rest = "0" + rest;
    }
    goods.sort();
    let line = order[t] + ": " + days + (days === 1 ? " day, " : " days, ") + euros + "." + rest;
    if (goods.length > 0) {
      line = line + " (" + goods.join(", ") + ")";
    }
    state.out.push(line);
  }
  if (state.errors > 0) {
    state.out.push("unusable rows: " + state.errors);
  }
  if (order.length === 0) {
    state.out.push("no traders");
  }
}

function clashes() {
  let n = 0;
  for (let i = 0; i < state.rows.length; i++) {
    for (let j = i + 1; j < state.rows.length; j++) {
      let a: any = null;
      let b: any = null;
      try {
        a = JSON.parse(state.rows[i]);
        b = JSON.parse(state.rows[j]);
      } catch (e) {
        continue;
      }
      if (a === null || b === null) {
        continue;
      }
      if (a.place === undefined || a.place === null || b.place === undefined || b.place === null) {
        continue;
      }
      if (a.date === undefined || a.date === null || b.date === undefined || b.date === null) {
        continue;
      }
      if (a.place === b.place && a.date === b.date) {
        let x = a.trader;
        if (x === undefined || x === null || x === "") {
          x = "unknown";
        }
        let y = b.trader;
        if (y === undefined || y === null || y === "") {
          y = "unknown";
        }
        if (x !== y) {
          state.out.push("place " + a.place + " on " + a.date + ": " + x + " and " + y);
          n++;
        }
      }
    }
  }
  if (n === 0) {
    state.out.push("no clash");
  }
}

function free(date: any, count: any) {
  const taken: any[] = [];
  for (let i = 0; i < state.rows.length; i++) {
    let row: any = null;
    try {
      row = JSON.parse(state.rows[i]);
    } catch (e) {
      continue;
    }
    if (row === null) {
      continue;
    }
    if (row.date === date) {
      if (row.place !== undefined && row.place !== null) {
        taken.push(row.place);
      }
    }
  }
  const n = parseInt(count, 10);
  if (isNaN(n) || n < 1) {
    console.error("not a number of places: " + count);
    process.exit(2);
  }
  let list = "";
  for (let p = 1; p <= n; p++) {
    let is = false;
    for (let t = 0; t < taken.length; t++) {
      if (taken[t] === p) {
        is = true;
      }
    }
    if (is === false) {
      if (list !== "") {
        list = list + " ";
      }
      list = list + p;
    }
  }
  if (list === "") {
    state.out.push("full");
  } else {
    state.out.push(list);
  }
}

function kinds() {
  let food = 0;
  let craft = 0;
  let plants = 0;
  let charity = 0;
  let other = 0;
  for (let i = 0; i < state.rows.length; i++) {
    let row: any = null;
    try {
      row = JSON.parse(state.rows[i]);
    } catch (e) {
      continue;
    }
    if (row === null || typeof row !== "object" || Array.isArray(row)) {
      continue;
    }
    if (row.kind === "food") {
      food++;
    } else if (row.kind === "craft") {
      craft++;
    } else if (row.kind === "plants") {
      plants++;
    } else if (row.kind === "charity") {
      charity++;
    } else {
      other++;
    }
  }
  const all = food + craft + plants + charity + other;
  if (all === 0) {
    state.out.push("no stalls");
  } else {
    if (food > 0) {
      state.out.push("food: " + food + " of " + all + ", " + Math.round((food * 100) / all) + " %");
    }
    if (craft > 0) {
      state.out.push("craft: " + craft + " of " + all + ", " + Math.round((craft * 100) / all) + " %");
    }
    if (plants > 0) {
      state.out.push("plants: " + plants + " of " + all + ", " + Math.round((plants * 100) / all) + " %");
    }
    if (charity > 0) {
      state.out.push("charity: " + charity + " of " + all + ", " + Math.round((charity * 100) / all) + " %");
    }
    if (other > 0) {
      state.out.push("other: " + other + " of " + all + ", " + Math.round((other * 100) / all) + " %");
    }
  }
}

const a = process.argv;
if (a.length < 3) {
  console.error("no command given");
  process.exit(2);
}
const command = a[2];
if (command === "fees") {
  readAll(a[3]);
  fees();
} else if (command === "clashes") {
  readAll(a[3]);
  clashes();
} else if (command === "kinds") {
  readAll(a[3]);
  kinds();
} else if (command === "free") {
  readAll(a[3]);
  if (a[4] === undefined || a[4] === null || a[5] === undefined || a[5] === null) {
    console.error("free needs a date and a number of places");
    process.exit(2);
  }
  free(a[4], a[5]);
} else {
  console.error("unknown command " + command);
  process.exit(2);
}
for (let i = 0; i < state.out.length; i++) {
  console.log(state.out[i]);
}
