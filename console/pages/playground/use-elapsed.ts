import { useEffect, useState } from "react";

/** Whole seconds since it was first shown. While `isStill` it does not change; afterwards it is right again. */
export function useElapsed(isStill = false): number {
  const [beganAt] = useState(() => performance.now());
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (isStill) return;
    const timer = setInterval(() => setSeconds(Math.round((performance.now() - beganAt) / 1_000)), 1_000);
    return () => clearInterval(timer);
  }, [beganAt, isStill]);
  return seconds;
}
