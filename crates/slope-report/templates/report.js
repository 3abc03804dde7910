
"use strict";
(() => {
  // The page reads well without this script, but for its plots and the pages of trials. All text from
  // outside becomes text nodes; nothing here makes markup of it.
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("page-data").textContent);
  const live = byId("live");

  /** An element with attributes and children; strings become text. */
  function el(name, attributes, ...children) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (typeof value === "function") node.addEventListener(key, value);
      else if (value === true) node.setAttribute(key, "");
      else if (value !== false && value !== null && value !== undefined) node.setAttribute(key, value);
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return node;
  }

  const MISSING = "–";
  const GLYPHS = ["●", "■", "▲", "◆"];
  const SYMBOLS = ["circle", "rect", "triangle", "diamond"];

  /** A number with commas between thousands and so many digits behind the point. */
  function number(value, digits) {
    if (value === null || value === undefined) return MISSING;
    const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    return value.toLocaleString("en-US", options).replace("-", "−");
  }

  const plural = (count, noun) => `${number(count, 0)} ${noun}${count === 1 ? "" : "s"}`;

  // ---------------------------------------------------------------- plots

  const probe = el("span", { hidden: true });
  document.body.append(probe);

  /** The page's colour of this name, as it is now. */
  function color(name) {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  }

  const plots = new Map();
  const hidden = new Map();

  const shown = (spec, at) => {
    const off = hidden.get(spec.legend);
    return !off || !off.has(at);
  };

  const seriesColor = (spec, series) => color((spec.form === "stack" ? "t" : "s") + series.color);

  function intervalText(spec, series, at) {
    const low = series.low[at], high = series.high[at];
    if (low === null || low === undefined) return "";
    return ` (${number(low, spec.decimals)}–${number(high, spec.decimals)})`;
  }

  /** Where a plot's rows or columns are, and what they are called. */
  const places = (spec) => spec.form === "interval"
    ? spec.x.flatMap((name) => spec.series.map(() => name))
    : spec.x;

  /** The series with a value at a place: its number, and its own place. */
  function valuesAt(spec, place) {
    const own = (at) => spec.form !== "interval" ? place
      : place % spec.series.length === at ? Math.floor(place / spec.series.length) : -1;
    return spec.series
      .map((series, at) => ({ series, at, place: own(at) }))
      .filter(({ series, at, place: own }) => own >= 0 && shown(spec, at)
        && series.values[own] !== null && series.values[own] !== undefined);
  }

  /** What a plot says at a place, as an element. */
  function tip(spec, place) {
    const head = spec.form === "interval" ? places(spec)[place] : `${spec.x_name} ${spec.x[place]}`;
    const rows = valuesAt(spec, place).map(({ series, place: own }) => {
      const glyph = el("span", { class: "glyph", "aria-hidden": "true" }, spec.form === "stack" ? "■" : GLYPHS[series.shape]);
      glyph.style.color = seriesColor(spec, series);
      const text = number(series.values[own], spec.decimals) + intervalText(spec, series, own);
      const outer = series.outer_low[own] === null || series.outer_low[own] === undefined ? ""
        : `; by problem ${number(series.outer_low[own], spec.decimals)}–${number(series.outer_high[own], spec.decimals)}`;
      return el("p", {}, glyph, `${series.name}: `, el("b", {}, text), outer);
    });
    return el("div", { class: "tip" }, el("p", { class: "where" }, head), rows);
  }

  const short = (value) => {
    const size = Math.abs(value);
    if (size >= 1e6) return `${Number((value / 1e6).toFixed(2))} M`;
    if (size >= 1e4) return `${Number((value / 1e3).toFixed(1))} k`;
    return Number(value.toFixed(6)).toLocaleString("en-US", { maximumFractionDigits: 6 });
  };

  /** Shares end at their whole, unless all are small. */
  function whole(spec) {
    const largest = Math.max(...spec.series.flatMap((series) => [...series.values, ...series.high]));
    if (largest === 0 && spec.y_name === "0–1") return { max: 1 };
    return spec.y_name.startsWith("%") && largest > 60 ? { max: 100, interval: 25 } : {};
  }

  function axes(spec) {
    const text = { color: color("chart-text"), fontSize: 12 };
    const names = places(spec);
    const isRows = spec.form === "interval";
    const category = {
      type: "category",
      data: names.map((_, at) => String(at)),
      boundaryGap: spec.form !== "lines" || names.length < 2,
      axisLine: { lineStyle: { color: color("chart-axis") } },
      axisTick: { show: !isRows },
      axisLabel: {
        ...text,
        margin: isRows ? 8 : 12,
        hideOverlap: !isRows,
        interval: isRows ? (at) => at % spec.series.length === 0 : "auto",
        formatter: (at) => names[Number(at)],
      },
      inverse: isRows,
    };
    const value = {
      type: "value",
      min: 0,
      minInterval: spec.decimals === 0 ? 1 : undefined,
      splitNumber: 4,
      ...whole(spec),
      axisLine: { show: false },
      axisTick: { show: false },
      splitLine: { lineStyle: { color: color("chart-grid") } },
      axisLabel: { ...text, hideOverlap: true, formatter: short },
    };
    const named = (axis, name, gap) =>
      ({ ...axis, name, nameLocation: "middle", nameGap: gap, nameTextStyle: text });
    if (isRows) return { xAxis: named(value, spec.y_name, 28), yAxis: category };
    const top = { ...value, name: spec.y_name, nameLocation: "end", nameGap: 12, nameTextStyle: { ...text, align: "left" } };
    return { xAxis: named(category, spec.x_name, 34), yAxis: top };
  }

  /** A line with a band where there are intervals. */
  function lineSeries(spec, series, at) {
    const own = seriesColor(spec, series);
    const name = String(at);
    const line = {
      id: `s${at}`, name, type: "line", data: series.values, symbol: SYMBOLS[series.shape], symbolSize: 7,
      showAllSymbol: true, itemStyle: { color: own }, lineStyle: { color: own, width: 2 }, z: 3,
    };
    const has = series.low.some((value) => value !== null);
    if (!has || spec.series.length > 4) return [line];
    const edge = {
      name, type: "line", stack: `band${at}`, symbol: "none", silent: true, lineStyle: { opacity: 0 },
      itemStyle: { opacity: 0 }, emphasis: { disabled: true }, z: 1,
    };
    const width = series.high.map((high, place) => high === null ? null : high - series.low[place]);
    return [
      { ...edge, id: `l${at}`, data: series.low },
      { ...edge, id: `w${at}`, data: width, areaStyle: { color: own, opacity: 0.13 } },
      line,
    ];
  }

  const barSeries = (spec, series, at) => [{
    id: `s${at}`, name: String(at), type: "bar", stack: "all", data: series.values, barMaxWidth: 36,
    itemStyle: { color: seriesColor(spec, series), borderColor: color("panel"), borderWidth: 0.5 },
    emphasis: { disabled: true },
  }];

  /** Rows: a point, a thin line for its interval and a broad one for that over problems. */
  function rowSeries(spec, series, at) {
    const own = seriesColor(spec, series);
    const name = String(at);
    const row = (place) => place * spec.series.length + at;
    const ends = (low, high) => series.values.flatMap((_, place) =>
      low[place] === null || low[place] === undefined ? []
        : [[low[place], row(place)], [high[place], row(place)], ["-", row(place)]]);
    const line = (id, low, high, width, opacity) => ({
      id: id + at, name, type: "line", data: ends(low, high), showSymbol: false, symbol: "none", silent: true,
      lineStyle: { color: own, width, opacity, cap: "round" }, itemStyle: { color: own }, emphasis: { disabled: true },
    });
    const points = series.values.flatMap((value, place) => value === null ? [] : [[value, row(place)]]);
    return [
      line("o", series.outer_low, series.outer_high, 9, 0.25),
      line("i", series.low, series.high, 2, 1),
      { id: `s${at}`, name, type: "scatter", data: points, symbol: SYMBOLS[series.shape], symbolSize: 10, itemStyle: { color: own }, z: 5 },
    ];
  }

  const SERIES = { lines: lineSeries, stack: barSeries, interval: rowSeries };

  function option(spec) {
    const off = Object.fromEntries(spec.series.map((_, at) => [String(at), shown(spec, at)]));
    return {
      animation: false,
      textStyle: { fontFamily: getComputedStyle(document.body).fontFamily },
      grid: { left: 4, right: 14, top: 8, bottom: 4, outerBoundsMode: "same", outerBoundsContain: "all" },
      legend: { show: false, selected: off },
      tooltip: {
        trigger: "axis",
        confine: true,
        transitionDuration: 0,
        backgroundColor: color("panel"),
        borderColor: color("line"),
        textStyle: { color: color("ink"), fontSize: 12.5 },
        axisPointer: {
          type: spec.form === "lines" ? "line" : "shadow", axis: spec.form === "interval" ? "y" : "x",
          lineStyle: { color: color("chart-axis") }, shadowStyle: { color: color("chart-axis"), opacity: 0.18 },
        },
        formatter: (all) => {
          const place = Number([all].flat()[0].axisValue);
          return tip(spec, place);
        },
      },
      ...axes(spec),
      series: spec.series.flatMap((series, at) => SERIES[spec.form](spec, series, at)),
    };
  }

  function draw(plot) {
    if (plot.chart || plot.node.clientWidth === 0) return;
    plot.chart = echarts.init(plot.node, null, { renderer: "svg" });
    plot.chart.setOption(option(plot.spec));
  }

  const drawn = () => [...plots.values()].filter((plot) => plot.chart);
  const restyle = () => drawn().forEach((plot) => plot.chart.setOption(option(plot.spec), true));

  // What the theme was before the page is printed; undefined while it is not.
  let before;

  const near = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting) draw(plots.get(entry.target));
  }, { rootMargin: "300px" });
  const sized = new ResizeObserver((entries) => {
    for (const entry of entries) {
      const plot = plots.get(entry.target);
      const isSeen = plot && plot.chart && entry.contentRect.width > 0;
      if (isSeen && before === undefined) plot.chart.resize();
    }
  });

  /** Draws what is on the view and not near the screen while nothing else is to do. */
  function drawRest(deadline) {
    const next = () => [...plots.values()].find((plot) => !plot.chart && plot.node.clientWidth > 0);
    let plot = next();
    while (plot && deadline.timeRemaining() > 4) {
      draw(plot);
      plot = next();
    }
    if (plot) requestIdleCallback(drawRest);
  }

  const drawLater = () => { if ("requestIdleCallback" in window) requestIdleCallback(drawRest); };

  /** The plot's tooltip at a place, said aloud, too. */
  function pointAt(plot, place) {
    const { spec, chart } = plot;
    const isRows = spec.form === "interval";
    const at = chart.convertToPixel(isRows ? { yAxisIndex: 0 } : { xAxisIndex: 0 }, place);
    const middle = isRows ? plot.node.clientWidth / 2 : plot.node.clientHeight / 2;
    chart.dispatchAction({ type: "showTip", x: isRows ? middle : at, y: isRows ? at : middle });
    const parts = [...tip(spec, place).children].map((part) => part.textContent);
    live.textContent = parts.length > 1 ? parts.join(", ") : `${parts[0]}: no value`;
  }

  function onKey(plot, event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape" && plot.chart) plot.chart.dispatchAction({ type: "hideTip" });
    if (!step || !plot.chart) return;
    event.preventDefault();
    const last = places(plot.spec).length - 1;
    plot.place = plot.place === undefined ? (step > 0 ? 0 : last) : Math.min(Math.max(plot.place + step, 0), last);
    pointAt(plot, plot.place);
  }

  /** Makes `node` the place of a plot, which is drawn when it comes near the screen. */
  function mount(node, spec) {
    const plot = { node, spec };
    plots.set(node, plot);
    node.tabIndex = 0;
    node.setAttribute("role", "img");
    node.setAttribute("aria-label", `Plot: ${spec.title}, ${spec.y_name}. Use the arrow keys to read its values. The table below it has all values.`);
    if (spec.form === "interval") node.style.height = `${places(spec).length * 24 + 60}px`;
    node.addEventListener("keydown", (event) => onKey(plot, event));
    near.observe(node);
    sized.observe(node);
  }

  function unmount(root) {
    for (const node of root.querySelectorAll(".plot")) {
      const plot = plots.get(node);
      if (plot && plot.chart) plot.chart.dispose();
      near.unobserve(node);
      sized.unobserve(node);
      plots.delete(node);
    }
    root.replaceChildren();
  }

  /** A figure with a plot and its values as a table. */
  function figure(spec) {
    const node = el("div", { class: "plot" });
    const heads = spec.x.map((name) => el("th", { scope: "col" }, name));
    const rows = spec.series.map((series) => el("tr", { class: "group" }, el("th", { scope: "row" }, series.name),
      spec.x.map((_, at) => el("td", {}, number(series.values[at], spec.decimals)))));
    const table = el("table", {},
      el("thead", {}, el("tr", {}, el("th", { scope: "col", class: "text" }, spec.x_name), heads)), el("tbody", {}, rows));
    const box = el("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": `Values of ${spec.title}` }, table);
    const made = el("figure", {}, el("figcaption", {}, el("h3", {}, spec.title)),
      spec.series.some((series) => series.values.some((value) => value !== null)) ? node
        : el("p", { class: "empty" }, "No checkpoint has a value."),
      el("details", {}, el("summary", {}, "Values"), box));
    mount(node, spec);
    return made;
  }

  // ---------------------------------------------------------------- legends

  function toggle(group, at, button) {
    const off = hidden.get(group) || new Set();
    hidden.set(group, off);
    const now = !off.has(at);
    if (now) off.add(at); else off.delete(at);
    button.setAttribute("aria-pressed", String(!now));
    for (const plot of drawn()) {
      if (plot.spec.legend === group) plot.chart.setOption(option(plot.spec), true);
    }
  }

  for (const list of document.querySelectorAll("[data-legend]")) {
    [...list.children].forEach((item, at) => {
      const button = el("button", { type: "button", "aria-pressed": "true", title: "Show or hide in the plots" });
      button.append(...item.childNodes);
      button.addEventListener("click", () => toggle(list.dataset.legend, at, button));
      item.append(button);
    });
  }

  // ---------------------------------------------------------------- trials

  const trials = new Map();
  const trial = (at) => {
    if (!trials.has(at)) trials.set(at, JSON.parse(byId(`trial-${at + 1}`).textContent));
    return trials.get(at);
  };

  const STATES = { passed: ["✓", "good"], failed: ["✗", "bad"], "agent-error": ["!", "warn"], budget: ["!", "warn"], timeout: ["!", "warn"] };
  const stateMark = (state) => {
    const [mark, tone] = STATES[state] || ["·", "faint"];
    return el("span", { class: `state ${tone}` }, el("span", { "aria-hidden": "true" }, mark), ` ${state}`);
  };
  const pieces = (excerpt) => excerpt.left_out > 0 ? `${excerpt.text}\n… ${plural(excerpt.left_out, "byte")} left out` : excerpt.text;
  const more = (count, noun) => count > 0 ? el("p", { class: "cut" }, `${plural(count, noun)} left out to keep the page small.`) : null;

  /** A part of a checkpoint's page; what a run does not hold is said to be missing. */
  function part(title, held, about, render, isOpen) {
    const has = held && "Ok" in held;
    const why = !held ? "There was no room for it on this page." : `Not there: ${held.Err}`;
    const count = has ? about(held.Ok) : "missing";
    return el("details", { class: "part", open: isOpen || !has },
      el("summary", {}, el("b", {}, title), " ", el("span", { class: "unit" }, count)),
      has ? render(held.Ok) : el("p", { class: "empty" }, why));
  }

  const specPart = (held, isOpen) => part("Spec", held, () => "what the agent was told",
    (spec) => el("pre", { class: "prose", tabindex: "0", "aria-label": "Spec" }, pieces(spec)), isOpen);

  let isSplit = false;

  /** Lines of a hunk with their numbers: [old, new, sign, text]. */
  function numbered(hunk) {
    let [old, next] = [hunk.old, hunk.new];
    return hunk.lines.map((line) => {
      const sign = line[0];
      return [sign === "+" ? "" : old++, sign === "-" ? "" : next++, sign, line.slice(1)];
    });
  }

  const SIGNS = { "+": "add", "-": "del", " ": "" };
  const unified = (hunk) => numbered(hunk).map(([old, next, sign, text]) =>
    el("tr", { class: SIGNS[sign] }, el("td", { class: "line" }, String(old)), el("td", { class: "line" }, String(next)),
      el("td", { class: "sign" }, sign), el("td", { class: "code" }, text)));

  /** Removed lines beside the added ones that took their place. */
  function split(hunk) {
    const rows = [];
    let [gone, come] = [[], []];
    const flush = () => {
      for (let at = 0; at < Math.max(gone.length, come.length); at += 1) rows.push([gone[at], come[at]]);
      [gone, come] = [[], []];
    };
    for (const line of numbered(hunk)) {
      if (line[2] === "-") gone.push(line);
      else if (line[2] === "+") come.push(line);
      else { flush(); rows.push([line, line]); }
    }
    flush();
    const cells = (line, place) => {
      const tone = line ? SIGNS[line[2]] : "none";
      return [el("td", { class: `line ${tone}` }, line ? String(line[place]) : ""), el("td", { class: `code half ${tone}` }, line ? line[3] : "")];
    };
    return rows.map(([left, right]) => el("tr", {}, cells(left, 0), cells(right, 1)));
  }

  function fileDiff(file, isOpen) {
    const KINDS = { added: "new", removed: "removed", changed: "changed" };
    const rows = file.hunks.flatMap((hunk, at) => [
      ...(at > 0 ? [el("tr", { class: "gap" }, el("td", { colspan: "4" }, "⋯"))] : []),
      ...(isSplit ? split(hunk) : unified(hunk)),
    ]);
    const label = `${isSplit ? "Side by side" : "Unified"} diff of ${file.path}`;
    return el("details", { class: "file", open: isOpen },
      el("summary", {}, el("code", {}, file.path), ` ${KINDS[file.kind]} `,
        el("span", { class: "plus" }, `+${number(file.added, 0)}`), " ", el("span", { class: "minus" }, `−${number(file.removed, 0)}`)),
      file.note ? el("p", { class: "empty" }, file.note) : null,
      rows.length ? el("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": label }, el("table", { class: isSplit ? "diff split" : "diff" }, el("tbody", {}, rows))) : null,
      more(file.left_out, "line"));
  }

  function changesPart(held, redraw, isOpen) {
    const about = (changes) => `${plural(changes.files.length, "file")}, +${number(changes.added, 0)} −${number(changes.removed, 0)} lines since the previous checkpoint`;
    return part("Changes", held, about, (changes) => {
      const button = el("button", { type: "button", class: "small-button", "aria-pressed": String(isSplit), click: () => { isSplit = !isSplit; redraw(); } }, "Old and new side by side");
      const files = changes.files.map((file, at) => fileDiff(file, at < 12));
      return el("div", {}, changes.files.length ? button : el("p", { class: "empty" }, "Nothing changed."), files);
    }, isOpen);
  }

  function testsPart(held, counts, isOpen) {
    const about = () => Object.entries(counts).map(([group, [passed, total]]) => `${group} ${passed}/${total}`).join(" · ") || "none";
    const list = (tests) => el("ul", { class: "ids" }, tests.map((test) => el("li", {},
      el("code", {}, test.id), test.outcome === "passed" ? null : el("span", { class: `state ${test.outcome === "unstable" ? "warn" : "bad"}` }, ` ${test.outcome}`),
      test.message ? el("pre", { tabindex: "0", "aria-label": "Why it did not pass" }, test.message) : null)));
    return part("Tests", held, about, (tests) => {
      const groups = Object.keys(counts).map((group) => {
        const own = tests.items.filter((test) => test.group === group);
        const bad = own.filter((test) => test.outcome !== "passed");
        const good = own.filter((test) => test.outcome === "passed");
        const [passed, total, unstable] = counts[group];
        return el("div", {}, el("h4", {}, `${group}: ${passed} of ${total} passed${unstable ? `, ${unstable} unstable` : ""}`),
          bad.length ? list(bad) : null,
          good.length ? el("details", {}, el("summary", {}, `${plural(good.length, "test")} that passed`), list(good)) : null);
      });
      return el("div", {}, groups.length ? groups : el("p", { class: "empty" }, "No test ran."), more(tests.left_out, "test"));
    }, isOpen);
  }

  const findingsPart = (held, isOpen) => part("Findings", held, (all) => plural(all.items.length + all.left_out, "finding"), (all) => {
    if (!all.items.length) return el("p", { class: "empty" }, "None.");
    const rows = all.items.map((found) => el("tr", { class: "group" }, el("th", { scope: "row" }, el("code", {}, found.rule)),
      el("td", { class: "text" }, found.severity || MISSING), el("td", { class: "text" }, el("code", {}, `${found.path}:${found.line}`)), el("td", { class: "text wrap-text" }, found.message)));
    const heads = ["rule", "severity", "place", "message"].map((head) => el("th", { scope: "col", class: "text" }, head));
    return el("div", {}, el("div", { class: "scroll short", role: "region", tabindex: "0", "aria-label": "Findings" },
      el("table", {}, el("thead", {}, el("tr", {}, heads)), el("tbody", {}, rows))), more(all.left_out, "finding"));
  }, isOpen);

  const stepsPart = (held, isOpen) => part("Agent's steps", held, (all) => plural(all.items.length + all.left_out, "step"), (all) => {
    const block = (kind, text) => el("div", { class: `block ${kind}` }, el("pre", { tabindex: "0", "aria-label": kind }, text));
    const steps = all.items.map((step) => el("li", {},
      el("p", { class: "who" }, step.actor),
      step.message.text ? el("p", { class: "said" }, pieces(step.message)) : null,
      step.calls.map((call) => [el("p", { class: "tool" }, "calls ", el("code", {}, call.tool)), block("call", pieces(call.arguments))]).flat(),
      step.results.filter((result) => result.text).map((result) => block("result", pieces(result)))));
    return el("div", {}, steps.length ? el("ol", { class: "steps" }, steps) : el("p", { class: "empty" }, "None."), more(all.left_out, "step"));
  }, isOpen);

  /** All of a checkpoint. */
  function checkpointPage(of, at, redraw, isWhole) {
    const checkpoint = of.checkpoints[at];
    if (!checkpoint) return el("p", { class: "empty" }, "This trial has no such checkpoint.");
    const detail = checkpoint.detail || {};
    const numbers = data.metrics.map((metric, place) => el("div", {}, el("dt", {}, metric.title + (metric.unit ? `, ${metric.unit}` : "")),
      el("dd", {}, number(checkpoint.metrics[place], metric.decimals))));
    return el("div", { class: "checkpoint" },
      el("h3", {}, checkpoint.name, " ", stateMark(checkpoint.state)),
      checkpoint.reason ? el("p", { class: "warning" }, checkpoint.reason) : null,
      checkpoint.integrity.length ? el("ul", { class: "ids" }, checkpoint.integrity.map((text) => el("li", {}, text))) : null,
      el("dl", { class: "facts" }, numbers),
      specPart(detail.spec, false),
      changesPart(detail.changes, redraw, true),
      testsPart(detail.tests, checkpoint.counts, isWhole),
      findingsPart(detail.findings, false),
      stepsPart(detail.steps, false));
  }

  /** Plots of trials over their checkpoints. */
  function trialPlots(all) {
    const length = Math.max(...all.map((of) => of.checkpoints.length));
    const x = Array.from({ length }, (_, at) => String(at + 1));
    const empty = { low: [], high: [], outer_low: [], outer_high: [] };
    const base = { form: "lines", x, x_name: "checkpoint", legend: "none" };
    const passing = all.map((of, at) => ({
      ...empty, name: of.name, color: at, shape: at,
      values: x.map((_, place) => {
        const counts = Object.values((of.checkpoints[place] || { counts: {} }).counts);
        const [passed, total] = counts.reduce((sum, count) => [sum[0] + count[0], sum[1] + count[1] - count[2]], [0, 0]);
        return total ? 100 * passed / total : null;
      }),
    }));
    const metrics = data.metrics.map((metric, place) => ({
      ...base, title: metric.title, y_name: metric.unit || metric.title.toLowerCase(), decimals: metric.decimals,
      series: all.map((of, at) => ({
        ...empty, name: of.name, color: at, shape: at,
        values: x.map((_, index) => of.checkpoints[index] ? of.checkpoints[index].metrics[place] : null),
      })),
    }));
    return [{ ...base, title: "Tests passed", y_name: "% of stable tests", decimals: 1, series: passing }, ...metrics].map(figure);
  }

  function testsPlot(of) {
    const names = data.test_parts;
    const groups = names.slice(0, 4);
    const values = (name) => of.checkpoints.map(({ counts }) => {
      const all = Object.values(counts);
      const unstable = all.reduce((sum, count) => sum + count[2], 0);
      const found = groups.includes(name) ? (counts[name] || [0])[0]
        : name === "unstable" ? unstable : all.reduce((sum, count) => sum + count[1] - count[0], 0) - unstable;
      return found > 0 ? found : null;
    });
    return figure({
      form: "stack", title: "Tests by group", x: of.checkpoints.map((_, at) => String(at + 1)), x_name: "checkpoint", y_name: "tests", decimals: 0, legend: "none",
      series: names.map((name, at) => ({ name, color: at, shape: 1, values: values(name), low: [], high: [], outer_low: [], outer_high: [] })),
    });
  }

  const partsLegend = () => el("ul", { class: "legend" }, data.test_parts.map((name, at) => {
    const swatch = el("span", { class: "swatch", "aria-hidden": "true" });
    swatch.style.background = `var(--t${at})`;
    return el("li", {}, swatch, name);
  }));

  /** Tabs for checkpoints; arrow keys go from one to the next. */
  function tabs(labels, chosen, onChoose) {
    const list = el("div", { class: "tabs", role: "tablist", "aria-label": "Checkpoints" });
    const choose = (at, isFocused) => {
      [...list.children].forEach((tab, place) => {
        tab.setAttribute("aria-selected", String(place === at));
        tab.tabIndex = place === at ? 0 : -1;
      });
      if (isFocused) list.children[at].focus();
      onChoose(at);
    };
    labels.forEach((label, at) => {
      const tab = el("button", { type: "button", role: "tab", id: `tab-${at + 1}`, "aria-controls": "checkpoint-panel" }, label);
      tab.addEventListener("click", () => choose(at, false));
      tab.addEventListener("keydown", (event) => {
        const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: labels.length - 1 }[event.key];
        if (to === undefined || to < 0 || to >= labels.length) return;
        event.preventDefault();
        choose(to, true);
      });
      list.append(tab);
    });
    return { list, choose: () => choose(Math.min(Math.max(chosen, 0), labels.length - 1), false) };
  }

  const chooser = (label, chosen, onChange) => {
    const select = el("select", { change: (event) => onChange(Number(event.target.value)) },
      data.trials.map((name, at) => el("option", { value: String(at), selected: at === chosen }, name)));
    return el("label", { class: "chooser" }, `${label} `, select);
  };

  const panel = () => el("div", { id: "checkpoint-panel", role: "tabpanel", tabindex: "0" });
  const go = (hash) => { location.hash = hash; };
  const rename = (hash) => history.replaceState(null, "", `#${hash}`);

  function showTrial(at, checkpoint) {
    const view = byId("view-trial");
    const of = trial(at);
    unmount(view);
    const place = panel();
    const redraw = (chosen) => {
      rename(`trial-${at + 1}/${chosen + 1}`);
      place.setAttribute("aria-labelledby", `tab-${chosen + 1}`);
      place.replaceChildren(checkpointPage(of, chosen, () => redraw(chosen), true));
    };
    const labels = of.checkpoints.map((one) => [one.name, " ", stateMark(one.state)]).map((label) => el("span", {}, label));
    const all = tabs(labels, checkpoint, redraw);
    const other = (at + 1) % data.trials.length;
    view.append(
      el("div", { class: "bar" }, chooser("Trial", at, (to) => go(`trial-${to + 1}`)),
        data.trials.length > 1 ? el("a", { href: `#compare-${at + 1}-${other + 1}` }, "Compare with another trial") : null),
      el("h2", { tabindex: "-1" }, of.name));
    if (of.note) view.append(el("p", { class: "warning" }, of.note));
    if (!of.checkpoints.length) {
      view.append(el("p", { class: "empty" }, "This trial has no checkpoint."));
      return;
    }
    view.append(partsLegend(), el("div", { class: "charts small" }, testsPlot(of), trialPlots([of]).slice(1)), all.list, place);
    all.choose();
  }

  function showCompare(left, right, checkpoint) {
    const view = byId("view-compare");
    unmount(view);
    const both = [left, right];
    const of = both.map(trial);
    const at = (side, to) => go(`compare-${(side === 0 ? to : left) + 1}-${(side === 1 ? to : right) + 1}`);
    const place = panel();
    const redraw = (chosen) => {
      rename(`compare-${left + 1}-${right + 1}/${chosen + 1}`);
      place.setAttribute("aria-labelledby", `tab-${chosen + 1}`);
      const sides = of.map((one, side) => el("section", { class: "side", "aria-label": one.name },
        el("h3", { class: "whose" }, legendGlyph(side), one.name), checkpointPage(one, chosen, () => redraw(chosen), false)));
      place.replaceChildren(el("div", { class: "sides" }, sides));
    };
    const length = Math.max(...of.map((one) => one.checkpoints.length));
    view.append(
      el("h2", { tabindex: "-1" }, "Side by side"),
      el("div", { class: "bar" }, chooser("Left", left, (to) => at(0, to)), chooser("Right", right, (to) => at(1, to))));
    if (of[0].problem !== of[1].problem) view.append(el("p", { class: "warning" }, "These trials are of different problems; their checkpoints have nothing in common but their number."));
    if (!length) {
      view.append(el("p", { class: "empty" }, "Neither trial has a checkpoint."));
      return;
    }
    const names = Array.from({ length }, (_, index) => (of[0].checkpoints[index] || of[1].checkpoints[index]).name);
    const all = tabs(names, checkpoint, redraw);
    view.append(el("ul", { class: "legend" }, of.map((one, side) => el("li", {}, legendGlyph(side), one.name))),
      el("div", { class: "charts small" }, trialPlots(of)), all.list, place);
    all.choose();
  }

  function legendGlyph(side) {
    const glyph = el("span", { class: "glyph", "aria-hidden": "true" }, GLYPHS[side]);
    glyph.style.color = `var(--s${side})`;
    return glyph;
  }

  // ---------------------------------------------------------------- views

  const VIEWS = ["overview", "trial", "compare"];
  function show(name) {
    for (const view of VIEWS) byId(`view-${view}`).hidden = view !== name;
    // What is made for an address goes with it: an id (a tab's, a panel's) is there once.
    for (const view of VIEWS) if (view !== name && view !== "overview") unmount(byId(`view-${view}`));
    for (const link of document.querySelectorAll("[data-view]")) {
      if (link.dataset.view === name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    byId("sections").hidden = name !== "overview";
  }

  function route() {
    const hash = location.hash.slice(1);
    const known = (text) => Math.min(Math.max(Number(text) - 1, 0), data.trials.length - 1);
    const one = /^trial-(\d+)(?:\/(\d+))?$/.exec(hash);
    const two = /^compare(?:-(\d+)-(\d+))?(?:\/(\d+))?$/.exec(hash);
    if ((one || two) && !data.trials.length) return show("overview");
    if (one) {
      show("trial");
      showTrial(known(one[1]), Number(one[2] || 1) - 1);
    } else if (two) {
      show("compare");
      showCompare(known(two[1] || 1), known(two[2] || 2), Number(two[3] || 1) - 1);
    } else {
      const was = byId("view-overview").hidden;
      show("overview");
      const target = hash && byId(hash);
      if (was && target) target.scrollIntoView();
      return undefined;
    }
    scrollTo(0, 0);
    drawLater();
    byId(one ? "view-trial" : "view-compare").querySelector("h2").focus({ preventScroll: true });
    return undefined;
  }

  // ---------------------------------------------------------------- light, dark, paper

  const root = document.documentElement;
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : prefersDark.matches;
  const button = byId("theme");
  const say = () => { button.textContent = isDark() ? "Light" : "Dark"; };
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    say();
    restyle();
  });
  prefersDark.addEventListener("change", () => { say(); restyle(); });
  say();

  // On paper a drawing is as wide as its column, whatever that is: it is drawn in one size and scaled.
  const paper = (plot) => plot.node.closest(".wide") ? [720, plot.node.clientHeight] : [360, 230];
  addEventListener("beforeprint", () => {
    before = root.dataset.theme || "";
    root.dataset.theme = "light";
    for (const plot of plots.values()) draw(plot);
    for (const plot of drawn()) {
      const [width, height] = paper(plot);
      // Options are drawn at once, another size only with the next frame.
      plot.chart.resize({ width, height });
      plot.chart.setOption(option(plot.spec), true);
      plot.node.querySelector("svg").setAttribute("viewBox", `0 0 ${width} ${height}`);
      plot.node.classList.add("on-paper");
    }
  });
  addEventListener("afterprint", () => {
    if (before) root.dataset.theme = before; else delete root.dataset.theme;
    before = undefined;
    for (const plot of drawn()) {
      plot.node.classList.remove("on-paper");
      plot.node.querySelector("svg").removeAttribute("viewBox");
      plot.chart.resize({ width: "auto", height: "auto" });
    }
    restyle();
  });

  for (const node of document.querySelectorAll("[data-plot]")) mount(node, data.plots[node.dataset.plot]);
  addEventListener("hashchange", route);
  route();
  drawLater();
  root.dataset.ready = "true";
})();
