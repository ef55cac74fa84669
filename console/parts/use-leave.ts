import { useEffect, useState } from "react";
import { useLocation, useRouter } from "wouter";

/** Longer than loading a page usually takes. A user who is still here has stopped it, and may want to try again. */
const ON_THE_WAY_MS = 5_000;

/**
 * Leads out of the console, or to one of its pages, without a reload, which would lose kept state. `isLeaving` keeps a
 * button from being pressed again meanwhile.
 */
export function useLeave() {
  const { base } = useRouter();
  const [, go] = useLocation();
  const [isLeaving, setLeaving] = useState(false);
  useEffect(() => {
    if (!isLeaving) return;
    const timer = setTimeout(() => setLeaving(false), ON_THE_WAY_MS);
    return () => clearTimeout(timer);
  }, [isLeaving]);
  function leave(url: string): void {
    setLeaving(true);
    const home = `${location.origin}${base}`;
    if (url.startsWith(`${home}/`)) go(url.slice(home.length));
    else location.assign(url);
  }
  return { isLeaving, leave };
}
