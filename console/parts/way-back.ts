const CONTROLS = "a[href], button:not(:disabled)";

/**
 * Where the focus belongs when what had it may be gone by then: to the link to the address that was left meanwhile,
 * however one had come there, or to what had it if that is still there, else to its like in the next row of the list,
 * in one before, or to the heading over it. Only where nothing else has it.
 */
export function wayBack(from: Element | null): () => void {
  const opened = location.pathname;
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
    const headings = [heading, ...document.querySelectorAll("main h1")];
    for (const next of [linkBackTo(opened), from, ...likes, ...headings]) {
      // The body can be given the focus, too, and is where nobody looks for it.
      if (!(next instanceof HTMLElement) || next === document.body) continue;
      next.focus();
      if (document.activeElement === next) return;
    }
  };
}

function linkBackTo(path: string): Element | undefined {
  if (location.pathname === path) return undefined;
  const links = document.querySelectorAll<HTMLAnchorElement>("main a[href]");
  return [...links].find(({ pathname }) => pathname === path);
}
