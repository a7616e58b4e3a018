/**
 * Whether the figure is being printed. Nothing moves on paper, so there a figure may show its end. `again`
 * redraws it when printing begins and ends. Returns `{ on(), stop() }`.
 */
export function paper(again) {
  const print = matchMedia("print");
  print.addEventListener("change", again);
  return {
    on: () => print.matches,
    stop: () => print.removeEventListener("change", again),
  };
}
