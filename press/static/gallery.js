// The fields on a figure's page: a link to its present state, HTML that embeds it in another page, and
// a call that shows it in a notebook.
{
  const share = document.querySelector(".unf-share");
  const field = (kind) => document.getElementById(`share-${kind}`);
  const python = (value) =>
    typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value);
  const quoted = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");

  const frame = (figure) => {
    const address = new URL(share.dataset.embed, location.href);
    address.search = location.search;
    if (location.hash.includes("?")) address.hash = location.hash.replace(/^#[^?]*/, "#");
    const story = document.querySelector(".unf-story");
    const height = 120 + Math.ceil((figure.offsetHeight + story.offsetHeight) / 10) * 10;
    return `<iframe class="unfolded-embed" src="${quoted(address.href)}"
  title="${quoted(document.title)}"
  width="100%" height="${height}" style="border: 0" loading="lazy"></iframe>
<script>
  // Fits the frame to the figure in it. Messages from elsewhere are ignored.
  addEventListener("message", ({ source, data }) => {
    for (const frame of document.querySelectorAll("iframe.unfolded-embed")) {
      if (source !== frame.contentWindow || !(data?.height > 0)) continue;
      if (Number(frame.height) === data.height) continue; // the script of another snippet was here
      frame.height = data.height;
      scrollBy({ top: data.shift, behavior: "instant" });
    }
  });
</script>`;
  };
  document.addEventListener("unfolded:state", ({ target, detail: model }) => {
    const settings = model
      .changes()
      .map(([name, value]) => `, ${name}=${python(value)}`)
      .join("");
    field("link").value = location.href;
    field("call").value = `explore.show("${share.dataset.figure}"${settings})`;
    requestAnimationFrame(() => {
      field("frame").value = frame(target);
    });
    share.hidden = false;
  });

  share.addEventListener("click", async ({ target }) => {
    if (!target.dataset.copy) return;
    const input = document.getElementById(target.dataset.copy);
    input.select();
    try {
      await navigator.clipboard.writeText(input.value);
    } catch {
      document.execCommand("copy"); // where a page over http may not use the clipboard
    }
    share.querySelector("[role=status]").textContent = "Copied.";
  });
}
