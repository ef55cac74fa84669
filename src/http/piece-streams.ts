import { overloaded } from "../kit/index.ts";

/** A stretch of a file that is longer than anybody should hold. */
type Stretch = { readonly start: number; readonly length: number };
type ReadBytes = (start: number, length: number) => Promise<Uint8Array<ArrayBuffer>>;

export type PieceStreams = {
  /**
   * A body that is read piece by piece, as its reader takes it. Resolves when the first piece is there: until then there
   * is a status to choose. Where too many are open, another one is ended for it, or it rejects with a 503; `owner` is
   * whose file it is, so that a crowd around one's files costs others nothing.
   */
  open(read: ReadBytes, range: Stretch, owner: string): Promise<ReadableStream<Uint8Array>>;
  /** The same of pieces that somebody makes, one at a time. Never refused: its call may be paid for. */
  pour(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array>;
  /** How many are open now. */
  readonly openCount: number;
};

type OpenStream = {
  /** Null for what is never refused, nor ended for others. */
  readonly owner: string | null;
  quietSinceMs: number;
  isReading: boolean;
  giveUp(): void;
};

type Laid = {
  readonly body: ReadableStream<Uint8Array>;
  /** Reads the first piece ahead of the reader; rejects where it cannot be had. */
  begin(): Promise<void>;
};

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

  /**
   * Ends one of whoever has most, the one whose reader took nothing for longest: sockets that ask and never read would
   * keep everybody out. One that waits for the store is ended for another owner alone, and only where it has company.
   */
  function makeRoomFor(newcomer: string): boolean {
    const crowd = largestOf([...streams].filter(({ owner }) => owner !== null));
    const byQuiet = crowd.toSorted((a, b) => a.quietSinceMs - b.quietSinceMs);
    const quiet = byQuiet.find(({ isReading }) => !isReading);
    const mayEndBusy = crowd.length > 1 && crowd[0]?.owner !== newcomer;
    const ended = quiet ?? (mayEndBusy ? byQuiet[0] : undefined);
    ended?.giveUp();
    return ended !== undefined;
  }

  /** The next piece. Its reader does not keep us waiting meanwhile; we do him. */
  async function take(
    stream: OpenStream,
    pieces: AsyncGenerator<Uint8Array>,
  ): Promise<IteratorResult<Uint8Array>> {
    stream.isReading = true;
    try {
      return await pieces.next();
    } catch (error) {
      remove(stream);
      throw error;
    } finally {
      stream.isReading = false;
      stream.quietSinceMs = performance.now();
    }
  }

  function lay(pieces: AsyncGenerator<Uint8Array>, owner: string | null): Laid {
    let end: (reason: Error) => void;
    const stream: OpenStream = {
      owner,
      quietSinceMs: performance.now(),
      isReading: false,
      giveUp() {
        remove(stream);
        end(new Error("the reader stopped reading"));
      },
    };
    let first: IteratorResult<Uint8Array> | null = null;
    const body = new ReadableStream<Uint8Array>(
      {
        start(controller) {
          end = (reason) => controller.error(reason);
          add(stream);
        },
        async pull(controller) {
          try {
            const { value, done } = first ?? (await take(stream, pieces));
            first = null;
            if (!streams.has(stream)) return;
            stream.quietSinceMs = performance.now();
            if (!done) return controller.enqueue(value);
            remove(stream);
            controller.close();
          } catch (error) {
            // Too late for a status: the body ends short of what was promised, which every client notices.
            controller.error(error);
          }
        },
        cancel() {
          remove(stream);
        },
      },
      { highWaterMark: 0 },
    );
    return {
      body,
      async begin() {
        first = await take(stream, pieces);
        if (!streams.has(stream)) throw overloaded("another reader took this one's place");
      },
    };
  }

  return {
    async open(read, range, owner) {
      const isFull = streams.size >= options.mostOpen && countOwned(streams) >= options.mostOpen;
      if (isFull && !makeRoomFor(owner)) throw overloaded("too many files are being read");
      const { body, begin } = lay(piecesOf(read, range, PIECE_BYTES), owner);
      await begin();
      return body;
    },
    pour: (pieces) => lay(pieces, null).body,
    get openCount() {
      return streams.size;
    },
  };
}

function countOwned(streams: Iterable<OpenStream>): number {
  let count = 0;
  for (const { owner } of streams) if (owner !== null) count++;
  return count;
}

/** The streams of the owner that has most of them. */
function largestOf(streams: readonly OpenStream[]): readonly OpenStream[] {
  const byOwner = Map.groupBy(streams, ({ owner }) => owner);
  return [...byOwner.values()].reduce((most, some) => (some.length > most.length ? some : most), []);
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
