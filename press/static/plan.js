// The plan of a course: what the ticked chapters need, and how long they take.
{
  const plan = document.querySelector(".unf-plan");
  const boxes = [...plan.querySelectorAll("input")];
  const numbers = (text) => (text ? text.split(" ").map(Number) : []);
  const needs = new Map(boxes.map((box) => [Number(box.value), numbers(box.dataset.needs)]));
  const missing = plan.querySelector(".unf-missing");
  const command = plan.querySelector(".unf-command");

  const behind = (chapter) => needs.get(chapter).flatMap((other) => [other, ...behind(other)]);
  const list = new Intl.ListFormat("en");
  const time = (minutes) => {
    const hours = Math.floor(minutes / 60);
    const rest = Math.round(minutes % 60);
    return `${hours ? `${hours} h ` : ""}${rest} min`;
  };
  const sum = (ticked, field) =>
    time(ticked.reduce((all, box) => all + Number(box.dataset[field]), 0));

  function show() {
    const ticked = boxes.filter((box) => box.checked);
    const chosen = new Set(ticked.map((box) => Number(box.value)));
    const lacking = new Set([...chosen].flatMap(behind).filter((chapter) => !chosen.has(chapter)));
    for (const box of boxes)
      box.parentElement.classList.toggle("lacking", lacking.has(Number(box.value)));
    for (const path of plan.querySelectorAll("path")) {
      const to = Number(path.dataset.to);
      path.classList.toggle("used", chosen.has(to) || lacking.has(to));
    }
    for (const row of document.querySelectorAll(".unf-takes tbody tr"))
      row.classList.toggle("chosen", chosen.has(Number(row.dataset.chapter)));
    const count = ticked.length === 1 ? "One chapter" : `${ticked.length} chapters`;
    const also = [...lacking].sort((a, b) => a - b).map(String);
    plan.querySelector("[role=status]").textContent = ticked.length
      ? `${count}: ${sum(ticked, "read")} to read, ${sum(ticked, "core")} of core exercises, ` +
        `${sum(ticked, "lecture")} of lectures (${sum(ticked, "discussed")} with the audience's answers). ` +
        (also.length
          ? `Also needed: ${also.length > 1 ? "chapters" : "chapter"} ${list.format(also)}.`
          : "")
      : "Tick the chapters that you teach, or choose a plan.";
    missing.hidden = !also.length;
    command.hidden = !ticked.length;
    command.querySelector("code").textContent = `CHAPTERS=${[...chosen].join(",")} make book`;
  }
  const tick = (chosen) => {
    for (const box of boxes) box.checked = chosen.has(Number(box.value));
    show();
  };
  for (const button of plan.querySelectorAll("[data-chapters]"))
    button.onclick = () => tick(new Set(numbers(button.dataset.chapters)));
  missing.firstElementChild.onclick = () => {
    const chosen = boxes.filter((box) => box.checked).map((box) => Number(box.value));
    tick(new Set([...chosen, ...chosen.flatMap(behind)]));
    boxes.find((box) => box.checked).focus(); // the button is gone
  };
  plan.addEventListener("change", show);
  plan.querySelector(".unf-presets").hidden = false;
  show();
}
