import type { Writable } from "node:stream";
import { codeOf } from "../kit/index.ts";

type StandardOutput = {
  write(text: string): void;
  /** Waits until everything is written; answers why some of it could not be. */
  written(): Promise<Error | null>;
};

/**
 * What a command prints may be shown once only: a key, a link. So its loss is told, but for that of a reader who has gone
 * (`| head`): it has read what it wanted.
 */
export function createStandardOutput(stream: Writable): StandardOutput {
  let lost: Error | null = null;
  let written = Promise.resolve();
  // Each write answers for itself; without a listener the runtime would end the process.
  stream.on("error", () => {});
  return {
    write(text) {
      const before = written;
      written = new Promise((resolve) => {
        stream.write(text, (error) => {
          lost ??= error ?? null;
          resolve(before);
        });
      });
    },
    async written() {
      await written;
      return codeOf(lost) === "EPIPE" ? null : lost;
    },
  };
}
