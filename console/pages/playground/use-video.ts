import { useEffect, useRef, useState } from "react";
import { failureOf, look, type PlayCall, type PlayError, play } from "./play.ts";
import type { VideoPoll, VideoTaken } from "./replies.ts";
import { useRepeatKey } from "./use-repeat-key.ts";
import { useSpent } from "./use-spent.ts";

export type Video = {
  readonly id: number;
  readonly call: PlayCall;
  readonly taken: VideoTaken;
  /** As it was seen last; null before the first look. */
  readonly seen: VideoPoll | null;
  /** Nobody could tell how it goes on; the job itself is not touched by that. */
  readonly problem: PlayError | null;
  /** It was refused to be told, and asking again would be, too. */
  readonly isGivenUp: boolean;
};

function isUnderWay({ seen, isGivenUp }: Video): boolean {
  return !isGivenUp && (seen === null || seen.status === "processing");
}

const LOOK_EVERY_MS = 1_500;
/** Looks in a row that may fail before the page says so; it goes on looking, less often. */
const PATIENCE = 5;
const LOOK_RARELY_EVERY_MS = 5_000;

/** Comes back by itself: a gateway that is away or busy, or who was signed out, but not one that says no. */
function isPassing({ status, code }: PlayError): boolean {
  return status === null || status >= 500 || status === 408 || status === 429 || code === "signed_out";
}

/** Jobs of this page. They go on without it, too, and end in the library. */
export function useVideo() {
  const [videos, setVideos] = useState<readonly Video[]>([]);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<PlayError | null>(null);
  const repeats = useRepeatKey();
  const leave = useRef(new AbortController());
  const { onSpent, onRefused } = useSpent();
  const known = useRef(videos);
  known.current = videos;
  // Behind another page nobody looks, and nothing is asked for; whoever comes back sees how far it is by now.
  useEffect(() => {
    leave.current = new AbortController();
    for (const video of known.current.filter(isUnderWay)) void watchNow.current(video);
    return () => leave.current.abort();
  }, []);

  function change(id: number, changes: Partial<Video>): void {
    setVideos((before) => before.map((video) => (video.id === id ? { ...video, ...changes } : video)));
  }

  async function watch({ id, call, taken }: Video): Promise<void> {
    const { signal } = leave.current;
    change(id, { problem: null, isGivenUp: false });
    for (let failures = 0; !signal.aborted; ) {
      try {
        const seen = await look<VideoPoll>(taken.request_id, signal);
        failures = 0;
        change(id, { seen, problem: null });
        if (seen.status !== "processing") return onSpent();
      } catch (error) {
        if (signal.aborted) return;
        const failed = failureOf(error);
        const isGivenUp = !isPassing(failed);
        // Asked for by nobody, it changes nothing elsewhere but who is there.
        const problem = failed.code === "signed_out" ? onRefused(failed, call) : failed;
        if (++failures >= PATIENCE) change(id, { problem, isGivenUp });
        if (failures >= PATIENCE && isGivenUp) return;
      }
      const pauseMs = failures < PATIENCE ? LOOK_EVERY_MS : LOOK_RARELY_EVERY_MS;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  const watchNow = useRef(watch);
  watchNow.current = watch;

  async function make(call: PlayCall): Promise<void> {
    setSending(true);
    setProblem(null);
    try {
      const taken = await play<VideoTaken>(call, repeats.keyFor(call));
      repeats.settle();
      const video: Video = {
        id: performance.now(),
        call,
        taken,
        seen: null,
        problem: null,
        isGivenUp: false,
      };
      setVideos((known) => [video, ...known]);
      // Held and under way: a library that was just looked at would not ask for it, and never learn that it came.
      onSpent();
      void watch(video);
    } catch (error) {
      const failed = failureOf(error);
      repeats.settle(failed);
      setProblem(onRefused(failed, call));
    } finally {
      setSending(false);
    }
  }

  return { videos, isSending, problem, make, watch };
}
