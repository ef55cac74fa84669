import { useEffect } from "react";

let places = 0;
let afterwards: (() => void) | null = null;

/** Something is shown, or about to be, that cannot be shown again, and nobody has copied it yet. */
export function isShownOnce(): boolean {
  return places > 0;
}

/** When nothing is shown once any more; of those who ask for it meanwhile the last one counts. */
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
