// Bundles the host and every figure into rnn_helpers/explore/static.
//   node build.mjs            write the bundles
//   node build.mjs unfold     write the host and this figure's alone
//   node build.mjs --check    fail if the committed bundles differ from new ones
import { readFile, readdir, writeFile, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import temml from "temml";

const here = new URL("./", import.meta.url);
const target = new URL("../rnn_helpers/explore/static/", here);
const palette = new URL("../rnn_helpers/palette.json", here);
const options = {
  bundle: true,
  write: false,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  absWorkingDir: decodeURIComponent(here.pathname),
};

/** `equations.tex`, lines of `name: TeX`, becomes an object of MathML. `\id{W}{…}` marks a term. */
const equations = {
  name: "equations",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.tex$/ }, async ({ path }) => {
      const entries = (await readFile(path, "utf8"))
        .split("\n")
        .filter((line) => line.trim() && !line.startsWith("%"))
        .map((line) => {
          const colon = line.indexOf(":");
          const tex = line.slice(colon + 1).trim();
          const mathml = temml
            .renderToString(tex, { displayMode: true, trust: true, throwOnError: true })
            // No ids: several figures share a page, and a term may occur twice.
            .replace(/ id="([^"]*)"/g, ' data-term="$1"')
            .replace("<math", '<math translate="no"');
          return [line.slice(0, colon).trim(), mathml];
        });
      return { contents: JSON.stringify(Object.fromEntries(entries)), loader: "json" };
    }),
};

const bundle = async (extra) => (await build({ ...options, ...extra })).outputFiles[0].text;

/** The entry of a bundle: it registers the figure, its meta and its math for the host and the tests. */
const figure = (name) =>
  bundle({
    plugins: [equations],
    stdin: {
      resolveDir: decodeURIComponent(here.pathname),
      contents: `
        import { meta } from "./figures/${name}/meta.js";
        import * as math from "./figures/${name}/math.js";
        import { render } from "./figures/${name}/view.js";
        const host = (globalThis.unfoldedHost ??= { figures: {} });
        host.figures.${name} = { render, meta, math };
        host.scan?.();`,
    },
  });

/** Read the meta by running a bundle without a page. The tests run its math in the same way. */
function metaOf(name, code) {
  const context = createContext({});
  runInContext(code, context);
  return JSON.parse(runInContext(`JSON.stringify(unfoldedHost.figures.${name}.meta)`, context));
}

/** The palette as CSS variables, light and dark: `--uf-input`, and `--uf-signed-0` for a ramp's stops. */
async function colours() {
  const { colours, ramps, dark } = JSON.parse(await readFile(palette, "utf8"));
  const list = (theme) =>
    [
      ...Object.entries(colours).map(([name, colour]) => [name, colour[theme]]),
      ...Object.entries(ramps).flatMap(([name, ramp]) =>
        ramp[theme].map((colour, i) => [`${name}-${i}`, colour]),
      ),
    ]
      .map(([name, colour]) => `--uf-${name}:${colour};`)
      .join("");
  const ours = ":is(.unfolded-figure,.unfolded-link,.unfolded-undo)";
  return (
    `${ours}{color-scheme:light;${list("light")}}` +
    `@media not print{:is(${dark}) ${ours}{color-scheme:dark;${list("dark")}}}`
  );
}

/** A style sheet with its fonts inside. */
async function style(path, before = "") {
  const file = decodeURIComponent(new URL(path, here).pathname);
  const contents = before + (await readFile(file, "utf8"));
  const stdin = { contents, loader: "css", resolveDir: dirname(file) };
  return bundle({ stdin, loader: { ".woff2": "dataurl" } });
}

const names = (await readdir(new URL("figures/", here), { withFileTypes: true }))
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort();
const check = process.argv.includes("--check");
const wanted = process.argv.slice(2).filter((word) => word !== "--check");
const files = {
  "host.js": await bundle({ entryPoints: ["host/host.js"] }),
  "sans.css": await style("fonts/sans.css"),
  "figures.css": await style("host/figures.css", await colours()),
};
// Draws figures while the book is built; see press/still/.
files["../../../press/vendor/still.js"] = await bundle({
  entryPoints: ["still/still.js"],
  globalName: "still",
});
const known = JSON.parse(
  await readFile(new URL("manifest.json", target), "utf8").catch(() => "{}"),
);
const manifest = {};
for (const name of names) {
  if (wanted.length && !wanted.includes(name)) {
    if (known[name]) manifest[name] = known[name];
    continue;
  }
  files[`figures/${name}.js`] = await figure(name);
  files[`figures/${name}.css`] = await style(`figures/${name}/style.css`);
  manifest[name] = metaOf(name, files[`figures/${name}.js`]);
}
files["manifest.json"] = `${JSON.stringify(manifest, null, 1)}\n`;

const stale = [];
await mkdir(new URL("figures/", target), { recursive: true });
for (const [path, text] of Object.entries(files)) {
  const url = new URL(path, target);
  if ((await readFile(url, "utf8").catch(() => null)) === text) continue;
  stale.push(path);
  if (!check) await writeFile(url, text);
}
for (const file of await readdir(new URL("figures/", target))) {
  const name = file.replace(/\.(js|css|svg)$/, "");
  if (!names.includes(name)) throw new Error(`static/figures/${file} has no source; remove it`);
}
if (check && stale.length) {
  console.error(`out of date: ${stale.join(", ")}; run "make figures" and commit`);
  process.exitCode = 1;
} else {
  console.log(stale.length ? `built ${stale.join(", ")}` : "bundles are up to date");
}
