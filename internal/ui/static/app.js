"use strict";
// Forms marked data-live show their results while one types; links marked data-open show
// their page below themselves. Without this script both are ordinary forms and links.
const load = async (address) => {
  const answer = await fetch(address, { headers: { Accept: "text/html" } }); // else serve takes it for a call of the API
  return new DOMParser().parseFromString(await answer.text(), "text/html");
};
for (const form of document.querySelectorAll("form[data-live]")) {
  let timer, turn = 0;
  const show = async () => {
    const mine = ++turn;
    const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ""));
    const address = location.pathname + "?" + query;
    const page = await load(address);
    if (mine !== turn) return;
    const list = page.getElementById("list");
    if (!list) { location.href = address; return; }
    document.getElementById("list").replaceWith(list);
    history.replaceState(null, "", address);
    for (const select of form.querySelectorAll("select")) {
      const fresh = page.querySelector(`form[data-live] select[name="${select.name}"]`);
      if (!fresh) continue;
      const chosen = select.value; // options that move one by one are all chosen in turn
      select.replaceChildren(...fresh.children);
      select.value = chosen;
    }
  };
  form.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(show, 200); });
  form.addEventListener("submit", (event) => { event.preventDefault(); clearTimeout(timer); show(); });
}
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-open]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  const at = link.closest("div");
  const open = at.querySelector(":scope > .inline");
  link.setAttribute("aria-expanded", String(!open));
  if (open) { open.remove(); return; }
  const change = (await load(link.href)).getElementById("change");
  if (!change) { location.href = link.href; return; }
  change.removeAttribute("id");
  const box = document.createElement("div");
  box.className = "inline";
  box.append(change);
  at.append(box);
});
