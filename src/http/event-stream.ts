import { streamReply } from "./reply.ts";

/** Where the events of one stream come from. */
export type EventSource = {
  /**
   * Whole events, each with its blank line; null at the end. Never rejects. Asked only when the reader wants more, and
   * no more after `leave`.
   */
  next(): Promise<readonly string[] | null>;
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
 * Replies as server-sent events. The reader pulls: nothing is read from the source before the reader took what came
 * before, so a slow reader holds at most one batch. What came together is one write, and no event is two. One timer
 * looks after all streams: a comment when the source is silent, an end when the reader is.
 */
export function createEventStreams(options: {
  readonly keepAliveMs: number;
  readonly stallMs: number;
}): EventStreams {
  const encoder = new TextEncoder();
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

  function open(source: EventSource, ended: () => void): ReadableStream<Uint8Array> {
    let stream: OpenStream;
    return new ReadableStream<Uint8Array>(
      {
        start(controller) {
          stream = {
            quietSinceMs: performance.now(),
            isAsking: false,
            keepAlive() {
              stream.quietSinceMs = performance.now();
              controller.enqueue(KEEP_ALIVE);
            },
            giveUp() {
              if (!remove(stream)) return;
              source.leave();
              controller.error(new Error("the reader stopped reading"));
            },
            ended,
          };
          add(stream);
        },
        async pull(controller) {
          stream.isAsking = true;
          let events = await source.next();
          // A pull that gives nothing would be the last one, and the reader still waits, unless it has left meanwhile.
          while (events?.length === 0 && streams.has(stream)) events = await source.next();
          stream.isAsking = false;
          if (!streams.has(stream)) return;
          if (events === null) {
            remove(stream);
            controller.close();
            return;
          }
          controller.enqueue(encoder.encode(events.length === 1 ? events[0] : events.join("")));
          stream.quietSinceMs = performance.now();
        },
        cancel() {
          if (remove(stream)) source.leave();
        },
      },
      { highWaterMark: 0 },
    );
  }

  return {
    respond: (requestId, source, ended) => streamReply(requestId, open(source, ended)),
    get open() {
      return streams.size;
    },
  };
}
