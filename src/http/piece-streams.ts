import { overloaded } from "../kit/index.ts";

/** A stretch of a file that is longer than anybody should hold. */
type Stretch = { readonly start: number; readonly length: number };
type ReadBytes = (start: number, length: number) => Promise<Uint8Array<ArrayBuffer>>;

export type PieceStreams = {
  /** A body that is read piece by piece, as its reader takes it. Throws a 503 where too many are open. */
  open(read: ReadBytes, range: Stretch): ReadableStream<Uint8Array>;
  /** The same of pieces that somebody makes, one at a time. Never refused: its call may be paid for. */
  pour(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array>;
  /** How many are open now. */
  readonly openCount: number;
};

type OpenStream = { quietSinceMs: number; isReading: boolean; giveUp(): void };

const PIECE_BYTES = 1024 * 1024;
const MOST_LOOK_EVERY_MS = 1_000;

/**
 * Memory is bounded by one piece for each stream and by the number of streams. A reader that takes nothing for
 * `stallMs` is given up; the time that the store needs for a piece is bounded by the store and does not count.
 */
export function createPieceStreams(options: {
  readonly stallMs: number;
  readonly mostOpen: number;
}): PieceStreams {
  const streams = new Set<OpenStream>();
  let timer: ReturnType<typeof setInterval> | undefined;

  function look(): void {
    const nowMs = performance.now();
    for (const stream of streams) {
      if (!stream.isReading && nowMs - stream.quietSinceMs >= options.stallMs) stream.giveUp();
    }
  }

  function add(stream: OpenStream): void {
    streams.add(stream);
    if (timer) return;
    timer = setInterval(look, Math.min(MOST_LOOK_EVERY_MS, options.stallMs / 2));
    timer.unref();
  }

  function remove(stream: OpenStream): void {
    streams.delete(stream);
    if (streams.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function pour(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
    let stream: OpenStream;
    return new ReadableStream<Uint8Array>(
      {
        start(controller) {
          stream = {
            quietSinceMs: performance.now(),
            isReading: false,
            giveUp() {
              remove(stream);
              controller.error(new Error("the reader stopped reading"));
            },
          };
          add(stream);
        },
        async pull(controller) {
          stream.isReading = true;
          try {
            const { value, done } = await pieces.next();
            if (!streams.has(stream)) return;
            if (!done) return controller.enqueue(value);
            remove(stream);
            controller.close();
          } catch (error) {
            // Too late for a status: the body ends short of what was promised, which every client notices.
            remove(stream);
            controller.error(error);
          } finally {
            stream.isReading = false;
            stream.quietSinceMs = performance.now();
          }
        },
        cancel() {
          remove(stream);
        },
      },
      { highWaterMark: 0 },
    );
  }

  return {
    open(read, range) {
      if (streams.size >= options.mostOpen) throw overloaded("too many files are being read");
      return pour(piecesOf(read, range, PIECE_BYTES));
    },
    pour,
    get openCount() {
      return streams.size;
    },
  };
}

/** A file's bytes in order, `pieceBytes` at a time. */
export async function* piecesOf(
  read: ReadBytes,
  { start, length }: Stretch,
  pieceBytes: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let sent = 0; sent < length; sent += pieceBytes) {
    yield await read(start + sent, Math.min(pieceBytes, length - sent));
  }
}
