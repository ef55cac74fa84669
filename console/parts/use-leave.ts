import { useEffect, useState } from "react";

/** Longer than the way to another page usually takes. Who is still here then has stopped it, and may want to go after all. */
const ON_THE_WAY_MS = 5_000;

/** Leads out of the console; `isLeaving` keeps a button from being pressed again on the way. */
export function useLeave() {
  const [isLeaving, setLeaving] = useState(false);
  useEffect(() => {
    if (!isLeaving) return;
    const timer = setTimeout(() => setLeaving(false), ON_THE_WAY_MS);
    return () => clearTimeout(timer);
  }, [isLeaving]);
  function leave(url: string): void {
    setLeaving(true);
    location.assign(url);
  }
  return { isLeaving, leave };
}
