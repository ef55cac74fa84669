import { Readable } from "node:stream";
import type pg from "pg";

type Wire = { query(text: string): void; readonly stream: { pause(): void; resume(): void } };

/** The server sends one message per row; passing on each of them would cost more than the copying. */
const BUFFER_BYTES = 256 * 1024;

/** The output of `copy … to stdout`, as a stream with backpressure on the server. */
export function copyOut(client: pg.Client, text: string): Readable {
  let wire: Wire | null = null;
  let buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  let used = 0;

  const output = new Readable({
    highWaterMark: 4 * BUFFER_BYTES,
    read: () => wire?.stream.resume(),
  });
  function flush(): void {
    if (used === 0) return;
    if (!output.push(buffer.subarray(0, used))) wire?.stream.pause();
    buffer = Buffer.allocUnsafe(BUFFER_BYTES);
    used = 0;
  }
  const copying = {
    submit(connection: Wire) {
      wire = connection;
      connection.query(text);
    },
    // The parser reuses these bytes, so they are copied at once.
    handleCopyData({ chunk }: { chunk: Buffer }) {
      if (used + chunk.length > BUFFER_BYTES) flush();
      if (chunk.length > BUFFER_BYTES) {
        if (!output.push(Buffer.from(chunk))) wire?.stream.pause();
        return;
      }
      chunk.copy(buffer, used);
      used += chunk.length;
    },
    handleError: (error: Error) => void output.destroy(error),
    handleCommandComplete() {},
    handleRowDescription() {},
    handleReadyForQuery() {
      flush();
      output.push(null);
    },
  };
  client.query(copying as unknown as pg.Submittable);
  return output;
}
