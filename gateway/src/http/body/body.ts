import { AppError, createDeadlineQueue, createFairShares, createGate, freeBytes } from "../../kit/index.ts";
import type { FairQueue } from "./fair-queue.ts";

type BodyReader = {
  /**
   * Reads the body and passes its bytes to `use`. Large bodies keep their place at the gate until `use` is done, since
   * parsing is what multiplies their memory.
   */
  read<T>(request: Request, reading: Reading<T>): Promise<T>;
};

export type Reading<T> = {
  readonly limitBytes: number;
  /** Whose body it is: one sender's large bodies must not keep out those of others. */
  readonly owner?: string | undefined;
  use(bytes: Uint8Array): T | Promise<T>;
  /** Takes over the place of a large body at the gate: `leave` must then be called, whatever happens. */
  readonly keepPlace?: ((leave: () => void) => void) | undefined;
};

type BodyReaderOptions = {
  readonly bigBodyBytes: number;
  readonly bigBodiesAtOnce: number;
  /** How many of these places one owner may have; all of them if there are no owners. */
  readonly bigBodiesOfOne?: number;
  /** From the start of reading to the last byte; a large body of known length must keep the minimum pace instead. */
  readonly timeoutMs: number;
  /** If given, bodies that need more than a little work wait for their turn before `use`. */
  readonly queue?: FairQueue;
  /** How long a large body may take before its pace counts. */
  readonly graceMs?: number;
};

/** Bodies above this size also wait for their turn if their owner's recent calls were expensive. */
export const LITTLE_BYTES = 8 * 1024;
/** Nearly every body is at most this size, and is simply read. */
const SMALL_BYTES = 64 * 1024;
/**
 * Bounds the bytes of bodies between small and large that are still arriving: leaving out a body's last byte costs its
 * sender next to nothing. There is no queue for this memory, since a waiting body takes as much as one being read.
 */
const UNDER_WAY_BYTES = 192 * 1024 * 1024;
const MAX_WAITING = 128;
const MAX_WAITING_OF_ONE = 32;
const GRACE_MS = 5_000;
/**
 * A body that is too large is still read to its end and discarded: most clients send all of it before they read the
 * reply, and would otherwise see only a broken connection. Nobody exceeds this size by mistake.
 */
const MOST_THROWN_AWAY_BYTES = 256 << 20;
/** Minimum pace of a large body after the grace: all uplinks in use are faster, and a slow sender blocks a place. */
const LEAST_BYTES_PER_MS = 64;
const EMPTY = new Uint8Array(0);
const DIGITS = /^\d{1,15}$/;

export function createBodyReader(options: BodyReaderOptions): BodyReader {
  const { bigBodyBytes, bigBodiesAtOnce, timeoutMs, graceMs = GRACE_MS } = options;
  const { bigBodiesOfOne = bigBodiesAtOnce, queue } = options;
  const waits = createDeadlineQueue(timeoutMs);
  const underWay = createFairShares({ most: UNDER_WAY_BYTES });
  // Each waiting body has about a megabyte here; the rest stays in the buffers of the sender and the system.
  const gate = createGate({
    slots: bigBodiesAtOnce,
    maxWaiting: MAX_WAITING,
    maxWaitMs: timeoutMs,
    ofOne: { slots: bigBodiesOfOne, maxWaiting: MAX_WAITING_OF_ONE },
    full: tooManyAtOnce,
  });

  async function inTurn<T>({ owner = "", use }: Reading<T>, bytes: Uint8Array): Promise<T> {
    await queue?.take(owner);
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

  /** Uses a shared deadline queue instead of a timer: this is on the path of every call. */
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
    if (byteLength <= LITTLE_BYTES || queue === undefined) return false;
    return byteLength > SMALL_BYTES || queue.mustWait(owner);
  }

  async function readUnannounced<T>(request: Request, reading: Reading<T>): Promise<T> {
    const { limitBytes, owner = "" } = reading;
    const stream = startReading(request, limitBytes, timeoutMs);
    try {
      if (await stream.readUpTo(Math.min(SMALL_BYTES, bigBodyBytes))) {
        const bytes = stream.bytes();
        return mustWait(reading, bytes) ? await inTurn(reading, bytes) : reading.use(bytes);
      }
      // The final size is unknown, so the most that is read here counts.
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
 * Reads straight into one buffer of the final size: collected by the server, a body of tens of megabytes would be
 * copied as it grows, and take several times the memory.
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
    // Each iteration adds bytes or ends the loop.
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

/** One timer per body is fine: only a few are read at a time. */
function watchPace(graceMs: number, readBytes: () => number, stop: () => void) {
  const startedMs = performance.now();
  const atStart = readBytes();
  return setInterval(() => {
    const countedMs = performance.now() - startedMs - graceMs;
    if (readBytes() - atStart < countedMs * LEAST_BYTES_PER_MS) stop();
  }, graceMs / 4);
}

/** For a body of unknown length: reads it piece by piece and keeps nothing beyond the limit. */
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
    /** Enforces the minimum pace from now on. */
    keepPace(graceMs: number): void {
      pace = watchPace(graceMs, () => sizeBytes, stopLate);
    },
    /** True if the body has ended; false if it has more than `bytes`. Throws beyond the limit. */
    async readUpTo(bytes: number): Promise<boolean> {
      // Each iteration adds bytes or ends the loop, and the bytes are bounded by the limit.
      while (sizeBytes <= bytes) {
        const piece = reader === undefined ? { done: true as const } : await reader.read().catch(refuse);
        if (late) throw tooSlow();
        if (piece.done) return true;
        sizeBytes += piece.value.byteLength;
        if (sizeBytes > limitBytes) {
          // Unlocked, so that the rest can be discarded before the reply is sent.
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
