// The menus above the ledger, which choose claims by chapter and by verdict. Without this script, the
// ledger shows all claims.
{
  const menus = document.querySelector(".claim-filters");
  const selects = [...menus.querySelectorAll("select")];
  const lists = [...document.querySelectorAll(".claim-lines")].map((list) => [...list.children]);

  const filter = () => {
    const wanted = selects
      .filter(({ value }) => value)
      .map(({ name, value }) => `${name}-${value}`);
    const counts = lists.map((lines) => {
      for (const line of lines) line.hidden = !wanted.every((one) => line.classList.contains(one));
      return `${lines.filter((line) => !line.hidden).length} of ${lines.length}`;
    });
    const [living, archived] = counts;
    menus.querySelector("[role=status]").textContent =
      `${living} claims${archived ? `, ${archived} archived` : ""}`;
  };

  const remember = () => {
    const address = new URL(location.href);
    for (const { name, value } of selects)
      if (value) address.searchParams.set(name, value);
      else address.searchParams.delete(name);
    address.hash = "";
    history.replaceState(history.state, "", address);
  };

  // A link to an archived claim unfolds the list that contains it.
  const unfold = () => {
    const line = document.getElementById(location.hash.slice(1));
    const folded = line?.closest("details:not([open])");
    if (!folded) return;
    folded.open = true;
    line.scrollIntoView();
  };

  for (const select of selects) {
    const asked = new URLSearchParams(location.search).get(select.name);
    if ([...select.options].some(({ value }) => value === asked)) select.value = asked;
    select.addEventListener("change", () => {
      filter();
      remember();
    });
  }
  filter();
  menus.hidden = false;
  unfold();
  addEventListener("hashchange", unfold);
}
