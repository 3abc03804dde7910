
// The address of this server in commands to copy.
for (const place of document.querySelectorAll(".origin")) place.textContent = location.origin;
// Keys: j and k move through rows, h goes home.
document.addEventListener("keydown", (event) => {
  const inText = event.target.closest?.("input, textarea, select");
  if (inText || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "h") location.href = "/";
  if (event.key !== "j" && event.key !== "k") return;
  const links = [...document.querySelectorAll("main .row .where a, main tbody th a, main tbody td a")];
  const now = links.indexOf(document.activeElement);
  const next = event.key === "j" ? Math.min(now + 1, links.length - 1) : Math.max(now - 1, 0);
  links[next]?.focus();
});
// A project's page says when a new point has arrived.
const project = document.body.dataset.project;
if (project && window.EventSource) {
  const source = new EventSource("/api/v1/projects/" + encodeURIComponent(project) + "/events");
  source.addEventListener("point", () => {
    if (document.querySelector(".notice")) return;
    const notice = document.createElement("p");
    notice.className = "notice";
    notice.setAttribute("role", "status");
    const link = document.createElement("a");
    link.href = location.href;
    link.textContent = "A new point has arrived: show it";
    notice.append(link);
    document.body.append(notice);
  });
}
