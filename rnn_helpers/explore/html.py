"""The markup of a figure: one for pages, decks and notebooks alike."""

import hashlib
import json
import re
from html import escape

from rnn_helpers.explore.states import scripts_for, static_path, styles_for

_KEYS = {"module", "state", "alt", "caption", "question", "poster"}


def markup(payload, poster_urls=None, *, still="", address=True):
    """Return the ``<figure>`` that the host script brings to life.

    Parameters
    ----------
    payload : dict
        What `Figure.payload` holds, the content of our MIME type.
    poster_urls : dict, optional
        Addresses of the pictures under ``"light"`` and ``"dark"`` (or only one of them); by default
        the pictures travel inside the markup.
    still : str
        The figure at rest, as HTML, to be shown instead of the pictures.
    address : bool
        Whether the figure keeps its state in the address of the page.

    Returns
    -------
    str
        HTML that needs no script to be read: picture or folded words, and the caption.
    """
    if not isinstance(payload, dict) or _KEYS - set(payload):
        raise ValueError(f"payload is {payload!r:.80}; expected the keys {sorted(_KEYS)}")
    themes = {"light", "dark"}
    if poster_urls and not (isinstance(poster_urls, dict) and set(poster_urls) <= themes):
        raise ValueError(f"poster_urls is {poster_urls!r:.80}; expected 'light', 'dark' or both")
    state = escape(json.dumps(payload["state"], ensure_ascii=False), quote=True)
    parts = [
        f'<figure class="unfolded-figure" data-module="{escape(payload["module"])}" '
        f'data-state="{state}"{" data-address" if address else ""}>'
    ]
    if payload["question"]:
        parts.append(f'<p class="unfolded-question">{escape(payload["question"])}</p>')
    if still:
        parts.append(still)
    elif payload["poster"]:
        parts += _pictures(payload, poster_urls)
    if payload.get("fallback"):
        parts.append(f'<div class="unfolded-fallback">{payload["fallback"]}</div>')
    if payload["caption"]:
        parts.append(f"<figcaption>{escape(payload['caption'])}</figcaption>")
    return "\n".join([*parts, "</figure>"])


def _pictures(payload, urls):
    poster = payload["poster"]
    if urls is None:
        urls = {theme: f"data:image/png;base64,{poster[theme]}" for theme in ("light", "dark")}
    alt = escape(payload["alt"], quote=True)
    for theme, url in urls.items():
        only = f" unfolded-{theme}" if len(urls) > 1 else ""
        # A file is fetched when it is needed: what a living figure hides, or the theme, is not.
        lazy = "" if url.startswith("data:") else ' loading="lazy"'
        yield (
            f'<img class="unfolded-poster{only}" src="{escape(url, quote=True)}" alt="{alt}" '
            f'width="{poster["width"]}" height="{poster["height"]}"{lazy}>'
        )


def self_contained(payload, png):
    """Return a figure with its scripts and styles inside, for notebooks.

    JupyterLab strips scripts and styles from untrusted notebooks; what is left is one picture on
    white (or folded words) with the caption.

    Parameters
    ----------
    payload : dict
    png : str or None
        Base64 of the opaque picture.

    Returns
    -------
    str
        HTML. Several such outputs share one copy of each script, whatever is run again.
    """
    static = static_path()
    own = [payload["module"]]
    files = {}
    for path in [*styles_for(own), *scripts_for(own)]:
        text = (static / path).read_text("utf-8")
        files[path] = [hashlib.sha256(text.encode()).hexdigest()[:12], text]
    source = json.dumps(files, ensure_ascii=False).replace("</", "<\\/").replace("<!--", "<\\!--")
    urls = png and {"light": f"data:image/png;base64,{png}"}
    return f"{markup(payload, urls, address=False)}\n<script>({_LOADER})({source})</script>"


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
