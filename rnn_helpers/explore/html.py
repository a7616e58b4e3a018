"""The markup of a figure: one for pages, decks and notebooks alike."""

import base64
import hashlib
import json
import re
from html import escape

from rnn_helpers.explore.states import (
    is_default,
    picture_file,
    picture_size,
    scripts_for,
    static_file,
    styles_for,
)

_KEYS = {"module", "state", "alt", "caption", "question"}
DEFAULT = "This picture shows the default state."


def markup(payload, still="", *, address=True):
    """Return the ``<figure>`` that the host script brings to life.

    Parameters
    ----------
    payload : dict
        `Figure.payload`, the content of our MIME type.
    still : str
        The figure at rest, as HTML.
    address : bool
        Whether the figure keeps its state in the address of the page.

    Returns
    -------
    str
        HTML that needs no script to be read: the still or folded words, and the caption.
    """
    if not isinstance(payload, dict) or _KEYS - set(payload):
        raise ValueError(f"payload is {payload!r:.80}; expected the keys {sorted(_KEYS)}")
    # JSON is full of double quotation marks.
    state = escape(
        json.dumps(payload["state"], ensure_ascii=False, separators=(",", ":")), quote=False
    )
    state = state.replace("'", "&#39;")
    parts = [
        f'<figure class="unfolded-figure" data-module="{escape(payload["module"])}" '
        f"data-state='{state}'{' data-address' if address else ''}>"
    ]
    if payload["question"]:
        parts.append(f'<p class="unfolded-question">{escape(payload["question"])}</p>')
    if still:
        parts.append(still)
    if payload.get("fallback"):
        parts.append(f'<div class="unfolded-fallback">{payload["fallback"]}</div>')
    if payload["caption"]:
        parts.append(f"<figcaption>{escape(payload['caption'])}</figcaption>")
    return "\n".join([*parts, "</figure>"])


def self_contained(payload):
    """Return a figure with its scripts and styles inside, for notebooks.

    JupyterLab strips scripts and styles from untrusted notebooks, which leaves a picture of the
    default state on white (or folded words) with the caption.

    Parameters
    ----------
    payload : dict
        `Figure.payload`.

    Returns
    -------
    str
        HTML. Several such outputs share one copy of each script, even if cells are run again.
    """
    own = [payload["module"]]
    files = {}
    for path in [*styles_for(own), *scripts_for(own)]:
        text = static_file(path).read_text("utf-8")
        files[path] = [hashlib.sha256(text.encode()).hexdigest()[:12], text]
    source = json.dumps(files, ensure_ascii=False).replace("</", "<\\/").replace("<!--", "<\\!--")
    still = "" if payload.get("fallback") else _picture(payload)
    return f"{markup(payload, still, address=False)}\n<script>({_LOADER})({source})</script>"


def _picture(payload):
    """Return the picture of the default state, which the host script removes."""
    name = payload["module"]
    file = base64.b64encode(picture_file(name).read_bytes()).decode()
    note = "" if is_default(name, payload["state"]) else f"<p>{DEFAULT}</p>"
    return (
        f'<div class="unfolded-still"><img alt="{escape(payload["alt"])}" {picture_size(name)} '
        f'style="max-width:100%;height:auto" src="data:image/svg+xml;base64,{file}">{note}</div>'
    )


# Adds each file once to the page; scripts through Blob URLs, which run in the order they are added.
_LOADER = """files => {
  const loaded = (globalThis.unfoldedLoaded ??= {});
  for (const [path, [version, text]] of Object.entries(files)) {
    if (loaded[path] === version) continue;
    loaded[path] = version;
    const isStyle = path.endsWith(".css");
    const node = document.createElement(isStyle ? "style" : "script");
    if (isStyle) node.textContent = text;
    else {
      node.async = false;
      node.src = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    }
    document.head.append(node);
  }
  requestAnimationFrame(() => globalThis.unfoldedHost?.scan?.());
}"""


def inline(text):
    """Set a line of words as HTML: `` `code` ``, ``*emphasis*``, ``h^{(t)}`` and ``w_{ij}``.

    Returns
    -------
    str
        HTML; everything else in the text is escaped. The figures' ``lib/words.js`` sets the same.
    """
    text = escape(text, quote=False)
    for pattern, tag in _MARKS:
        text = re.sub(pattern, rf"<{tag}>\1</{tag}>", text)
    return text


_MARKS = (
    (r"`([^`]+)`", "code"),
    (r"\*([^*\s](?:[^*]*[^*\s])?)\*", "em"),
    (r"\^\{([^{}]+)\}", "sup"),
    (r"_\{([^{}]+)\}", "sub"),
)
