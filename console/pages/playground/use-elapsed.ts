import { useEffect, useState } from "react";

/** Whole seconds since it was first shown. Where it stands still it stays as it is, and is right again afterwards. */
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
