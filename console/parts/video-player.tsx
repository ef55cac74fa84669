import type { VideoHTMLAttributes } from "react";
import { useVideoStill } from "./use-video-still.ts";

/** Shows a still of the video until it is played, even in browsers that would show nothing. */
export function VideoPlayer({ src, ...rest }: VideoHTMLAttributes<HTMLVideoElement> & { src: string }) {
  const still = useVideoStill(src);
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
