/** Parts that may wait for a slow reader; beyond it the upstream is held back. */
const MOST_WAITING = 256;
/** Parts after the end that are thrown away so that the connection can be used again. */
const MOST_LEFT_OVER = 64;

/**
 * Reads a stream ahead and gives what arrived together as one batch. The library hands over single parts,
 * each through several promises; everything from one network read has arrived when a turn of the event
 * loop is over.
 */
export type ReadAhead<T> = {
  /** The next batch, never empty; null at the end. Throws what the stream failed with, after what came before. */
  next(): Promise<readonly T[] | null>;
  /** No more is wanted: `finished` lets a short rest run out, else the upstream is told to stop. */
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
