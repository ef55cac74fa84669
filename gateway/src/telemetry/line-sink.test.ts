import { describe, expect, test } from "bun:test";
import { createStderrSink } from "./line-sink.ts";

type Done = (error: NodeJS.ErrnoException | null, writtenBytes: number) => void;

/** A system that accepts as much as each test lets it. */
function stubbornSystem() {
  const given: { text: string; done: Done }[] = [];
  let taken = "";
  return {
    given,
    write: (bytes: Uint8Array, done: Done) => void given.push({ text: Buffer.from(bytes).toString(), done }),
    get taken() {
      return taken;
    },
    take(chars = Number.POSITIVE_INFINITY) {
      const { text, done } = last(given);
      taken += text.slice(0, chars);
      done(null, Math.min(chars, text.length));
    },
    refuse(code: string) {
      last(given).done(Object.assign(new Error(code), { code }), 0);
    },
  };
}

function last<T>(items: readonly T[]): T {
  const item = items.at(-1);
  if (item === undefined) throw new Error("nothing was written");
  return item;
}

describe("the log sink", () => {
  test("writes lines together, without a flush", async () => {
    const first = Promise.withResolvers<string>();
    const sink = createStderrSink((bytes) => first.resolve(Buffer.from(bytes).toString()));
    sink.write("a\n");
    sink.write("b\n");
    expect(await first.promise).toBe("a\nb\n");
  });

  test("has one write in progress, drops lines beyond its limit and reports them", async () => {
    const system = stubbornSystem();
    const sink = createStderrSink(system.write);
    sink.write("first\n");
    sink.flush();
    for (let i = 0; i < 5; i++) sink.write(`${"x".repeat(500_000)}\n`);
    sink.flush();
    expect(system.given).toHaveLength(1);
    const ending = sink.end();
    system.take();
    expect(system.given).toHaveLength(2);
    system.take();
    await ending;
    const lines = system.taken.split("\n");
    expect(lines.slice(0, -2).map((line) => line.length)).toEqual([5, 500_000, 500_000]);
    expect(lines.at(-2)).toBe('{"level":"warn","event":"log_lines_dropped","lines":3}');
  });

  test("continues after a partial write", async () => {
    const system = stubbornSystem();
    const sink = createStderrSink(system.write);
    sink.write("one line\n");
    sink.flush();
    system.take(3);
    sink.write("another\n");
    const ending = sink.end();
    system.take();
    system.take();
    await ending;
    expect(system.taken).toBe("one line\nanother\n");
  });

  test("writes nothing that comes after its end was asked for: the last line stays the last", async () => {
    const system = stubbornSystem();
    const sink = createStderrSink(system.write);
    sink.write("first\n");
    sink.flush();
    sink.write("last\n");
    const ending = sink.end();
    sink.write("later\n");
    system.take();
    sink.write("later still\n");
    system.take();
    await ending;
    expect(system.taken).toBe("first\nlast\n");
  });

  test("tries again if a non-blocking pipe is full", async () => {
    const tries: string[] = [];
    const sink = createStderrSink((bytes, done) => {
      tries.push(Buffer.from(bytes).toString());
      if (tries.length > 1) done(null, bytes.length);
      else done(Object.assign(new Error("full"), { code: "EAGAIN" }), 0);
    });
    sink.write("x\n");
    await sink.end();
    expect(tries).toEqual(["x\n", "x\n"]);
  });

  test("counts lost lines, and never joins a truncated line with the next", async () => {
    const system = stubbornSystem();
    const sink = createStderrSink(system.write);
    sink.write("one line\n");
    sink.write("two lines\n");
    sink.flush();
    system.take(3);
    system.refuse("ENOSPC");
    sink.write("three\n");
    sink.flush();
    system.refuse("ENOSPC");
    sink.write("four\n");
    sink.flush();
    system.take();
    expect(system.taken).toBe('one\nfour\n{"level":"warn","event":"log_lines_dropped","lines":3}\n');
  });

  test("does not wait forever at the end", async () => {
    const system = stubbornSystem();
    const sink = createStderrSink(system.write, 1);
    sink.write("x\n");
    await sink.end();
    expect([system.given.map(({ text }) => text), system.taken]).toEqual([["x\n"], ""]);
  });
});
