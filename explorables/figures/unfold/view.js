import { control, controls, html, responsive, svg } from "../../lib/index.js";
import { meta } from "./index.js";
import { steps } from "./math.js";

export function render({ model, el }) {
  const drawing = svg("svg", { class: "uf-drawing", role: "img", "aria-label": "a chain" });
  const area = html("div", {}, drawing);
  el.append(area, controls(control(model, "T", meta.controls.T)));
  let size = { width: 0, em: 16 };
  const draw = (next) => {
    const { width, em } = (size = next ?? size);
    const at = (t) => (width * (t - 0.5)) / model.get("T");
    drawing.setAttribute("viewBox", `0 0 ${width} ${5 * em}`);
    drawing.replaceChildren(
      ...steps(model.get("T")).map((t) => svg("circle", { cx: at(t), cy: 2.5 * em, r: em, fill: "var(--uf-state)" })),
    );
  };
  model.on("change:T", () => draw());
  return responsive(area, draw);
}
