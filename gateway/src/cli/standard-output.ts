import type { Writable } from "node:stream";
import { codeOf } from "../kit/index.ts";

type StandardOutput = {
  write(text: string): void;
  /** Waits until everything is written; resolves to the error if some of it could not be. */
  written(): Promise<Error | null>;
};

/**
 * A command may print something that is shown only once: a key, a link. So lost output is reported, unless the reader
 * has closed the pipe (`| head`), since it has read what it wanted.
 */
export function createStandardOutput(stream: Writable): StandardOutput {
  let lost: Error | null = null;
  let written = Promise.resolve();
  // Each write reports its own error; without a listener the runtime would end the process.
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
