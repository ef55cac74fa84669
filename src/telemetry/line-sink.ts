import { writeSync } from "node:fs";

/** Lines wait at most this long, and at most this many characters of them. */
const MAX_WAIT_MS = 20;
const MAX_BUFFERED_CHARS = 1_048_576;
const STDERR = 2;

export type LineSink = {
  write(line: string): void;
  /** Blocks until everything is handed to the system; for errors and for the end of the process. */
  flush(): void;
};

/**
 * Lines that come close together become one system call. When the reader of a pipe does not keep up, lines
 * are dropped and counted instead of stopping the process or filling its memory.
 */
export function createStderrSink(write: (text: string) => void = writeStderr): LineSink {
  let buffered = "";
  let dropped = 0;
  let scheduled = false;

  function flush(): void {
    scheduled = false;
    if (buffered === "") return;
    const text = buffered;
    buffered = "";
    try {
      write(text);
      if (dropped > 0) {
        const lost = dropped;
        dropped = 0;
        write(`${JSON.stringify({ level: "warn", event: "log_lines_dropped", lines: lost })}\n`);
      }
    } catch {
      dropped += text.split("\n").length - 1;
    }
  }

  process.once("exit", flush);
  return {
    write(line) {
      if (buffered.length + line.length > MAX_BUFFERED_CHARS) {
        dropped++;
        return;
      }
      buffered += line;
      if (scheduled) return;
      scheduled = true;
      setTimeout(flush, MAX_WAIT_MS).unref();
    },
    flush,
  };
}

function writeStderr(text: string): void {
  const bytes = Buffer.from(text);
  let offset = 0;
  // Each round writes at least one byte or throws, so the number of rounds is bounded by the bytes.
  while (offset < bytes.length) offset += writeSync(STDERR, bytes, offset);
}
