import { write } from "node:fs";
import { atMost } from "../kit/index.ts";

/** Lines wait at most this long, and at most this many characters of them. */
const MAX_WAIT_MS = 20;
const MAX_BUFFERED_CHARS = 1_048_576;
/** At the end of the process, how long a reader may take for what is left. */
const END_WAIT_MS = 1_000;
const STDERR = 2;
const LINE_END = 0x0a;

export type LineSink = {
  write(line: string): void;
  /** Does not wait for more lines; for errors. */
  flush(): void;
  /** Resolves when everything is handed to the system, or when the reader took too long; for the end of the process. */
  end(): Promise<void>;
};

/** Tells how much of it the system took, or why it took nothing. */
type Write = (
  bytes: Uint8Array,
  done: (error: NodeJS.ErrnoException | null, writtenBytes: number) => void,
) => void;

/**
 * A pipe whose reader stalls blocks whoever writes to it, so a thread of the runtime's pool does. It waits on one of them
 * at the most: what comes meanwhile waits here.
 */
const writeStderr: Write = (bytes, done) => write(STDERR, bytes, 0, bytes.length, null, done);

/**
 * Lines that come close together become one system call. When the reader of a pipe does not keep up, lines
 * are dropped and counted instead of stopping the process or filling its memory.
 */
export function createStderrSink(writeSome: Write = writeStderr, endWaitMs = END_WAIT_MS): LineSink {
  let buffered = "";
  let dropped = 0;
  let isScheduled = false;
  /** What the system was given and has not taken yet. */
  let underWay: Uint8Array | null = null;
  let droppedUnderWay = 0;
  /** The last thing written is half a line, and the rest of it is lost. */
  let isCut = false;
  let ended: (() => void) | null = null;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(flushScheduled, MAX_WAIT_MS).unref();
  }

  function flushScheduled(): void {
    isScheduled = false;
    flush();
  }

  function flush(): void {
    if (underWay !== null || buffered === "") return;
    const text = dropped === 0 ? buffered : buffered + droppedLine(dropped);
    underWay = Buffer.from(isCut ? `\n${text}` : text);
    droppedUnderWay = dropped;
    buffered = "";
    dropped = 0;
    writeSome(underWay, written);
  }

  function written(error: NodeJS.ErrnoException | null, writtenBytes: number): void {
    const given = underWay;
    if (given === null) return;
    // Whoever shares the pipe may have made it one that refuses instead of blocking.
    if (error?.code === "EAGAIN" || (error === null && writtenBytes === 0)) {
      setTimeout(writeSome, MAX_WAIT_MS, given, written).unref();
      return;
    }
    if (error === null) {
      isCut = given[writtenBytes - 1] !== LINE_END;
      if (writtenBytes < given.length) {
        underWay = given.subarray(writtenBytes);
        writeSome(underWay, written);
        return;
      }
    } else {
      dropped += droppedUnderWay + linesLost(given) - (droppedUnderWay > 0 ? 1 : 0);
    }
    underWay = null;
    if (buffered === "") ended?.();
    else if (ended === null) schedule();
    else flush();
  }

  return {
    write(line) {
      if (buffered.length + line.length > MAX_BUFFERED_CHARS) {
        dropped++;
        return;
      }
      buffered += line;
      // Whatever is under way schedules the next when it ends.
      if (underWay === null) schedule();
    },
    flush,
    async end() {
      flush();
      if (underWay === null) return;
      const all = new Promise<void>((resolve) => {
        ended = resolve;
      });
      await atMost(all, endWaitMs);
    },
  };
}

function droppedLine(lines: number): string {
  return `${JSON.stringify({ level: "warn", event: "log_lines_dropped", lines })}\n`;
}

/** An end of a line that comes first is of one that had been written before. */
function linesLost(bytes: Uint8Array): number {
  let lines = bytes[0] === LINE_END ? -1 : 0;
  for (const byte of bytes) if (byte === LINE_END) lines++;
  return lines;
}

let ofProcess: LineSink | null = null;

/** The one of this process: two of them could each have half a line under way. */
export function stderrSink(): LineSink {
  ofProcess ??= createStderrSink();
  return ofProcess;
}

/** Everything said so far is handed to the system, or its reader took too long. A process that ends waits for it. */
export async function logWritten(): Promise<void> {
  await ofProcess?.end();
}
