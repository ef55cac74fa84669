import { AppError, createDeadlineQueue, createFairShares, createGate, freeBytes } from "../../kit/index.ts";
import type { Turns } from "./turns.ts";

type BodyReader = {
  /**
   * Reads and hands the bytes to `use`. Large bodies hold their place at the gate until `use` is done,
   * since parsing is what multiplies their memory.
   */
  read<T>(request: Request, reading: Reading<T>): Promise<T>;
};

export type Reading<T> = {
  readonly limitBytes: number;
  /** Whose it is: one sender's large bodies must not keep out those of others. */
  readonly owner?: string | undefined;
  use(bytes: Uint8Array): T;
  /** Takes over the place of a large body: whoever is given this way out must take it, whatever comes. */
  readonly keepPlace?: ((leave: () => void) => void) | undefined;
};

type BodyReaderOptions = {
  readonly bigBodyBytes: number;
  readonly bigBodiesAtOnce: number;
  /** How many of these places one owner may have; all of them where there are no owners. */
  readonly bigBodiesOfOne?: number;
  /** From the first look at a body to its last byte; a large one of known length must keep the least pace instead. */
  readonly timeoutMs: number;
  /** Whoever has more than little to be worked on waits here before `use`. */
  readonly turns?: Turns;
  /** How long a large body may take before its pace counts. */
  readonly graceMs?: number;
};

/** Bodies above this size also wait for their turn if their owner's recent calls were expensive. */
export const LITTLE_BYTES = 8 * 1024;
/** Nearly every body is at most this size, and is simply read. */
const SMALL_BYTES = 64 * 1024;
/**
 * What lies between small and large, in bytes that are on their way: a body that lacks its last byte costs its sender next
 * to nothing. Nobody waits for a part of it, since one that waits takes as much memory as one that is read.
 */
const UNDER_WAY_BYTES = 192 * 1024 * 1024;
const MAX_WAITING = 128;
const MAX_WAITING_OF_ONE = 32;
const GRACE_MS = 5_000;
/**
 * What is too large is read to its end all the same, and thrown away: most clients send all of it before they look for an
 * answer, and a connection that ends meanwhile is all that they would see. Beyond this it is no mistake.
 */
const MOST_THROWN_AWAY_BYTES = 256 << 20;
/** Of a large body, after the grace: the slowest uplinks in use have more, and who has less keeps a place from others. */
const LEAST_BYTES_PER_MS = 64;
const EMPTY = new Uint8Array(0);
const DIGITS = /^\d{1,15}$/;

export function createBodyReader(options: BodyReaderOptions): BodyReader {
  const { bigBodyBytes, bigBodiesAtOnce, timeoutMs, graceMs = GRACE_MS } = options;
  const { bigBodiesOfOne = bigBodiesAtOnce, turns } = options;
  const waits = createDeadlineQueue(timeoutMs);
  const underWay = createFairShares({ most: UNDER_WAY_BYTES });
  // Of those who wait about a megabyte each is here: the rest stays in the sender's and the system's buffers.
  const gate = createGate({
    slots: bigBodiesAtOnce,
    maxWaiting: MAX_WAITING,
    maxWaitMs: timeoutMs,
    ofOne: { slots: bigBodiesOfOne, maxWaiting: MAX_WAITING_OF_ONE },
    full: tooManyAtOnce,
  });

  async function inTurn<T>({ owner = "", use }: Reading<T>, bytes: Uint8Array): Promise<T> {
    await turns?.take(owner);
    return use(bytes);
  }

  async function counted<T>(owner: string, sizeBytes: number, work: () => Promise<T>): Promise<T> {
    if (!underWay.take(owner, sizeBytes)) throw tooManyAtOnce();
    try {
      return await work();
    } finally {
      underWay.giveBack(owner, sizeBytes);
    }
  }

  async function throughGate<T>({ owner, keepPlace }: Reading<T>, work: () => Promise<T>): Promise<T> {
    const leave = await gate.enter(owner);
    keepPlace?.(leave);
    try {
      return await work();
    } finally {
      if (keepPlace === undefined) leave();
    }
  }

  /** No timer of its own: this is on the path of every call. */
  async function readAtOnce<T>(request: Request, reading: Reading<T>): Promise<T> {
    const whole = Promise.withResolvers<Uint8Array>();
    const limit = waits.add(whole, rejectAsSlow);
    let bytes: Uint8Array;
    try {
      request.bytes().then(whole.resolve, whole.reject);
      bytes = await whole.promise;
    } catch (error) {
      throw asRefusal(error);
    } finally {
      limit.clear();
    }
    if (mustWait(reading, bytes)) return inTurn(reading, bytes);
    return reading.use(bytes);
  }

  function mustWait({ owner = "" }: Reading<unknown>, { byteLength }: Uint8Array): boolean {
    if (byteLength <= LITTLE_BYTES || turns === undefined) return false;
    return byteLength > SMALL_BYTES || turns.mustWait(owner);
  }

  async function readUnannounced<T>(request: Request, reading: Reading<T>): Promise<T> {
    const { limitBytes, owner = "" } = reading;
    const stream = startReading(request, limitBytes, timeoutMs);
    try {
      if (await stream.readUpTo(Math.min(SMALL_BYTES, bigBodyBytes))) {
        const bytes = stream.bytes();
        return mustWait(reading, bytes) ? await inTurn(reading, bytes) : reading.use(bytes);
      }
      // How much there will be nobody knows.
      const isWhole = await counted(owner, bigBodyBytes, () => stream.readUpTo(bigBodyBytes));
      if (isWhole) return await inTurn(reading, stream.bytes());
      return await throughGate(reading, async () => {
        stream.keepPace(graceMs);
        await stream.readUpTo(limitBytes);
        return inTurn(reading, stream.bytes());
      });
    } finally {
      stream.stop();
    }
  }

  return {
    read(request, reading) {
      const { limitBytes, owner = "" } = reading;
      const declared = request.headers.get("content-length");
      if (declared === null || !DIGITS.test(declared)) return readUnannounced(request, reading);
      const sizeBytes = Number(declared);
      if (sizeBytes > limitBytes)
        return Promise.reject(tooLarge(limitBytes, sizeBytes <= MOST_THROWN_AWAY_BYTES));
      if (sizeBytes <= bigBodyBytes) {
        if (sizeBytes <= SMALL_BYTES) return readAtOnce(request, reading);
        return counted(owner, sizeBytes, () => readAtOnce(request, reading));
      }
      return throughGate(reading, async () => inTurn(reading, await readLarge(request, sizeBytes, graceMs)));
    },
  };
}

function rejectAsSlow({ reject }: PromiseWithResolvers<Uint8Array>): void {
  reject(tooSlow());
}

/**
 * Straight into the memory that it needs: collected by the server, a body of tens of megabytes would be copied as
 * it grows, and take several times as much.
 */
async function readLarge(request: Request, sizeBytes: number, graceMs: number): Promise<Uint8Array> {
  const whole = new Uint8Array(sizeBytes);
  const reader = request.body?.getReader();
  let at = 0;
  let isLate = false;
  const pace = watchPace(graceMs, () => at, stop);

  function stop(): void {
    isLate = true;
    reader?.cancel().catch(() => {});
  }

  try {
    // Each round adds bytes or ends.
    for (;;) {
      const piece = reader === undefined ? { done: true as const } : await reader.read();
      if (isLate) throw tooSlow();
      if (piece.done && at < sizeBytes) throw new Error("shorter than it was said to be");
      if (piece.done) return whole;
      const { value } = piece;
      whole.set(value, at);
      at += value.byteLength;
      if (value.byteLength === value.buffer.byteLength) freeBytes(value);
    }
  } catch (error) {
    throw asRefusal(error);
  } finally {
    clearInterval(pace);
  }
}

/** A timer for each, since only a few are read at a time. */
function watchPace(graceMs: number, readBytes: () => number, stop: () => void) {
  const startedMs = performance.now();
  const atStart = readBytes();
  return setInterval(() => {
    const countedMs = performance.now() - startedMs - graceMs;
    if (readBytes() - atStart < countedMs * LEAST_BYTES_PER_MS) stop();
  }, graceMs / 4);
}

/** A body of unknown length: read piece by piece, and never a piece beyond the limit is kept. */
function startReading(request: Request, limitBytes: number, timeoutMs: number) {
  const reader = request.body?.getReader();
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  let late = false;
  const timer = setTimeout(stopLate, timeoutMs);
  let pace: ReturnType<typeof setInterval> | undefined;

  function stopLate(): void {
    late = true;
    stop();
  }

  function stop(): void {
    clearTimeout(timer);
    clearInterval(pace);
    reader?.cancel().catch(() => {});
  }

  return {
    /** From now on. */
    keepPace(graceMs: number): void {
      pace = watchPace(graceMs, () => sizeBytes, stopLate);
    },
    /** True when the body ended; false when there is more than `bytes` of it. Throws beyond the limit. */
    async readUpTo(bytes: number): Promise<boolean> {
      // Each round adds bytes or ends, and the bytes are bounded by the limit.
      while (sizeBytes <= bytes) {
        const piece = reader === undefined ? { done: true as const } : await reader.read().catch(refuse);
        if (late) throw tooSlow();
        if (piece.done) return true;
        sizeBytes += piece.value.byteLength;
        if (sizeBytes > limitBytes) {
          // Whoever answers may take the rest.
          reader?.releaseLock();
          throw tooLarge(limitBytes, false);
        }
        pieces.push(piece.value);
      }
      return false;
    },
    bytes: () => (pieces.length === 1 ? (pieces[0] ?? EMPTY) : concatenate(pieces, sizeBytes)),
    stop,
  };
}

function concatenate(pieces: readonly Uint8Array[], sizeBytes: number): Uint8Array {
  const whole = new Uint8Array(sizeBytes);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}

function refuse(error: unknown): never {
  throw asRefusal(error);
}

function asRefusal(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError("validation_error", "body: the connection ended before the body did", { cause: error });
}

function tooLarge(limitBytes: number, keepsConnection: boolean): AppError {
  return new AppError("validation_error", `body: must be at most ${limitBytes} bytes`, {
    status: 413,
    keepsConnection,
  });
}

function tooSlow(): AppError {
  return new AppError("validation_error", "body: took too long to arrive", { status: 408 });
}

export function tooManyAtOnce(): AppError {
  return new AppError("internal_error", "Too many large requests at once. Try again in a moment.", {
    status: 503,
    retryAfterSeconds: 2,
  });
}
