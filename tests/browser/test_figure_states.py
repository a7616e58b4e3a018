"""A figure depends only on its state, not on the path to it."""

import pytest
from books import NOTEBOOKS
from reader import reading, together

# What a figure shows of its state, in its controls, drawings and words. The prediction keeps the
# reader's choice, the bars of `sharing` show which positions the reader has tried, and `tbptt`
# shows the mean reach only after an answer.
SHOWN = """(figure) => {
  const stage = figure.querySelector(".unfolded-stage");
  const seen = (selector) =>
    [...stage.querySelectorAll(selector)]
      .filter((node) => node.getClientRects().length && !node.closest(".uf-guess, .bars, .mean"));
  const values = (node, ...names) => names.map((name) => node[name] ?? node.getAttribute(name));
  const words = (node) => node.textContent.replace(/\\s+/g, " ").trim();
  return {
    controls: seen("input, select").map((node) =>
      values(node, "type", "value", "checked", "min", "max", "aria-valuetext").join(" ")),
    handles: seen("[role=slider]").map((node) =>
      values(node, "aria-label", "aria-valuenow", "aria-valuetext").join(" ")),
    pressed: seen("[aria-pressed=true]").map(words),
    text: seen("p, output, td, th, text, .fact, .readout").map(words),
    status: seen("[role=status].uf-hidden").map(words),
    around: [...figure.querySelectorAll(":scope > .unfolded-question, :scope > figcaption")]
      .map(words),
  };
}"""
# Press a button and wait until the figure shows the same as a fresh copy that reads the state from
# the address. A copy begins its status line with an opening. Return the differences at the end.
PRESSED = (
    """async ([figure, button]) => {
  const shown = """
    + SHOWN
    + """;
  let model;
  const heard = (event) => (model = event.detail);
  figure.addEventListener("unfolded:state", heard);
  button.click();
  const frame = () => new Promise(requestAnimationFrame);
  for (let n = 0; n < 60 && !model; n++) await frame(); // the host writes the address
  figure.removeEventListener("unfolded:state", heard);
  if (!model) return null; // nothing has changed
  const copy = figure.cloneNode(true);
  const made = ".unfolded-stage, .unfolded-reset, .unfolded-back, .unfolded-still";
  copy.querySelectorAll(made).forEach((node) => node.remove());
  delete copy.dataset.live;
  const state = model.changes().map((pair) => pair.map(encodeURIComponent).join(":")).join(";");
  figure.after(copy);
  const { module } = copy.dataset;
  const all = [...document.querySelectorAll(`figure[data-module=${module}]`)];
  let key = `${module}-${all.indexOf(copy) + 1}`;
  while (all.some((one) => one !== copy && one.dataset.key === key)) key += "+";
  history.replaceState(null, "", `#?fig.${key}=${state}`); // before the host reads it
  for (; !copy.dataset.live; await frame()) {
    copy.scrollIntoView({ block: "center", behavior: "instant" });
    unfoldedHost.scan();
  }
  const differs = (one, other) =>
    Object.keys(one).filter((kind) => {
      const [was, is] = [one[kind], other[kind]];
      if (kind === "status") return !is.every((words, i) => words.endsWith(was[i]));
      return JSON.stringify(was) !== JSON.stringify(is);
    });
  const parts = (one, other, kind) => {
    const at = one[kind].findIndex((part, i) => part !== other[kind][i]);
    return `${kind}: ${one[kind][at]}, in a copy ${other[kind][at]}`;
  };
  let found;
  for (let n = 0; n < 1200; n++, await frame()) {
    const [one, other] = [shown(figure), shown(copy)];
    found = differs(one, other).map((kind) => parts(one, other, kind));
    if (!found.length) break;
  }
  copy.remove();
  unfoldedHost.scan();
  history.replaceState(null, "", location.pathname);
  return found;
}"""
)
# The slider and the number of a control, where they don't agree to half a step.
APART = """(figure) => [...figure.querySelectorAll(".uf-control:has(input[type=number])")]
  .filter((control) => {
    const [slider, number] = control.querySelectorAll("input");
    const log = number.step === "any";
    const value = log ? Math.log10(number.value) : Number(number.value);
    return Math.abs(Number(slider.value) - value) > 0.501 * Number(slider.step);
  })
  .map((control) => control.textContent)"""
BUTTONS = ".unfolded-stage button:not(.uf-transport button, [aria-expanded])"


def faults(figure, button):
    """Press a button and return the differences to a fresh copy in the same state."""
    handles = [figure.element_handle(), button.element_handle()]
    found = figure.page.evaluate(PRESSED, handles) or []
    return found + [f"slider and number: {name}" for name in figure.evaluate(APART)]


@pytest.mark.nightly("02_unfolding")
@pytest.mark.parametrize(
    "name", [together(path.stem, path.stem) for path in NOTEBOOKS if path.stem[:2].isdigit()]
)
def test_a_figure_set_by_a_sentence_looks_like_a_fresh_copy_in_that_state(browser, site, name):
    wrong = {}
    with reading(browser, (site / f"book/{name}.html").as_uri()) as page:
        for span in page.locator("span[data-set]").all():
            state = span.get_attribute("data-set")
            figure = page.locator(f"figure[data-key='{state.partition('?')[0]}']")
            link = span.locator(".unfolded-link")
            found = faults(figure, link)
            if (
                link.get_attribute("aria-pressed") != "true"
                and figure.locator(".unfolded-reset").is_visible()
            ):
                found.append("the sentence isn't marked as pressed")
            if found:
                wrong[state] = found
    assert wrong == {}


@pytest.mark.nightly("unfold", "result", "eigen")
def test_every_button_leads_to_a_state_that_the_address_holds(figure_page):
    figure = figure_page.locator("figure.unfolded-figure").first
    wrong = {}
    for button in figure.locator(BUTTONS).locator("visible=true").all():
        if button.is_visible() and (found := faults(figure, button)):
            wrong[button.inner_text()] = found
    assert wrong == {}
