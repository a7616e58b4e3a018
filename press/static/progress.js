// Counts the answers that the reader's browser keeps (figures/lib/kept.js), and forgets them.
{
  const KEY = "unfolded:answers";
  const read = () => {
    try {
      return JSON.parse(localStorage.getItem(KEY)) ?? {};
    } catch {
      return {};
    }
  };
  const element = (tag, className, ...parts) => {
    const node = Object.assign(document.createElement(tag), { className });
    node.append(...parts);
    return node;
  };
  const forgetting = (label, names) => {
    const button = element("button", "unf-forget", label);
    button.type = "button";
    button.onclick = () => {
      const kept = read();
      for (const name of names ?? Object.keys(kept)) delete kept[name];
      localStorage.setItem(KEY, JSON.stringify(kept));
      document.dispatchEvent(new CustomEvent("unfolded:forgotten"));
      show();
    };
    return button;
  };
  const line = document.querySelector(".unf-progress");
  const map = document.querySelector(".unf-map");
  const unanswered = line?.textContent;

  function show() {
    const kept = read();
    const namesOf = (node) => node.dataset.exercises.split(" ");
    const rightOf = (names) => names.filter((name) => kept[name]?.right).length;
    if (line) {
      const names = namesOf(line);
      const said = `${rightOf(names)} of ${names.length} exercises on this page right. `;
      const tried = names.some((name) => name in kept);
      line.replaceChildren(...(tried ? [said, forgetting("Forget", names)] : [unanswered]));
    }
    if (!map) return;
    const chapters = [...map.querySelectorAll("[data-exercises]")];
    for (const row of chapters) {
      const names = namesOf(row);
      const dots = names.map((name) =>
        element("i", kept[name]?.right ? "right" : name in kept ? "tried" : ""),
      );
      row.replaceChildren(...dots);
      const link = row.previousElementSibling;
      link.ariaLabel = `Chapter ${link.textContent}: ${rightOf(names)} of ${names.length} right`;
    }
    const all = chapters.flatMap(namesOf);
    const words = `Your answers: ${rightOf(all)} of ${all.length} right. Only this browser knows them. `;
    map.querySelector("p").replaceChildren(words, forgetting("Forget all"));
    map.hidden = !all.some((name) => name in kept);
  }
  show();
  document.addEventListener("unfolded:answered", show);
  addEventListener("storage", show);
  addEventListener("pageshow", show); // back from a chapter
}
