import { useEffect } from "react";

let places = 0;
let afterwards: (() => void) | null = null;

/** True while something is shown, or about to be, that cannot be shown again and was not copied yet. */
export function isShownOnce(): boolean {
  return places > 0;
}

/** Runs `go` when nothing is shown once any more; only the last one given runs. */
export function onceCopied(go: () => void): void {
  afterwards = go;
}

export function useShownOnce(isShown: boolean): void {
  useEffect(() => {
    if (!isShown) return;
    places++;
    return () => {
      places--;
      if (places > 0) return;
      const go = afterwards;
      afterwards = null;
      go?.();
    };
  }, [isShown]);
}
