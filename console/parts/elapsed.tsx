import { useEffect, useState } from "react";

/** How long something has been running, updated every second. */
export function Elapsed({ since }: { since: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.floor((now - new Date(since).getTime()) / 1_000));
  return <span className="number">{seconds < 60 ? `${seconds} s` : minutes(seconds)}</span>;
}

function minutes(seconds: number): string {
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
