import { useEffect, useState } from "react";
import { filmStill } from "./film-still.ts";

/** Undefined until it is known. */
export function useFilmStill(url: string, isWanted = true): string | null | undefined {
  const [still, setStill] = useState<string | null>();
  useEffect(() => {
    if (!isWanted) return;
    let isGone = false;
    void filmStill(url).then((found) => {
      if (!isGone) setStill(found);
    });
    return () => {
      isGone = true;
    };
  }, [url, isWanted]);
  return still;
}
