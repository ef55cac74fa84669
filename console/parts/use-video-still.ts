import { useEffect, useState } from "react";
import { videoStill } from "./video-still.ts";

/** Undefined until known. */
export function useVideoStill(url: string, isWanted = true): string | null | undefined {
  const [still, setStill] = useState<string | null>();
  useEffect(() => {
    if (!isWanted) return;
    let isGone = false;
    void videoStill(url).then((found) => {
      if (!isGone) setStill(found);
    });
    return () => {
      isGone = true;
    };
  }, [url, isWanted]);
  return still;
}
