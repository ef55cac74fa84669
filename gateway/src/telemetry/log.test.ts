import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { LineSink } from "./line-sink.ts";
import { createLog, type LogLevel } from "./log.ts";

function recordingLog(level: LogLevel = "debug", keyPrefix = "svc_live_") {
  const lines: string[] = [];
  const sink: LineSink = { write: (line) => void lines.push(line), flush: () => {}, end: async () => {} };
  return { lines, log: createLog({ level, keyPrefix, sink, nowMs: () => 0 }) };
}

const CONTROLS = [
  ...["\n", "\r", "\u2028", "\u2029", "\u001b", "\u007f"],
  // Terminals act on these as on an escape: next line, the start of a command (CSI), and the first and the last of
  // them.
  ...["\u0085", "\u009b", "\u0080", "\u009f"],
];
/** Random characters are hardly ever control characters, so those are drawn separately. */
const nasty = fc
  .array(fc.oneof(fc.constantFrom(...CONTROLS), fc.string({ unit: "binary", maxLength: 5 })))
  .map((parts) => parts.join(""));
const KEY = `svc_live_${"a1B".repeat(14)}x`;

describe("a log line", () => {
  test("escapes each character that would break it or control a terminal", () => {
    const { lines, log } = recordingLog();
    log.info("event", { text: CONTROLS.join("") });
    const numbers = "\\n\\r\\u2028\\u2029\\u001b\\u007f\\u0085\\u009b\\u0080\\u009f";
    expect(lines).toEqual([
      `{"time":"1970-01-01T00:00:00.000Z","level":"info","event":"event","text":"${numbers}"}\n`,
    ]);
  });

  test("is one JSON object on one line, whatever the fields contain", () => {
    fc.assert(
      fc.property(nasty, fc.jsonValue(), (text, value) => {
        const { lines, log } = recordingLog();
        log.info("event", { text, value, [text.slice(0, 5)]: 1 });
        expect(lines).toHaveLength(1);
        const line = lines[0] ?? "";
        expect(line.endsWith("\n")).toBe(true);
        for (const control of CONTROLS) expect(line.slice(0, -1)).not.toContain(control);
        expect(JSON.parse(line)["event"]).toBeDefined();
      }),
    );
  });

  test("has time, level, event and its fields", () => {
    const { lines, log } = recordingLog();
    log.warn("slow", { ms: 5 });
    expect(JSON.parse(lines[0] ?? "")).toEqual({
      time: "1970-01-01T00:00:00.000Z",
      level: "warn",
      event: "slow",
      ms: 5,
    });
  });

  test("below the level is not written", () => {
    const { lines, log } = recordingLog("warn");
    log.debug("a");
    log.info("b");
    log.warn("c");
    expect(lines).toHaveLength(1);
  });

  test("never contains a key or password, wherever it is", () => {
    const { lines, log } = recordingLog();
    const error = new Error(`refused ${KEY}`, { cause: new Error(KEY) });
    log.error("e", {
      authorization: KEY,
      nested: { list: [`Bearer ${KEY}`, { deep: `x=${KEY}&y` }] },
      error,
      map: { [`name ${KEY}`]: 1 },
      upstream: "sk-proj-abcdefgh12345678",
      database: "postgres://user:hunter2@host/db",
      password: "hunter2",
      apiKey: "abc",
      cookie: { session: "abc" },
    });
    const line = lines[0] ?? "";
    expect(line).not.toContain(KEY.slice(9, 20));
    expect(line).not.toContain("hunter2");
    expect(line).not.toContain("sk-proj");
    expect(line).not.toContain("abc");
  });

  test("hides keys of a configured prefix", () => {
    const { lines, log } = recordingLog("debug", "acme-key.");
    log.info("e", { text: "given acme-key.SECRETSECRET here" });
    expect(lines[0]).toContain("given [redacted] here");
  });

  test("keeps token counts, which are numbers and not secrets", () => {
    const { lines, log } = recordingLog();
    log.info("e", { input_tokens: 5, max_token: 7 });
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ input_tokens: 5, max_token: 7 });
  });

  test("is limited in length, width and depth", () => {
    const { lines, log } = recordingLog();
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    log.info("e", {
      long: "x".repeat(1_000_000),
      wide: Array.from({ length: 100_000 }, (_, i) => i),
      cycle,
      bytes: new Uint8Array(1_000_000),
    });
    expect((lines[0] ?? "").length).toBeLessThan(4_000);
  });

  test("that cannot be serialized does not throw", () => {
    const { lines, log } = recordingLog();
    log.info("e", {
      get trap() {
        throw new Error("no");
      },
    });
    expect(JSON.parse(lines[0] ?? "")["unwritable"]).toBe(true);
  });
});
