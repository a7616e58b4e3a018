// What Sphinx's search lacks: compounds in any spelling, numbers as whole words, results announced.
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

  // All ways to spell the words of a query: "back propagation" may stand as one word, and
  // "backpropagation" as two.
  const spellings = ([first, second, ...rest]) => {
    if (first === undefined) return [[]];
    const others = spellings(second === undefined ? [] : [second, ...rest]);
    const ways = [[first], compounds.get(first) ?? []].filter((way) => way.length);
    const found = ways.flatMap((way) => others.map((other) => [...way, ...other]));
    if (second !== undefined && known(first + second))
      found.push(...spellings(rest).map((other) => [first + second, ...other]));
    return found;
  };
  const inText = Search.performTermsSearch;
  Search.performTermsSearch = (terms, excluded) =>
    spellings([...terms]).flatMap((words) => inText(new Set(words), excluded));

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
    const named = byName(term, asked).filter(([, name, , about]) =>
      [...asked].every((one) => fits(one, `${name} ${about}`)),
    );
    for (const result of named)
      result[4] += Scorer.title + [...asked].filter((one) => fits(one, result[1])).length;
    return named;
  };

  // The page has an empty live region. It's filled after the page has loaded, since only a change
  // is announced.
  const status = document.querySelector("#search-status");
  Documentation.TRANSLATIONS = {
    "Search finished, found ${resultCount} page(s) matching the search query.":
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Sphinx fills in the number
      "Results found: ${resultCount}.",
    "Your search did not match any documents. Please make sure that all words are spelled correctly and that you've selected enough categories.":
      "Nothing found. Check the spelling, or try fewer words.",
  };
  const look = Search.query;
  Search.query = (query) => {
    Search.status.remove();
    Search.status = status;
    setTimeout(() => look(query), 100);
  };
}
