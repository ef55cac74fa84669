import { streamReply } from "./reply.ts";

/** Whole events, each with its blank line; null at the end. */
export type Events = readonly string[] | null;

/** Where the events of one stream come from. */
export type EventSource = {
  /** Never rejects. Asked only when the reader wants more, and no more after `leave`. What is there needs no promise. */
  next(): Events | Promise<Events>;
  /** The reader is gone, or has stopped reading. Called once at the most. */
  leave(): void;
};

export type EventStreams = {
  /** `ended` is told when nothing more will be written, however it ended. */
  respond(requestId: string, source: EventSource, ended: () => void): Response;
  /** Streams that are open now. */
  readonly open: number;
};

const MOST_LOOK_EVERY_MS = 1_000;
/**
 * The least time between the first events and the next: who waits for the first byte gets to run, where there are few
 * cores and a provider says the rest in one go.
 */
const REST_MS = 1;
const KEEP_ALIVE = new TextEncoder().encode(": keep-alive\n\n");

type OpenStream = {
  /** Since when nothing was written. */
  quietSinceMs: number;
  /** True while we wait for the source; false while we wait for the reader. */
  isAsking: boolean;
  keepAlive(): void;
  giveUp(): void;
  readonly ended: () => void;
};

/**
 * Replies as server-sent events. The reader pulls: nothing is read from the source until the reader has taken what came
 * before, so a slow reader holds at most one batch. What arrived together is one write, and no event is split. One timer
 * serves all streams: it sends a comment when the source is silent, and ends the stream when the reader is.
 */
export function createEventStreams(options: {
  readonly keepAliveMs: number;
  readonly stallMs: number;
}): EventStreams {
  const lookEveryMs = Math.min(MOST_LOOK_EVERY_MS, options.keepAliveMs / 2, options.stallMs / 2);
  const streams = new Set<OpenStream>();
  let timer: ReturnType<typeof setInterval> | undefined;

  function look(): void {
    const nowMs = performance.now();
    for (const stream of streams) {
      const quietMs = nowMs - stream.quietSinceMs;
      if (stream.isAsking && quietMs >= options.keepAliveMs) stream.keepAlive();
      else if (!stream.isAsking && quietMs >= options.stallMs) stream.giveUp();
    }
  }

  function add(stream: OpenStream): void {
    streams.add(stream);
    if (timer) return;
    timer = setInterval(look, lookEveryMs);
    timer.unref();
  }

  /** False where it had ended before. */
  function remove(stream: OpenStream): boolean {
    const wasOpen = streams.delete(stream);
    if (wasOpen) stream.ended();
    if (streams.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
    return wasOpen;
  }

  /**
   * Written straight to the runtime's socket: the head goes out with the first events, in one piece. A stream that is
   * pulled sends its status line by itself first, and who wakes up by it takes our place on a busy machine.
   */
  function open(source: EventSource, ended: () => void): ReadableStream<Uint8Array> {
    let socket: ReadableStreamDirectController | null = null;
    const stream: OpenStream = {
      quietSinceMs: performance.now(),
      isAsking: false,
      keepAlive() {
        stream.quietSinceMs = performance.now();
        socket?.write(KEEP_ALIVE);
        socket?.flush();
      },
      giveUp() {
        if (!remove(stream)) return;
        source.leave();
        socket?.close(new Error("the reader stopped reading"));
      },
      ended,
    };
    add(stream);

    /** What came together, in one write; how long the reader lets us wait before the next one. */
    function write(to: ReadableStreamDirectController, events: readonly string[]): Promise<number> | number {
      const written = to.write(events.length === 1 ? (events[0] ?? "") : events.join(""));
      to.flush();
      stream.quietSinceMs = performance.now();
      return written;
    }

    const straight: Bun.DirectUnderlyingSource<Uint8Array> = {
      type: "direct",
      async pull(controller) {
        socket = controller;
        let writes = 0;
        while (streams.has(stream)) {
          stream.isAsking = true;
          const coming = source.next();
          // What is there before the first wait goes out with the head.
          const events = coming instanceof Promise ? await coming : coming;
          stream.isAsking = false;
          if (!streams.has(stream)) return;
          if (events === null) {
            remove(stream);
            controller.close();
            return;
          }
          if (events.length === 0) continue;
          if (++writes === 2 && performance.now() - stream.quietSinceMs < REST_MS) {
            await Bun.sleep(REST_MS);
            if (!streams.has(stream)) return;
          }
          const written = write(controller, events);
          if (typeof written !== "number") await written;
        }
      },
      cancel() {
        if (remove(stream)) source.leave();
      },
    };
    // The types of browsers, which the console needs, do not know this kind.
    return new ReadableStream(straight as object);
  }

  return {
    respond: (requestId, source, ended) => streamReply(requestId, open(source, ended)),
    get open() {
      return streams.size;
    },
  };
}
