import { type MadeFile, ProviderFailure } from "../../../gateway/src/contract/index.ts";
import type { StopSignal } from "../../../gateway/src/kit/index.ts";
import { UnsentFailure } from "../../../gateway/src/outbound/index.ts";

/** Work in progress, by request id; each result is fetched once. */
type VideoRenders<Request> = {
  /** Starts it if there is room; otherwise a later `take` does. */
  begin(id: string, request: () => Promise<Request>): void;
  /** True for the one that is rendered now: they are rendered one after the other. */
  isNext(id: string): boolean;
  /**
   * Starts it unless it is in progress. Waits a little for the one that is rendered now. Null while it is not done, or
   * if too many are in progress.
   */
  take(id: string, request: () => Promise<Request>): Promise<MadeFile | null>;
};

/** Finished videos hold their bytes, so there must be few. */
const MAX_VIDEOS = 16;
/** A video that is dropped before its next poll would never be fetched, and a busy worker polls late. */
const KEPT_MS = 15 * 60_000;
/** A video not fetched by now is late, or was fetched from another process: it may be dropped to make room. */
const AWAITED_MS = 60_000;
/** How long a poll waits for the end, so that short videos do not take one more polling interval. */
const PATIENCE_MS = 1_500;
/** A video that crashes the renderer this often is given up. */
const MAX_CRASHES = 2;

/** What could not be read did not reach the renderer, and may be readable at the next poll. */
function isCrash(error: unknown): error is ProviderFailure {
  if (!(error instanceof ProviderFailure) || error instanceof UnsentFailure) return false;
  return error.kind === "unavailable";
}

type Video = { readonly making: Promise<MadeFile>; isDone: boolean; isAwaited: boolean };

export function createVideoRenders<Request>(
  render: (request: Request, signal: StopSignal) => Promise<MadeFile>,
): VideoRenders<Request> {
  const videos = new Map<string, Video>();
  const crashes = new Map<string, number>();

  function start(id: string, request: () => Promise<Request>): Video {
    const stop = new AbortController();
    const video: Video = {
      making: request().then((wanted) => render(wanted, stop.signal)),
      isDone: false,
      isAwaited: true,
    };
    videos.set(id, video);
    video.making
      .catch(() => {})
      .then(() => {
        video.isDone = true;
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

  /** Drops the oldest video that is no longer awaited. */
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

  /** The one in progress, or a new one; null if there is no room. */
  function open(id: string, request: () => Promise<Request>): Video | null {
    return videos.get(id) ?? (hasRoom() ? start(id, request) : null);
  }

  /** They are rendered in the order in which they were started. */
  function isNext(id: string): boolean {
    for (const [other, { isDone }] of videos) if (!isDone) return other === id;
    return false;
  }

  return {
    begin: (id, request) => void open(id, request),
    isNext,
    async take(id, request) {
      const video = open(id, request);
      if (video === null || !(video.isDone || isNext(id))) return null;
      const patience = Promise.withResolvers<null>();
      const timer = setTimeout(() => patience.resolve(null), PATIENCE_MS);
      try {
        const file = await Promise.race([video.making, patience.promise]);
        if (file !== null) forget(id, video);
        return file;
      } catch (error) {
        forget(id, video);
        if (isCrash(error) && countCrash(id) >= MAX_CRASHES) {
          throw new ProviderFailure("rejected", "The sandbox could not render this video.", error.detail);
        }
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
