import { expect, test } from "bun:test";
import { modelFrom } from "../../catalog/testing.ts";
import type { FilePart } from "../../contract/index.ts";
import { credits } from "../../kit/index.ts";
import type { QuoteDeps } from "../chat-call.ts";
import { MODEL, NO_SUMS, quote } from "../chat-call-testing.ts";
import { createTokenCorrections, type TokenCorrections } from "../token-correction/token-correction.ts";

const reading = (limits: object, price: object = {}) =>
  modelFrom({
    id: MODEL.id,
    type: "text",
    credits_per_request: 1,
    price: { input_per_million: 1_000, output_per_million: 1_000, ...price },
    limits: { context_tokens: 400_000, max_output_tokens: 100, tokens_per_file: 20_000, ...limits },
  });
const PLAIN = reading({});
const fileOf = (text: string): FilePart => ({
  type: "file",
  filename: "a.txt",
  data: `data:text/plain;base64,${Buffer.from(text).toString("base64")}`,
});
/** Nine words and a full stop: ten tokens. */
const SENTENCE = "One small step for a man was a giant. ";
const quoted = (content: readonly FilePart[] | string, model = PLAIN, corrections?: TokenCorrections) =>
  quote({ messages: [{ role: "user", content }] }, { model, ...(corrections ? { corrections } : {}) });
const heldFor = (...input: Parameters<typeof quoted>) => quoted(...input).paidCall.admission.full;
const unsureTokens = ({ input: { counted } }: ReturnType<typeof quoted>) =>
  counted.mostAttachedTokens - counted.attached.tokens;
const countedAs = (...input: Parameters<typeof quoted>) => quoted(...input).input.tokensAsSent();

test("a long text has the same hold and count as a message and as an attached file", () => {
  const text = SENTENCE.repeat(20_000);
  expect(heldFor([fileOf(text)])).toBe(heldFor(text));
  expect(countedAs([fileOf(text)])).toBe(countedAs(text));
  expect(heldFor([fileOf(text)])).toBeGreaterThan(200);
});

test("a text file that every target gets as written has the hold of any other file", () => {
  const asWritten = { text: () => ({ sendsAsWritten: true }) };
  const onWire = (content: readonly FilePart[], model = PLAIN, registry: QuoteDeps["registry"] = asWritten) =>
    quote({ messages: [{ role: "user", content }] }, { model, registry });
  const text = fileOf(SENTENCE.repeat(20_000));
  const document: FilePart = { type: "file", data: text.data.replace("text/plain", "application/pdf") };
  expect(onWire([text]).paidCall.admission.full).toBe(onWire([document]).paidCall.admission.full);
  expect(onWire([text]).input.tokensAsSent()).toBeLessThan(20_100);
  const small = reading({ context_tokens: 50_000 });
  expect(() => onWire([text, fileOf(" ".repeat(800_100))], small)).not.toThrow();
  const targets = ["wire", "adapter"].map((provider) => ({ provider, model: "m" }));
  const either = { text: (provider: string) => ({ sendsAsWritten: provider === "wire" }) };
  expect(onWire([text], { ...PLAIN, targets }, either).input.tokensAsSent()).toBeGreaterThan(200_000);
});

test("a text file in a tool result counts as text if the target writes out results, else as a file", () => {
  const result = (content: readonly FilePart[], writesOut: boolean) =>
    quote(
      { messages: [{ role: "tool", toolCallId: "c", content }] },
      {
        model: PLAIN,
        registry: { text: () => ({ sendsAsWritten: true, writesOutResults: () => writesOut }) },
      },
    );
  const text = SENTENCE.repeat(20_000);
  const said = quote({ messages: [{ role: "tool", toolCallId: "c", content: text }] }, { model: PLAIN });
  expect(result([fileOf(text)], true).paidCall.admission.full).toBe(said.paidCall.admission.full);
  expect(result([fileOf(text)], true).input.tokensAsSent()).toBe(said.input.tokensAsSent());
  expect(result([fileOf(text)], false).input.tokensAsSent()).toBeLessThan(20_100);
});

test("a short text file has the hold of any other file, and is counted as text", () => {
  const attached = quoted([fileOf(SENTENCE)]);
  expect(attached.paidCall.admission.full).toBe(heldFor([{ type: "file", data: "JVBERi0=" }]));
  expect(attached.input.tokensAsSent()).toBe(countedAs(SENTENCE));
  // If a report is implausible, what was held for it is used instead.
  expect(unsureTokens(attached)).toBeGreaterThan(19_900);
  expect(unsureTokens(quoted([fileOf(SENTENCE.repeat(20_000))]))).toBe(0);
});

test("the holds for a long text file and for a file of unknown content add up", () => {
  const pdf: FilePart = { type: "file", data: "JVBERi0=" };
  const text = SENTENCE.repeat(20_000);
  expect(heldFor([fileOf(text), pdf])).toBe(credits(heldFor(text) + 20));
});

test("the hold covers rare letters in a text file by their bytes", () => {
  const rare = Array.from({ length: 30_000 }, (_, at) =>
    String.fromCodePoint(0x12000 + ((at * 37) % 800)),
  ).join("");
  expect(heldFor([fileOf(rare)])).toBeGreaterThanOrEqual((Buffer.byteLength(rare) * 0.99) / 1_000);
});

test("a learned token correction applies to an attached text, too", () => {
  const learned = createTokenCorrections(NO_SUMS);
  const asker = { orgId: "o", model: PLAIN.id };
  for (let call = 0; call < 200; call++) learned.learn(asker, { tokens: 5_000, kind: "plain" }, 7_500);
  const text = SENTENCE.repeat(20_000);
  expect(heldFor([fileOf(text)], PLAIN, learned)).toBe(heldFor(text, PLAIN, learned));
  expect(heldFor([fileOf(text)], PLAIN, learned)).toBeGreaterThan(heldFor(text) * 1.3);
});

test("an attached text that exceeds the model's context is refused", () => {
  const small = reading({ context_tokens: 50_000 });
  expect(() => quoted([fileOf(SENTENCE.repeat(6_000))], small)).toThrow("about 60");
  expect(() => quoted([fileOf(" ".repeat(800_100))], small)).toThrow(
    "maximum context length is 50000 tokens",
  );
  expect(quoted([fileOf(SENTENCE.repeat(4_000))], small).input.tokensAsSent()).toBeLessThan(50_000);
});

test("an attached text beyond the context but within the window is held at the rates of long input", () => {
  const longer = { above_tokens: 50_000, input_per_million: 2_000, output_per_million: 1_000 };
  const model = reading({ context_tokens: 50_000, window_tokens: 100_000 }, { long_input: longer });
  const text = SENTENCE.repeat(6_000);
  expect(() => quoted(text, model)).toThrow("maximum context length is 50000 tokens");
  expect(heldFor([fileOf(text)], model)).toBeGreaterThanOrEqual(2 * 60);
  const beyond = "maximum context length is 100000 tokens";
  expect(() => quoted([fileOf(text), fileOf(text)], model)).toThrow(beyond);
  expect(() => quoted([fileOf(" ".repeat(1_600_100))], model)).toThrow(beyond);
});
