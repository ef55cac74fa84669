const CONTROLS = "a[href], button:not(:disabled)";

/**
 * Where the focus belongs when what had it may be gone by then: to that if it is still there, else to its like in the
 * next row of the list, in one before, or to the heading over it. Only where nothing else has it.
 */
export function wayBack(from: Element | null): () => void {
  const row = from?.closest("tr, li");
  const place = row && from ? [...row.querySelectorAll(CONTROLS)].indexOf(from) : 0;
  const siblings = [...(row?.parentElement?.children ?? [])];
  const own = row ? siblings.indexOf(row) : 0;
  const others = [...siblings.slice(own + 1), ...siblings.slice(0, own).reverse()];
  const heading = from?.closest(".card")?.querySelector("h2");
  return () => {
    if (document.activeElement && document.activeElement !== document.body) return;
    const likes = others.map((other) => {
      const controls = [...other.querySelectorAll(CONTROLS)];
      return controls[place] ?? controls.at(-1);
    });
    for (const next of [from, ...likes, heading, ...document.querySelectorAll("main h1")]) {
      if (!(next instanceof HTMLElement)) continue;
      next.focus();
      if (document.activeElement === next) return;
    }
  };
}
