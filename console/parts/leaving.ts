import { useCallback, useEffect, useState } from "react";

type Go = () => void;
type Guard = { readonly at: string; ask(go: Go): void };

let guard: Guard | null = null;

/** For anything that would leave the page: goes at once, or asks the user first if something would be lost. */
export function askFirst(go: Go): void {
  if (guard) guard.ask(go);
  else go();
}

// When `popstate` fires, Back or Forward has already happened: restore the page's URL on top of it, so that going back
// from there leads to the same place again.
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

/** Without the fragment, which leads to a place in the same page. */
function here(): string {
  return `${location.pathname}${location.search}`;
}

type Leaving = {
  /** True if the user wants to leave and should be asked. */
  readonly isAsked: boolean;
  stay(): void;
  leave(): void;
};

/** While `isAtStake`, the user is asked before leaving the page by a link, by Back, by reloading or by closing it. */
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
