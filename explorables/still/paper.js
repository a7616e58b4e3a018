// A context for a canvas that is never shown. It records the drawing as SVG, or the pixels that it
// receives, and has only the functions that figures use.

const round = (x) => Number(x.toFixed(1));

export function paper(canvas) {
  const parts = []; // of the picture: [look, path], or an element
  let rectangles = true; // whether the picture consists of rectangles, which don't overlap
  let path = "";
  let [scale, dash] = [1, []];
  let image = null;
  const at = (x, y) => `${round(scale * x)} ${round(scale * y)}`;
  const add = (look, d) => {
    const last = parts.at(-1);
    if (last?.[0] === look) last[1] += d;
    else parts.push([look, d]);
  };
  const own = {
    scale: (x) => (scale *= x),
    beginPath: () => (path = ""),
    moveTo: (x, y) => (path += `M${at(x, y)}`),
    lineTo: (x, y) => (path += `${path ? "L" : "M"}${at(x, y)}`),
    closePath: () => (path += "z"),
    rect: (x, y, w, h) => (path += `M${at(x, y)}h${scale * w}v${scale * h}h${-scale * w}z`),
    arc(x, y, r) {
      const R = round(scale * r);
      path += `M${at(x - r, y)}a${R} ${R} 0 1 0 ${2 * R} 0a${R} ${R} 0 1 0 ${-2 * R} 0z`;
    },
    setLineDash: (list) => (dash = list.map((length) => round(scale * length))),
    fill() {
      rectangles = false;
      add(`fill="${own.fillStyle}"`, path);
    },
    stroke() {
      rectangles = false;
      const dashes = dash.length ? ` stroke-dasharray="${dash.join(" ")}"` : "";
      const width = round(scale * (own.lineWidth ?? 1));
      const join = own.lineJoin ? ` stroke-linejoin="${own.lineJoin}"` : "";
      add(`fill="none" stroke="${own.strokeStyle}" stroke-width="${width}"${join}${dashes}`, path);
    },
    fillRect(x, y, w, h) {
      // A line as wide as the rectangle is high needs half as many letters as its outline.
      const look = `stroke="${own.fillStyle}" stroke-width="${round(scale * h)}"`;
      add(look, `M${at(x, y + h / 2)}h${round(scale * w)}`);
    },
    putImageData: (picture) => (image = picture),
    /** The picture: shapes for an SVG, or pixels in hexadecimal; empty if nothing was drawn. */
    drawn() {
      const { width, height } = canvas;
      if (image) return { kind: "pixels", width, height, drawn: hex(image.data) };
      const all = rectangles ? together(parts) : parts;
      const inside = all.map(([look, d]) => (d ? `<path ${look} d="${d}"/>` : look)).join("");
      return { kind: "svg", width, height, drawn: inside };
    },
  };
  return own;
}

/** Join the rectangles that have the same look into one path, and neighbors in a row into one line. */
function together(parts) {
  const found = new Map();
  for (const [look, d] of parts) found.set(look, (found.get(look) ?? "") + d);
  return [...found].map(([look, d]) => [look, inRows(d)]);
}

function inRows(d) {
  const lines = [...d.matchAll(/M(\S+) (.+?)h([^M]+)/g)].map(([, ...line]) => line.map(Number));
  lines.sort(([x, y], [X, Y]) => y - Y || x - X);
  const joined = [];
  for (const [x, y, w] of lines) {
    const last = joined.at(-1);
    if (last && last[1] === y && round(last[0] + last[2]) === x) last[2] = round(last[2] + w);
    else joined.push([x, y, w]);
  }
  return joined.map(([x, y, w]) => `M${x} ${y}h${w}`).join("");
}

const hex = (data) => {
  const digits = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, "0"));
  const out = new Array(data.length);
  for (let i = 0; i < data.length; i++) out[i] = digits[data[i]];
  return out.join("");
};
