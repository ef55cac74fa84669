import type { VideoHTMLAttributes } from "react";
import { useFilmStill } from "./use-film-still.ts";

/** Shows a picture of the film until it is played, also where a browser would show nothing. */
export function VideoPlayer({ src, ...rest }: VideoHTMLAttributes<HTMLVideoElement> & { src: string }) {
  const still = useFilmStill(src);
  return (
    <video
      {...rest}
      src={src}
      controls
      playsInline
      preload="metadata"
      {...(still ? { poster: still } : {})}
    />
  );
}
