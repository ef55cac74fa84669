import { write } from "node:fs";
import { atMost } from "../kit/index.ts";

/** Lines are buffered for at most this long, and at most this many characters. */
const MAX_WAIT_MS = 20;
const MAX_BUFFERED_CHARS = 1_048_576;
/** How long to wait for the reader at the end of the process. */
const END_WAIT_MS = 1_000;
const STDERR = 2;
const LINE_END = 0x0a;

export type LineSink = {
  write(line: string): void;
  /** Writes without waiting for more lines; for errors. */
  flush(): void;
  /**
   * Resolves once everything was handed to the system, or the reader took too long; for the end of the process. Whatever
   * is logged meanwhile is left out, so that the reason for the end is the last line.
   */
  end(): Promise<void>;
};

/** Calls back with how many bytes the system accepted, or with the error. */
type Write = (
  bytes: Uint8Array,
  done: (error: NodeJS.ErrnoException | null, writtenBytes: number) => void,
) => void;

/**
 * A pipe whose reader stalls blocks the writer, so the write runs on a thread of the runtime's pool. At most one thread
 * is blocked like this: lines that come meanwhile are buffered here.
 */
const writeStderr: Write = (bytes, done) => write(STDERR, bytes, 0, bytes.length, null, done);

/**
 * Combines lines that come close together into one system call. If the reader of a pipe does not keep up, lines are
 * dropped and counted, instead of stopping the process or filling its memory.
 */
export function createStderrSink(writeSome: Write = writeStderr, endWaitMs = END_WAIT_MS): LineSink {
  let buffered = "";
  let dropped = 0;
  let isScheduled = false;
  /** Handed to the system but not accepted yet. */
  let underWay: Uint8Array | null = null;
  let droppedUnderWay = 0;
  /** True if the last write ended in the middle of a line whose rest is lost. */
  let isCut = false;
  let ended: (() => void) | null = null;
  let isEnding = false;

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
    // Another process that shares the pipe may have made it non-blocking.
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
      if (isEnding) return;
      if (buffered.length + line.length > MAX_BUFFERED_CHARS) {
        dropped++;
        return;
      }
      buffered += line;
      // A write in progress schedules the next one when it ends.
      if (underWay === null) schedule();
    },
    flush,
    async end() {
      isEnding = true;
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

/** A leading newline ends a line that was written before, so it does not count. */
function linesLost(bytes: Uint8Array): number {
  let lines = bytes[0] === LINE_END ? -1 : 0;
  for (const byte of bytes) if (byte === LINE_END) lines++;
  return lines;
}

let ofProcess: LineSink | null = null;

/** One per process: with two, each could have half a line in progress. */
export function stderrSink(): LineSink {
  ofProcess ??= createStderrSink();
  return ofProcess;
}

/**
 * Resolves once everything logged so far was handed to the system, or the reader took too long. Call it before the
 * process ends.
 */
export async function logWritten(): Promise<void> {
  await ofProcess?.end();
}
