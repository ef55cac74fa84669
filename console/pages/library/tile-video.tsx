import { Play } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { AssetRow } from "../../../gateway/src/http/console/contract.ts";
import { useVideoStill } from "../../parts/use-video-still.ts";
import { clock } from "./words.ts";

/** A still of the video, fetched when the tile comes near the viewport. */
export function TileVideo({ asset: { url, durationSeconds } }: { asset: AssetRow }) {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  const still = useVideoStill(url, isNear);
  useEffect(() => {
    if (!place.current) return;
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: "300px",
    });
    watch.observe(place.current);
    return () => watch.disconnect();
  }, []);
  return (
    <div ref={place} className="tile-video">
      {typeof still === "string" && <img className="tile-media" src={still} alt="" />}
      {still === undefined && <div className="tile-media" />}
      {still === null && (
        <video
          className="tile-media"
          src={`${url}#t=0.1`}
          preload="metadata"
          muted
          playsInline
          tabIndex={-1}
        />
      )}
      <span className="tile-play" aria-hidden>
        <Play />
      </span>
      <span className="tile-kind">{durationSeconds === null ? "Video" : clock(durationSeconds)}</span>
    </div>
  );
}
