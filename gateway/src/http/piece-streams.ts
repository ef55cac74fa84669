import { overloaded } from "../kit/index.ts";

/** A range of a file that is too long to hold in memory. */
type Stretch = { readonly start: number; readonly length: number };
type ReadBytes = (start: number, length: number) => Promise<Uint8Array<ArrayBuffer>>;

export type PieceStreams = {
  /**
   * A body that is read piece by piece as its reader takes it. Resolves once the first piece is read: until then the
   * status can still be chosen. If too many streams are open, another one is ended to make room, or this rejects with
   * a 503; `owner` owns the file, so that a crowd reading one owner's files costs the others nothing.
   */
  open(read: ReadBytes, range: Stretch, owner: string): Promise<ReadableStream<Uint8Array>>;
  /** The same for pieces produced one at a time. Never refused: the call may already be paid for. */
  pour(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array>;
  readonly openCount: number;
};

type OpenStream = {
  /** Null for streams that are never refused, nor ended to make room. */
  readonly owner: string | null;
  quietSinceMs: number;
  isReading: boolean;
  giveUp(): void;
};

type Laid = {
  readonly body: ReadableStream<Uint8Array>;
  /** Reads the first piece ahead of the reader; rejects if that fails. */
  begin(): Promise<void>;
};

const PIECE_BYTES = 1024 * 1024;
const MOST_LOOK_EVERY_MS = 1_000;

/**
 * Memory is bounded by one piece per stream and the number of streams. A reader that takes nothing for `stallMs` is
 * given up; waiting for the store does not count, and the store bounds that itself.
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
   * Ends one stream of the owner that has the most: the one whose reader has taken nothing for longest. Otherwise
   * sockets that request files and never read them would keep everyone out. A stream that is waiting for the store is
   * ended only for another owner, and only if its owner has more than one.
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

  /** Reads the next piece. Meanwhile the reader waits for us, so it does not count as stalled. */
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
            // Too late for a status: the body ends short of its announced length, which every client notices.
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

/** The streams of the owner that has the most. */
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
