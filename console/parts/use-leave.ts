import { useEffect, useState } from "react";
import { useLocation, useRouter } from "wouter";

/** Longer than the way to another page usually takes. Who is still here then has stopped it, and may want to go after all. */
const ON_THE_WAY_MS = 5_000;

/**
 * Leads out of the console, or to a page of it, which is not loaded anew: what others keep would be lost. `isLeaving` keeps
 * a button from being pressed again on the way.
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
