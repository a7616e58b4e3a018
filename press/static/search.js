// Additions to Sphinx's search: compounds in any spelling, numbers as whole words, the place that
// explains a term first, an excerpt of each place, results announced.
if (typeof Search !== "undefined" && Search.hasIndex()) {
  const index = Search._index;

  // A word that every object has as a property ("constructor", "__proto__") is not therefore in the
  // index. Sphinx looks words up in plain objects and stops at values that it can't read.
  const bare = Object.create(null, {
    hasOwnProperty: {
      value(word) {
        return Object.hasOwn(this, word);
      },
    },
  });
  for (const table of ["terms", "titleterms"]) Object.setPrototypeOf(index[table], bare);

  const stem = (word) => new Stemmer().stemWord(word);
  const known = (word) => Object.hasOwn(index.terms, word) || Object.hasOwn(index.titleterms, word);
  const compounds = new Map();
  for (const term of Object.keys(index.terms))
    if (term.includes("-")) compounds.set(term.replaceAll("-", ""), term.split("-").map(stem));

  // Two words of the index that are one word of a query: "timestep".
  const halves = (word) => {
    for (let at = 4; at <= word.length - 4; at++) {
      const parts = [word.slice(0, at), word.slice(at)].map(stem);
      if (parts.every((part) => Object.hasOwn(index.terms, part))) return parts;
    }
    return [];
  };

  // All ways to spell the words of a query: "back propagation" may stand as one word, and
  // "backpropagation" as two.
  const spellings = ([first, second, ...rest]) => {
    if (first === undefined) return [[]];
    const others = spellings(second === undefined ? [] : [second, ...rest]);
    const apart = compounds.get(first) ?? (known(first) ? [] : halves(first));
    const ways = [[first], apart].filter((way) => way.length);
    const found = ways.flatMap((way) => others.map((other) => [...way, ...other]));
    if (second !== undefined && known(first + second))
      found.push(...spellings(rest).map((other) => [first + second, ...other]));
    return found;
  };
  const stems = (text) => splitQuery(text.toLowerCase()).map(stem);
  const headings = new Map();
  for (const [heading, places] of Object.entries(index.alltitles))
    for (const [page, id] of places) headings.set(`${page} ${id}`, heading);

  // A page that has all words is shown at the section whose heading and beginning have most of them.
  // A chapter comes before the pages about it.
  const inText = Search.performTermsSearch;
  const inSections = (words) => (result) => {
    const page = index.docnames.indexOf(result[0]);
    let most = 0;
    for (const [id, text] of index.beginnings[page]) {
      const heading = headings.get(`${page} ${id}`) ?? "";
      const [inHeading, inBeginning] = [stems(heading), stems(text)];
      const score =
        2 * words.filter((word) => inHeading.includes(word)).length +
        words.filter((word) => inBeginning.includes(word)).length;
      if (score <= most) continue;
      most = score;
      if (heading && heading !== index.titles[page]) {
        result[1] = `${index.titles[page]} > ${heading}`;
        result[2] = `#${id}`;
      }
    }
    result[4] += (3 * most) / words.length + (/\/\d\d_/.test(result[0]) ? 4 : 0);
    return result;
  };
  Search.performTermsSearch = (terms, excluded) =>
    spellings([...terms]).flatMap((words) =>
      inText(new Set(words), excluded).map(inSections(words)),
    );

  // A term of the glossary is found in the section that introduces it, which comes first. Its entry,
  // which has the same words, isn't shown as well.
  const introductions = (query) => {
    const asked = stems(query).filter((word) => !stopwords.includes(word));
    return spellings(asked).flatMap((words) =>
      index.glossary.flatMap(([names, page, id, heading, meaning]) => {
        const more = names
          .map((name) => stems(name))
          .filter((name) => words.length && words.every((word) => name.includes(word)))
          .map((name) => name.length - words.length);
        if (!more.length) return [];
        const title = `${index.titles[page]} > ${heading}`;
        const score = 60 - 20 * Math.min(...more);
        return [
          [index.docnames[page], title, `#${id}`, null, score, index.filenames[page], meaning],
        ];
      }),
    );
  };

  // Names are found by whole numbers, since 4.3 is not part of 14.3, and by the first letters of
  // words. They stand above the pages that only mention them.
  const byName = Search.performObjectSearch;
  Search.performObjectSearch = (term, terms) => {
    const asked = new Set([...terms].filter((word) => !stopwords.includes(word)));
    if (!asked.has(term)) return [];
    const fits = (one, text) =>
      splitQuery(text.toLowerCase()).some((word) =>
        /^\d/.test(one) ? word === one : word.startsWith(one),
      );
    const named = byName(term, asked).filter(
      ([page, name, , about]) =>
        page !== "book/glossary" && [...asked].every((one) => fits(one, `${name} ${about}`)),
    );
    for (const result of named)
      result[4] += Scorer.title + [...asked].filter((one) => fits(one, result[1])).length;
    return named;
  };

  // The best result of each place, best first; equals in the order of the book. Where a section of a
  // page is found, the page as a whole isn't shown as well.
  const best = (query) => {
    const results = [
      ...introductions(query),
      ...Search._performSearch(...Search._parseQuery(query)).filter(
        ([, , anchor]) => !anchor.startsWith("#term-"),
      ),
    ].sort((a, b) => b[4] - a[4] || index.docnames.indexOf(a[0]) - index.docnames.indexOf(b[0]));
    const places = new Map();
    for (const result of results) {
      const place = result[0] + result[2];
      if (!places.has(place)) places.set(place, result);
    }
    const inside = new Set(results.filter(([, , anchor]) => anchor).map(([page]) => page));
    return [...places.values()].filter(([page, , anchor]) => anchor || !inside.has(page));
  };

  const item = ([page, title, anchor, about, , , meaning]) => {
    const number = index.docnames.indexOf(page);
    const found = index.beginnings[number].find(([id]) => `#${id}` === anchor);
    const excerpt = meaning ?? (found ?? (anchor ? [] : (index.beginnings[number][0] ?? [])))[1];
    const node = document.createElement("li");
    const link = node.appendChild(document.createElement("a"));
    link.href = `${page}.html${anchor}`;
    link.innerHTML = title; // Sphinx has escaped it
    if (about) node.append(` (${about})`);
    if (excerpt) {
      const words = node.appendChild(document.createElement("p"));
      words.className = "context";
      words.textContent = excerpt;
    }
    return node;
  };

  // Sphinx's timer for its dots never ends, because it adds one to the value that should stop it.
  // Results come so soon that they need no dots.
  Search.startPulse = () => {};

  // The page has an empty live region. It's filled after the page has loaded, since only a change
  // is announced.
  Search.query = (query) => {
    Search.status.remove();
    setTimeout(() => {
      const results = best(query);
      Search.title.textContent = "Search Results";
      Search.output.append(...results.map(item));
      document.querySelector("#search-status").textContent = results.length
        ? `Results found: ${results.length}.`
        : "Nothing found. Check the spelling, or try fewer words.";
    }, 100);
  };
}
