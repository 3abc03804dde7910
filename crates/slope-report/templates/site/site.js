
// The address of this server in commands to copy.
for (const place of document.querySelectorAll(".origin")) place.textContent = location.origin;
// Keys: j and k move through steps or rows, h goes home.
document.addEventListener("keydown", (event) => {
  const inText = event.target.closest?.("input, textarea, select");
  if (inText || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "h") location.href = "/";
  if (event.key !== "j" && event.key !== "k") return;
  const steps = [...document.querySelectorAll(".agent-step")];
  const links = [...document.querySelectorAll("main .row .where a, main tbody th a, main tbody td a")];
  const places = steps.length ? steps : links;
  const now = places.indexOf(document.activeElement.closest?.(".agent-step") ?? document.activeElement);
  const next = event.key === "j" ? Math.min(now + 1, places.length - 1) : Math.max(now - 1, 0);
  places[next]?.focus();
  places[next]?.scrollIntoView({ block: "nearest" });
});
const notify = (text) => {
  if (document.querySelector(".notice")) return;
  const notice = document.createElement("p");
  notice.className = "notice";
  notice.setAttribute("role", "status");
  const link = document.createElement("a");
  link.href = location.href;
  link.textContent = text;
  notice.append(link);
  document.body.append(notice);
};
const { project, run } = document.body.dataset;
// A page of a run that goes on can follow it.
let follows = run !== undefined && "live" in document.body.dataset;
const renew = async () => {
  const answer = await fetch(location.href);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const open = new Set([...document.querySelectorAll("details[open] > summary")].map((one) => one.textContent));
  for (const part of ["main", "header.top"]) document.querySelector(part).replaceWith(page.querySelector(part));
  for (const one of document.querySelectorAll("details > summary")) if (open.has(one.textContent)) one.parentElement.open = true;
  if (!("live" in page.body.dataset)) follows = false;
  offer();
};
// The button that follows the run or stops following it.
const offer = () => {
  if (run === undefined || !document.querySelector(".badge.live")) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "follow";
  button.textContent = "Follow";
  button.setAttribute("aria-pressed", String(follows));
  button.addEventListener("click", () => {
    follows = !follows;
    button.setAttribute("aria-pressed", String(follows));
    if (follows) renew();
  });
  document.querySelector(".top .lead")?.append(" ", button);
};
offer();
if (project && window.EventSource) {
  const source = new EventSource("/api/v1/projects/" + encodeURIComponent(project) + "/events");
  source.addEventListener("point", () => {
    if (run === undefined) notify("A new point has arrived: show it");
  });
  let waits;
  source.addEventListener("run", (event) => {
    if (JSON.parse(event.data).key !== run) return;
    clearTimeout(waits);
    // Several changes in a second are one.
    waits = setTimeout(() => (follows ? renew() : notify("The run has changed: show it")), 500);
  });
}
