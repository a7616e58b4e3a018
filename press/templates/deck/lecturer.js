// What a lecturer adds to a slide: drawings, and how the class has voted. Neither is kept.
(() => {
  "use strict";
  const SVG = "http://www.w3.org/2000/svg";
  const drawing = () => document.documentElement.classList.contains("drawing");

  /** Return the layer of a slide's drawings, in the slide's own pixels. */
  function layer(slide) {
    const found = slide.querySelector(":scope > .ink");
    if (found) return found;
    const made = document.createElementNS(SVG, "svg");
    made.setAttribute("class", "ink");
    made.setAttribute("viewBox", "0 0 1280 720");
    made.setAttribute("aria-hidden", "true");
    made.setAttribute("data-prevent-swipe", "");
    slide.append(made);
    return made;
  }

  function draw(event) {
    const ink = drawing() && event.button === 0 && event.target.closest?.(".ink");
    if (!ink) return;
    event.preventDefault();
    const toSlide = ink.getScreenCTM().inverse();
    const line = document.createElementNS(SVG, "polyline");
    const add = ({ clientX, clientY }) => {
      const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(toSlide);
      line.points.appendItem(Object.assign(ink.createSVGPoint(), { x, y }));
    };
    const move = (next) => next.getCoalescedEvents().forEach(add);
    const end = () => ink.removeEventListener("pointermove", move);
    add(event);
    add(event); // a tap makes a dot
    ink.append(line);
    ink.setPointerCapture(event.pointerId);
    ink.addEventListener("pointermove", move);
    for (const kind of ["pointerup", "pointercancel"])
      ink.addEventListener(kind, end, { once: true });
  }

  const prepare = () => drawing() && layer(Reveal.getCurrentSlide());
  function toggle() {
    document.documentElement.classList.toggle("drawing");
    prepare();
  }
  const undo = () => Reveal.getCurrentSlide().querySelector(":scope > .ink")?.lastChild?.remove();

  /** Put a field for the number of votes beside each choice of the slide's question. */
  function count() {
    const choices = Reveal.getCurrentSlide().querySelector(".fig-predict .choices");
    if (!choices) return;
    const labels = [...choices.querySelectorAll(".choice")];
    if (!choices.classList.contains("counted")) {
      const fields = labels.map((label) => {
        const field = document.createElement("input");
        Object.assign(field, { type: "number", min: 0, className: "votes" });
        field.ariaLabel = `Votes for ${label.textContent}`;
        label.after(field);
        return field;
      });
      const show = () => {
        const votes = fields.map((field) => Math.max(0, field.valueAsNumber || 0));
        const all = votes.reduce((sum, each) => sum + each, 0);
        labels.forEach((label, k) => {
          const share = all ? Math.round((100 * votes[k]) / all) : 0;
          label.style.setProperty("--share", `${share}%`);
          label.dataset.share = all ? `${share} %` : "";
        });
      };
      choices.addEventListener("input", show);
      choices.classList.add("counted");
    }
    choices.querySelector(".votes").focus();
  }

  addEventListener("pointerdown", draw);
  Reveal.on("ready", () => {
    const bind = (key, description, action) =>
      Reveal.addKeyBinding({ keyCode: key.charCodeAt(0), key, description }, action);
    bind("W", "Write on the slide with a mouse or a pen, or stop", toggle);
    bind("U", "Undo the last line", undo);
    bind("C", "Count the votes for the choices of a question", count);
    Reveal.on("slidechanged", prepare);
  });
})();
