import { describe, expect, test } from "bun:test";
import { ProviderFailure } from "../../contract/index.ts";
import { decodeReply } from "./decode/decode-reply.ts";
import { neutralReading, wholeReading } from "./reading.ts";
import { responseReading } from "./responses/response-reading.ts";
import { decodeChunks, delta, expecting, STOP } from "./testing.ts";

function failureFrom(work: () => unknown): ProviderFailure {
  try {
    work();
  } catch (error) {
    if (error instanceof ProviderFailure) return error;
    throw error;
  }
  throw new Error("nothing failed");
}

const READINGS = [
  neutralReading(expecting()),
  wholeReading(expecting(), { isFirstForm: false }),
  responseReading(expecting()),
];
const minimax = (code: number, message: string) => ({
  id: "x",
  choices: null,
  usage: null,
  base_resp: { status_code: code, status_msg: message },
});

describe("an error with status 200 and without an error field", () => {
  test.each<[string, unknown, string, string]>([
    [
      "MiniMax: rate limit",
      minimax(1002, "rate limit exceeded(RPM)"),
      "rate_limited",
      "rate limit exceeded(RPM)",
    ],
    ["MiniMax: token limit", minimax(1039, "too many tokens(TPM)"), "rate_limited", "too many tokens(TPM)"],
    ["MiniMax: our login", minimax(1004, "login fail"), "unauthorized", "login fail"],
    ["MiniMax: our balance", minimax(1008, "insufficient balance"), "unauthorized", "insufficient balance"],
    ["MiniMax: invalid request", minimax(2013, "invalid params"), "rejected", "invalid params"],
    [
      "MiniMax: context window",
      minimax(2013, "invalid params, context window exceeds limit (2013)"),
      "context_overflow",
      "invalid params, context window exceeds limit (2013)",
    ],
    ["MiniMax: sensitive output", minimax(1027, "output new_sensitive"), "rejected", "output new_sensitive"],
    ["MiniMax: internal error", minimax(1013, "internal error"), "unavailable", "internal error"],
    ["a vendor's code", { code: 50505, message: "Overloaded.", data: null }, "unavailable", "Overloaded."],
    [
      "an HTTP status as code",
      { code: 429, message: "TPM limit reached.", data: null },
      "rate_limited",
      "TPM limit reached.",
    ],
    ["a number that is no HTTP status", { code: 7, message: "No." }, "unavailable", "No."],
    ["a negative number", { code: "-1", message: "No." }, "unavailable", "No."],
    [
      "a code that is a word",
      { error_code: "REQUEST_LIMIT_EXCEEDED", message: "Exceeded the limit." },
      "rate_limited",
      "Exceeded the limit.",
    ],
    [
      "inside a list",
      [{ error: { code: 429, message: "Quota exceeded", status: "RESOURCE_EXHAUSTED" } }],
      "rate_limited",
      "Quota exceeded",
    ],
  ])("fails as what it says: %s", (_, said, kind, message) => {
    const reads = [
      ...READINGS.map((reading) => () => decodeReply(JSON.stringify(said), reading)),
      () => decodeChunks([said]),
      () => decodeChunks([delta({ content: "so" }), said]),
    ];
    for (const read of reads) {
      const failure = failureFrom(read);
      expect([failure.kind, failure.publicMessage]).toEqual([kind as never, message]);
    }
  });

  test.each<[string, unknown]>([
    ["code 0", { code: 0, message: "Success" }],
    ["code 200", { code: 200, message: "OK" }],
    ["code Success", { code: "Success", message: "OK" }],
    ["MiniMax's status 0", { choices: [], base_resp: { status_code: 0, status_msg: "" } }],
    ["a message without a code", { message: "hello" }],
    ["a code without a message", { code: 7 }],
    ["an empty list", []],
    ["a list of something else", [{ notice: "hello" }]],
    ["an HTTP status below 400", { code: 102, message: "processing" }],
    ["an HTTP status below 400 as text", { code: "302", message: "elsewhere" }],
    ["a boolean as code", { code: true, message: "ok" }],
    ["a code beside choices", { choices: [], message: "queued", code: "queued" }],
    ["a code beside usage", { code: 7, message: "done", usage: { prompt_tokens: 1, completion_tokens: 1 } }],
  ])("is not detected in a chunk: %s", (_, said) => {
    const events = decodeChunks([said, delta({ content: "so" }), said, STOP]);
    expect(events).toContainEqual({ type: "text", text: "so" });
  });

  test("is not detected in an empty list, which is an unreadable reply", () => {
    const failure = failureFrom(() => decodeReply("[]", READINGS[0] as (typeof READINGS)[number]));
    expect([failure.kind, failure.publicMessage]).toEqual([
      "unavailable",
      "The model's provider sent an answer that could not be read.",
    ]);
  });

  test("is ignored after the finish reason", () => {
    const events = decodeChunks([delta({ content: "so" }), STOP, { code: 50505, message: "Overloaded." }]);
    expect(events.at(-1)).toMatchObject({ type: "finish", reason: "stop" });
  });
});
