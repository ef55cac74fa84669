import { streamReply } from "./reply.ts";

/** Complete events, each with its blank line; null at the end. */
export type Events = readonly string[] | null;

export type EventSource = {
  /** Never rejects. Called only when the reader wants more, and never after `leave`. Ready events need no promise. */
  next(): Events | Promise<Events>;
  /** The reader is gone, or has stopped reading. Called at most once. */
  leave(): void;
};

export type EventStreams = {
  /** `ended` is called when nothing more will be written, for whatever reason. */
  respond(requestId: string, source: EventSource, ended: () => void): Response;
  readonly open: number;
};

const MOST_LOOK_EVERY_MS = 1_000;
/**
 * Minimum pause between the first events and the next. On a machine with few cores it lets a process that waits for
 * the first byte run, even if the provider sends the rest at once.
 */
const REST_MS = 1;
const KEEP_ALIVE = new TextEncoder().encode(": keep-alive\n\n");

type OpenStream = {
  /** `performance.now()` of the last write. */
  quietSinceMs: number;
  /** True while we wait for the source; false while we wait for the reader. */
  isAsking: boolean;
  keepAlive(): void;
  giveUp(): void;
  readonly ended: () => void;
};

/**
 * Replies as server-sent events. The reader pulls: nothing is read from the source before the reader has taken what
 * came before, so a slow reader holds at most one batch. A batch is one write, and no event is split. One timer serves
 * all streams: it sends a comment if the source is silent, and ends the stream if the reader has stalled.
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

  /** False if it had already ended. */
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
   * A direct stream, written straight to the runtime's socket: the head goes out together with the first events. A
   * pulled stream first sends its status line alone, and on a busy machine the client it wakes would take the CPU.
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

    /** Sends a batch in one write; a returned promise means backpressure. */
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
          // Events that are ready before the first await go out with the head.
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
    // The DOM types, which the console needs, do not know direct streams.
    return new ReadableStream(straight as object);
  }

  return {
    respond: (requestId, source, ended) => streamReply(requestId, open(source, ended)),
    get open() {
      return streams.size;
    },
  };
}
