const CONTROLS = "a[href], button:not(:disabled)";

/**
 * Returns a function that restores the focus when the focused element may be gone: to the link to the URL that was left
 * meanwhile; or to the element itself if it is still there; else to its counterpart in the next row of the list, in a
 * previous one, or to the heading above. Only if nothing else has the focus.
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
      // The body can get the focus, too, but it would be lost there.
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
