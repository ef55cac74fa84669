import { useEffect, useRef, useState } from "react";
import { look, type PlayCall, PlayError, play, unreachable } from "./play.ts";
import type { VideoPoll, VideoTaken } from "./replies.ts";
import { useRepeatKey } from "./use-repeat-key.ts";
import { useSpent } from "./use-spent.ts";

export type Film = {
  readonly id: number;
  readonly call: PlayCall;
  readonly taken: VideoTaken;
  /** As it was seen last; null before the first look. */
  readonly seen: VideoPoll | null;
  /** Nobody could tell how it goes on; the job itself is not touched by that. */
  readonly problem: PlayError | null;
};

function isUnderWay({ seen, problem }: Film): boolean {
  return problem === null && (seen === null || seen.status === "processing");
}

const LOOK_EVERY_MS = 1_500;
/** Looks in a row that may fail before the page says so. */
const PATIENCE = 5;

/** Jobs of this page. They go on without it, too, and end in the library. */
export function useVideo() {
  const [films, setFilms] = useState<readonly Film[]>([]);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<PlayError | null>(null);
  const repeats = useRepeatKey();
  const leave = useRef(new AbortController());
  const onSpent = useSpent();
  const known = useRef(films);
  known.current = films;
  // Behind another page nobody looks, and nothing is asked for; whoever comes back sees how far it is by now.
  useEffect(() => {
    leave.current = new AbortController();
    for (const film of known.current.filter(isUnderWay))
      void watchNow.current(film.id, film.taken.request_id);
    return () => leave.current.abort();
  }, []);

  function change(id: number, changes: Partial<Film>): void {
    setFilms((before) => before.map((film) => (film.id === id ? { ...film, ...changes } : film)));
  }

  async function watch(id: number, requestId: string): Promise<void> {
    const { signal } = leave.current;
    change(id, { problem: null });
    for (let failures = 0; !signal.aborted; ) {
      try {
        const seen = await look<VideoPoll>(requestId, signal);
        failures = 0;
        change(id, { seen });
        if (seen.status !== "processing") return onSpent();
      } catch (error) {
        if (signal.aborted) return;
        if (++failures >= PATIENCE) {
          change(id, { problem: error instanceof PlayError ? error : unreachable() });
          return;
        }
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
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
      const film: Film = { id: performance.now(), call, taken, seen: null, problem: null };
      setFilms((known) => [film, ...known]);
      void watch(film.id, taken.request_id);
    } catch (error) {
      const failed = error instanceof PlayError ? error : unreachable();
      repeats.settle(failed);
      setProblem(failed);
      onSpent(failed);
    } finally {
      setSending(false);
    }
  }

  return { films, isSending, problem, make, watch: (film: Film) => watch(film.id, film.taken.request_id) };
}
