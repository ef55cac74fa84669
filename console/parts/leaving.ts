import { useCallback, useEffect, useState } from "react";

type Go = () => void;
type Guard = { readonly at: string; ask(go: Go): void };

let guard: Guard | null = null;

/** For whatever would take the page away: at once, or after somebody was asked for whom something is at stake. */
export function askFirst(go: Go): void {
  if (guard) guard.ask(go);
  else go();
}

// Back and Forward have happened when they are heard of, so the page's address is put back over the one they led to;
// going back from it leads there again.
window.addEventListener(
  "popstate",
  (event) => {
    if (!guard || guard.at === here()) return;
    event.stopImmediatePropagation();
    history.pushState(null, "", guard.at);
    guard.ask(() => history.back());
  },
  { capture: true },
);

/** Without the part after `#`: that leads to a place in the same page. */
function here(): string {
  return `${location.pathname}${location.search}`;
}

type Leaving = {
  /** Somebody wants to leave, and is to be asked. */
  readonly isAsked: boolean;
  stay(): void;
  leave(): void;
};

/** While `isAtStake`, nobody leaves the page by a link, by Back, by reloading or by closing it without being asked. */
export function useLeaving(isAtStake: boolean): Leaving {
  const [wanted, setWanted] = useState<{ readonly go: Go } | null>(null);
  const stay = useCallback(() => setWanted(null), []);
  useEffect(() => {
    if (!isAtStake) return;
    const own: Guard = { at: here(), ask: (go) => setWanted({ go }) };
    const onUnload = (event: BeforeUnloadEvent) => {
      if (guard === own) event.preventDefault();
    };
    guard = own;
    window.addEventListener("beforeunload", onUnload);
    return () => {
      if (guard === own) guard = null;
      window.removeEventListener("beforeunload", onUnload);
      setWanted(null);
    };
  }, [isAtStake]);
  return {
    isAsked: wanted !== null,
    stay,
    leave() {
      guard = null;
      setWanted(null);
      wanted?.go();
    },
  };
}
