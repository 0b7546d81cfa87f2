// The search lists the headings below which all words are found, those that have the words themselves first.
const box = document.getElementById("search");
const list = document.getElementById("found");
const root = document.body.dataset.root;

box.addEventListener("input", () => {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  list.replaceChildren();
  list.hidden = words.length === 0;
  if (list.hidden) return;
  const has = text => words.every(w => text.toLowerCase().includes(w));
  const hits = pages.filter(p => has(p.title)).concat(pages.filter(p => !has(p.title) && has(p.title + " " + p.text)));
  for (const hit of hits.slice(0, 20)) {
    const a = document.createElement("a");
    a.href = root + hit.page;
    a.textContent = hit.title;
    const item = document.createElement("li");
    item.append(a);
    list.append(item);
  }
  if (hits.length === 0) list.append(Object.assign(document.createElement("li"), {textContent: "Nothing has these words."}));
});
box.addEventListener("keydown", e => {
  if (e.key === "Escape") { box.value = ""; list.hidden = true; }
  if (e.key === "Enter") list.querySelector("a")?.click();
});
