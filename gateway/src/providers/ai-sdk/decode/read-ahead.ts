/** Parts buffered for a slow reader; beyond this, the upstream has to wait. */
const MOST_WAITING = 256;
/** Parts after the end that are discarded so that the connection can be reused. */
const MOST_LEFT_OVER = 64;

/**
 * Reads a stream ahead and returns parts that arrived together as one batch. The library delivers single parts, each
 * through several promises; everything of one network read has arrived after one event-loop turn.
 */
export type ReadAhead<T> = {
  /** The next batch, never empty; null at the end. Throws the stream's error after everything that came before it. */
  next(): Promise<readonly T[] | null>;
  /** Stops reading. `finished`: a short rest is read to the end; otherwise the upstream is cancelled. */
  close(finished: boolean): void;
};

type End = { readonly isDone: true } | { readonly isDone: false; readonly error: unknown };

export function createReadAhead<T>(stream: ReadableStream<T>): ReadAhead<T> {
  const reader = stream.getReader();
  let waiting: T[] = [];
  let end: End | null = null;
  let isReading = false;
  let leftOver: number | null = null;
  let wake = () => {};

  const stop = () => void reader.cancel().catch(() => {});

  async function pump(): Promise<void> {
    isReading = true;
    try {
      while (end === null && waiting.length < MOST_WAITING) {
        const { done, value } = await reader.read();
        if (done) end = { isDone: true };
        else if (leftOver === null) waiting.push(value);
        else if (++leftOver > MOST_LEFT_OVER) stop();
        wake();
      }
    } catch (error) {
      end = { isDone: false, error };
      wake();
    }
    isReading = false;
  }

  async function next(): Promise<readonly T[] | null> {
    if (!isReading && end === null) void pump();
    if (waiting.length === 0 && end === null) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    if (end === null) await new Promise<void>((resolve) => setImmediate(resolve));
    if (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      return batch;
    }
    return endOf(end);
  }

  return {
    next,
    close(finished) {
      if (end !== null) return;
      leftOver = 0;
      waiting = [];
      if (!finished) stop();
      else if (!isReading) void pump();
    },
  };
}

function endOf(end: End | null): null {
  if (end !== null && !end.isDone) throw end.error;
  return null;
}
