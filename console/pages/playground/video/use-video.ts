import { useEffect, useRef, useState } from "react";
import { failureOf, look, type PlayCall, type PlayError, play } from "../play.ts";
import type { VideoPoll, VideoTaken } from "../replies.ts";
import { useRepeatKey } from "../use-repeat-key.ts";
import { useSpent } from "../use-spent.ts";
import { createLookPace } from "./look-pace.ts";

export type Video = {
  readonly id: number;
  readonly call: PlayCall;
  readonly taken: VideoTaken;
  /** The last known state; null before the first poll. */
  readonly seen: VideoPoll | null;
  /** The state could not be fetched; the job itself is not affected. */
  readonly problem: PlayError | null;
  /** The state was refused, and asking again would not help. */
  readonly isGivenUp: boolean;
};

function isUnderWay({ seen, isGivenUp }: Video): boolean {
  return !isGivenUp && (seen === null || seen.status === "processing");
}

/** True if it may pass by itself: the gateway is down or busy, or the user was signed out. False for refusals. */
function isPassing({ status, code }: PlayError): boolean {
  return status === null || status >= 500 || status === 408 || status === 429 || code === "signed_out";
}

/** The jobs of this page. They continue without it, and end in the library. */
export function useVideo() {
  const [videos, setVideos] = useState<readonly Video[]>([]);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<PlayError | null>(null);
  const repeats = useRepeatKey();
  const leave = useRef(new AbortController());
  const { onSpent, onRefused } = useSpent();
  const known = useRef(videos);
  known.current = videos;
  // Nothing is polled while another page is shown; on coming back the current state is fetched.
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
    const pace = createLookPace(performance.now());
    change(id, { problem: null, isGivenUp: false });
    while (!signal.aborted) {
      try {
        const seen = await look<VideoPoll>(taken.request_id, signal);
        pace.succeeded();
        change(id, { seen, problem: null });
        if (seen.status !== "processing") return onSpent();
      } catch (error) {
        if (signal.aborted) return;
        const failed = failureOf(error);
        const isGivenUp = !isPassing(failed);
        // Polling is not a user's action, so a failure affects other pages only if the user was signed out.
        const problem = failed.code === "signed_out" ? onRefused(failed, call) : failed;
        pace.failed();
        if (pace.isBackingOff) change(id, { problem, isGivenUp });
        if (pace.isBackingOff && isGivenUp) return;
      }
      const pauseMs = pace.pauseMs(performance.now());
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
      // Credits are held and the job runs: otherwise a library loaded just before would not refetch, and never learn of
      // it.
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
