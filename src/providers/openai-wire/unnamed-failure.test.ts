import { describe, expect, test } from "bun:test";
import { ProviderFailure } from "../contract.ts";
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

describe("an error with a 200 that is not called one", () => {
  test.each<[string, unknown, string, string]>([
    [
      "of MiniMax's limit",
      minimax(1002, "rate limit exceeded(RPM)"),
      "rate_limited",
      "rate limit exceeded(RPM)",
    ],
    ["of MiniMax's tokens", minimax(1039, "too many tokens(TPM)"), "rate_limited", "too many tokens(TPM)"],
    ["of our account there", minimax(1004, "login fail"), "unauthorized", "login fail"],
    ["of our balance there", minimax(1008, "insufficient balance"), "unauthorized", "insufficient balance"],
    ["of the request there", minimax(2013, "invalid params"), "rejected", "invalid params"],
    [
      "of its length there",
      minimax(2013, "invalid params, context window exceeds limit (2013)"),
      "context_overflow",
      "invalid params, context window exceeds limit (2013)",
    ],
    ["of MiniMax itself", minimax(1013, "internal error"), "unavailable", "internal error"],
    ["by a code", { code: 50505, message: "Overloaded.", data: null }, "unavailable", "Overloaded."],
    [
      "by a status",
      { code: 429, message: "TPM limit reached.", data: null },
      "rate_limited",
      "TPM limit reached.",
    ],
    ["by a number that is no status", { code: 7, message: "No." }, "unavailable", "No."],
    ["by a number below any", { code: "-1", message: "No." }, "unavailable", "No."],
    [
      "by a word",
      { error_code: "REQUEST_LIMIT_EXCEEDED", message: "Exceeded the limit." },
      "rate_limited",
      "Exceeded the limit.",
    ],
    [
      "in a list",
      [{ error: { code: 429, message: "Quota exceeded", status: "RESOURCE_EXHAUSTED" } }],
      "rate_limited",
      "Quota exceeded",
    ],
  ])("is the failure that it says: %s", (_, said, kind, message) => {
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
    ["that all is well", { code: 0, message: "Success" }],
    ["that all is well, as a status", { code: 200, message: "OK" }],
    ["that all is well, in a word", { code: "Success", message: "OK" }],
    ["that all is well, as MiniMax says it", { choices: [], base_resp: { status_code: 0, status_msg: "" } }],
    ["a message without a code", { message: "hello" }],
    ["a code without a message", { code: 7 }],
    ["nothing, in a list", []],
    ["something else, in a list", [{ notice: "hello" }]],
    ["a status that is none of an error", { code: 102, message: "processing" }],
    ["such a status as a text", { code: "302", message: "elsewhere" }],
    ["a code that is no code", { code: true, message: "ok" }],
    ["what its choices wait for", { choices: [], message: "queued", code: "queued" }],
    ["usage", { code: 7, message: "done", usage: { prompt_tokens: 1, completion_tokens: 1 } }],
  ])("is none where a chunk says %s", (_, said) => {
    const events = decodeChunks([said, delta({ content: "so" }), said, STOP]);
    expect(events).toContainEqual({ type: "text", text: "so" });
  });

  test("is none in a list that says nothing, which is no answer either", () => {
    const failure = failureFrom(() => decodeReply("[]", READINGS[0] as (typeof READINGS)[number]));
    expect([failure.kind, failure.publicMessage]).toEqual([
      "unavailable",
      "The model's provider sent an answer that could not be read.",
    ]);
  });

  test("takes nothing back of an answer that has ended", () => {
    const events = decodeChunks([delta({ content: "so" }), STOP, { code: 50505, message: "Overloaded." }]);
    expect(events.at(-1)).toMatchObject({ type: "finish", reason: "stop" });
  });
});
