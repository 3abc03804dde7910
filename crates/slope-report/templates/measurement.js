
"use strict";
// Sorting and filtering of tables; the page reads well without it.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const key = (row, column) => {
    const cell = row.cells[column];
    return "value" in cell.dataset ? Number(cell.dataset.value) : cell.textContent;
  };
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const rows = [...body.rows];
      const numbers = rows.some((row) => typeof key(row, column) === "number");
      const now = head.getAttribute("aria-sort");
      // Numbers begin with the largest, words with the first.
      const down = now ? now === "ascending" : numbers;
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      rows.sort((a, b) => {
        const [x, y] = [key(a, column), key(b, column)];
        const order = typeof x === "number" && typeof y === "number" ? x - y
          : typeof x === "number" ? 1 : typeof y === "number" ? -1 : x.localeCompare(y);
        return down ? -order : order;
      });
      body.append(...rows);
    });
  });
  if (body.rows.length > 12) {
    const input = document.createElement("input");
    input.type = "search";
    input.className = "filter";
    input.placeholder = "Filter rows";
    input.setAttribute("aria-label", "Filter rows of " + table.caption.textContent);
    input.addEventListener("input", () => {
      const wanted = input.value.toLowerCase();
      for (const row of body.rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
    });
    table.parentElement.before(input);
  }
}
