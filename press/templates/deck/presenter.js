// In the presenter's window: another slide's notes begin at their beginning. A step within a slide
// writes the same notes again, and leaves them where they were scrolled to.
(() => {
  "use strict";
  const notes = document.querySelector(".speaker-controls-notes");
  let read = "";
  new MutationObserver(() => {
    if (notes.textContent === read) return;
    read = notes.textContent;
    notes.scrollTop = 0;
  }).observe(notes, { childList: true, subtree: true });
})();
