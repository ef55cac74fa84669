import { ProviderFailure } from "../../contract.ts";
import type { MadeFile, VideoRequest } from "../../media/media-contract.ts";
import type { Renderer } from "../media/renderer.ts";

/** Videos in the making, by the request's id; what they become is fetched once. */
type VideoRenders = {
  /** Starts it unless it is under way; null while it is not done, or while too many are. */
  take(id: string, request: () => Promise<VideoRequest>): Promise<MadeFile | null>;
};

/** Finished ones hold their bytes, so there are few. */
const MAX_VIDEOS = 16;
/** Looks are far apart where many videos are in the making: one that is forgotten before its look is never fetched. */
const KEPT_MS = 15 * 60_000;
/** Whoever has not fetched it by now is late, or has it from another process: it makes room where room is needed. */
const AWAITED_MS = 60_000;
/** A look waits this long for the end, so that short videos are not told of a whole pause later. */
const PATIENCE_MS = 1_500;
/** A video that breaks the renderer as often as this is given up. */
const MAX_CRASHES = 2;

type Video = { readonly making: Promise<MadeFile>; isAwaited: boolean };

export function createVideoRenders(renderer: Pick<Renderer, "render">): VideoRenders {
  const videos = new Map<string, Video>();
  const crashes = new Map<string, number>();

  function start(id: string, request: () => Promise<VideoRequest>): Video {
    const stop = new AbortController();
    const video: Video = {
      making: request().then((wanted) => renderer.render({ kind: "video", request: wanted }, stop.signal)),
      isAwaited: true,
    };
    videos.set(id, video);
    video.making
      .catch(() => {})
      .then(() => {
        setTimeout(() => {
          video.isAwaited = false;
        }, AWAITED_MS).unref();
        setTimeout(() => forget(id, video), KEPT_MS).unref();
      });
    return video;
  }

  function forget(id: string, video: Video): void {
    if (videos.get(id) === video) videos.delete(id);
  }

  /** The oldest that nobody fetched makes room. */
  function hasRoom(): boolean {
    if (videos.size < MAX_VIDEOS) return true;
    for (const [id, { isAwaited }] of videos) if (!isAwaited) return videos.delete(id);
    return false;
  }

  function countCrash(id: string): number {
    if (crashes.size >= 1_000) crashes.clear();
    const count = (crashes.get(id) ?? 0) + 1;
    crashes.set(id, count);
    return count;
  }

  return {
    async take(id, request) {
      if (!videos.has(id) && !hasRoom()) return null;
      const video = videos.get(id) ?? start(id, request);
      const patience = Promise.withResolvers<null>();
      const timer = setTimeout(() => patience.resolve(null), PATIENCE_MS);
      try {
        const file = await Promise.race([video.making, patience.promise]);
        if (file !== null) forget(id, video);
        return file;
      } catch (error) {
        forget(id, video);
        const isCrash = error instanceof ProviderFailure && error.kind === "unavailable";
        if (isCrash && countCrash(id) >= MAX_CRASHES) {
          throw new ProviderFailure("rejected", "The sandbox could not render this video.", error.detail);
        }
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
