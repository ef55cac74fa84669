import { expect, test } from "bun:test";
import { Writable } from "node:stream";
import { createStandardOutput } from "./standard-output.ts";

type Answer = (error?: Error | null) => void;

/** A stream that completes each write when the test says so. */
function scriptedStream() {
  const answers: Answer[] = [];
  const stream = new Writable({ write: (_chunk, _encoding, answer) => void answers.push(answer) });
  return { stream, answer: (error?: Error) => answers.shift()?.(error) };
}

const errorOf = (code: string) => Object.assign(new Error(`${code}: write`), { code });

test("written() waits until everything is written, however slow the reader", async () => {
  const { stream, answer } = scriptedStream();
  const output = createStandardOutput(stream);
  output.write("a");
  output.write("b");
  let isOver = false;
  const written = output.written().finally(() => {
    isOver = true;
  });
  answer();
  await Bun.sleep(1);
  expect(isOver).toBe(false);
  answer();
  expect(await written).toBeNull();
});

test("written() returns the error of a failed write, whatever was written after it", async () => {
  const { stream, answer } = scriptedStream();
  const output = createStandardOutput(stream);
  output.write("a");
  output.write("b");
  answer(errorOf("ENOSPC"));
  expect((await output.written())?.message).toBe("ENOSPC: write");
});

test("written() returns no error if the reader has gone", async () => {
  const { stream, answer } = scriptedStream();
  const output = createStandardOutput(stream);
  output.write("a");
  answer(errorOf("EPIPE"));
  output.write("b");
  expect(await output.written()).toBeNull();
});
