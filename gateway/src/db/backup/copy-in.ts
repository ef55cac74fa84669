import { once } from "node:events";
import type { Writable } from "node:stream";
import type pg from "pg";

type Wire = {
  query(text: string): void;
  readonly stream: Writable;
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
};

/** Feeds `copy … from stdin`; returns how many rows the server accepted. */
export function copyIn(client: pg.Client, text: string, source: AsyncIterable<Uint8Array>): Promise<number> {
  return new Promise((resolve, reject) => {
    let rows = 0;
    let failure: unknown = null;
    async function feed(wire: Wire): Promise<void> {
      try {
        for await (const chunk of source) {
          if (failure !== null) return;
          wire.sendCopyFromChunk(chunk);
          if (wire.stream.writableNeedDrain) await once(wire.stream, "drain");
        }
        wire.endCopyFrom();
      } catch (error) {
        failure ??= error;
        wire.sendCopyFail("the backup cannot be read");
      }
    }
    const copying = {
      submit: (wire: Wire) => wire.query(text),
      handleCopyInResponse: (wire: Wire) => void feed(wire),
      // If we aborted the copy, our own reason says more than the server's error.
      handleError(error: Error) {
        failure ??= error;
        reject(failure);
      },
      handleCommandComplete({ text: tag }: { text: string }) {
        rows = Number(/^COPY (\d+)$/.exec(tag)?.[1] ?? Number.NaN);
      },
      handleRowDescription() {},
      handleReadyForQuery: () => resolve(rows),
    };
    client.query(copying as unknown as pg.Submittable);
  });
}
