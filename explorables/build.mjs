// Bundles the host into rnn_helpers/explore/static, and every figure into its folder `built`.
//   node build.mjs            write the bundles
//   node build.mjs unfold     write the host and this figure's alone
//   node build.mjs --check    fail if the committed bundles differ from new ones
import { existsSync } from "node:fs";
import { readFile, readdir, writeFile, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import temml from "temml";

const here = new URL("./", import.meta.url);
const root = new URL("../", here);
const figures = new URL("rnn_helpers/figures/", root);
const shared = "rnn_helpers/explore/static";
const palette = new URL("rnn_helpers/palette.json", root);
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
      resolveDir: decodeURIComponent(new URL(name, figures).pathname),
      contents: `
        import { meta } from "./meta.js";
        import * as math from "./math.js";
        import { render } from "./view.js";
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

const names = (await readdir(figures))
  .filter((name) => existsSync(new URL(`${name}/meta.js`, figures)))
  .sort();
const check = process.argv.includes("--check");
const wanted = process.argv.slice(2).filter((word) => word !== "--check");
const files = {
  [`${shared}/host.js`]: await bundle({ entryPoints: ["host/host.js"] }),
  [`${shared}/sans.css`]: await style("fonts/sans.css"),
  [`${shared}/figures.css`]: await style("host/figures.css", await colours()),
  // Draws figures while the book is built; see press/still/.
  "press/vendor/still.js": await bundle({ entryPoints: ["still/still.js"], globalName: "still" }),
  // Judges answers on the pages; see press/answers.py.
  "press/vendor/printed.js": await bundle({
    entryPoints: [decodeURIComponent(new URL("answer/printed.js", figures).pathname)],
    globalName: "unfoldedPrinted",
  }),
};
const listing = `${shared}/manifest.json`;
const known = JSON.parse(await readFile(new URL(listing, root), "utf8").catch(() => "{}"));
const manifest = {};
for (const name of names) {
  if (wanted.length && !wanted.includes(name)) {
    if (known[name]) manifest[name] = known[name];
    continue;
  }
  const built = `rnn_helpers/figures/${name}/built/${name}`;
  files[`${built}.js`] = await figure(name);
  files[`${built}.css`] = await style(new URL(`${name}/style.css`, figures));
  manifest[name] = metaOf(name, files[`${built}.js`]);
}
files[listing] = `${JSON.stringify(manifest, null, 1)}\n`;

const stale = [];
for (const [path, text] of Object.entries(files)) {
  const url = new URL(path, root);
  if ((await readFile(url, "utf8").catch(() => null)) === text) continue;
  stale.push(path);
  if (check) continue;
  await mkdir(new URL("./", url), { recursive: true });
  await writeFile(url, text);
}
if (check && stale.length) {
  console.error(`out of date: ${stale.join(", ")}; run "make figures" and commit`);
  process.exitCode = 1;
} else {
  console.log(stale.length ? `built ${stale.join(", ")}` : "bundles are up to date");
}
