import { describe, expect, test } from "bun:test";
import { estimateTokens } from "../../../compaction/src/index.ts";
import type { TextModel } from "../catalog/index.ts";
import { modelFrom } from "../catalog/testing.ts";
import type { ChatMessage, ContentPart } from "../contract/index.ts";
import { AppError, credits } from "../kit/index.ts";
import { createAnswerPace } from "./answer/answer-pace.ts";
import { MODEL, NO_SUMS, quote } from "./chat-call-testing.ts";
import type { ChatPrompt } from "./prompt/chat-prompt.ts";
import { createTokenCorrections } from "./token-correction/token-correction.ts";

/** The caller in `quote`. */
const ASKER = { orgId: "o", model: MODEL.id };

test("the hold covers at least one input token per four characters, even if fewer are counted", () => {
  const spaces = quote({ messages: [{ role: "user", content: " ".repeat(200_000) }] });
  expect(spaces.paidCall.admission.full).toBeGreaterThanOrEqual(200_000 / 4 / 1_000);
  expect(spaces.input.tokensAsSent()).toBeLessThan(200_000 / 6);
});

test("the hold covers rare letters by their bytes in messages, tools and schemas; the charge is lower", () => {
  /** Rare letters from dictionaries, in words of sixty: providers count nearly two tokens for each letter. */
  const rare = Array.from({ length: 200 }, (_, word) =>
    Array.from({ length: 60 }, (_, at) => String.fromCharCode(0x250 + ((word * 37 + at * 29) % 94))).join(""),
  ).join(" ");
  const bytes = Buffer.byteLength(rare);
  const spoken = quote({ messages: [{ role: "user", content: rare }] });
  expect(spoken.paidCall.admission.full).toBeGreaterThanOrEqual((bytes * 0.99) / 1_000);
  expect(spoken.input.tokensAsSent()).toBeWithin(rare.length, bytes);
  const called = quote({ tools: [{ name: "look_up", description: rare }] });
  expect(called.paidCall.admission.full).toBeGreaterThanOrEqual((bytes * 0.99) / 1_000);
  const schema = { type: "object", properties: { a: { type: "string", description: rare } } };
  const responseFormat = { type: "json_schema", name: "a", schema } as const;
  for (const changes of [{ tools: [{ name: "look_up", parameters: schema }] }, { responseFormat }]) {
    const told = quote(changes);
    expect(told.paidCall.admission.full).toBeGreaterThanOrEqual((bytes * 0.99) / 1_000);
    // What is charged and shown is what remains of a schema's JSON, as before.
    expect(told.input.tokensAsSent()).toBeLessThan(bytes * 0.6);
  }
  // Reasoning that was not sent is not charged, and does not hide what was sent.
  const thinking = {
    role: "assistant",
    content: rare,
    reasoning: [{ text: rare }, { text: "So. ".repeat(9_000) }],
  };
  const thought = quote({ messages: [thinking as ChatMessage] });
  expect(thought.input.tokensAsSent() - spoken.input.tokensAsSent()).toBeWithin(-20, 20);
});

test("with tools, the hold covers at least 16 output tokens, or the model's limit if that is less", () => {
  const price = { input_per_million: 0, output_per_million: 1_000_000 };
  const limits = { context_tokens: 100_000, max_output_tokens: 100 };
  const model = modelFrom({ type: "text", credits_per_request: 1, price, limits });
  const held = (maxTokens: number, changes: Partial<ChatPrompt>, of = model) =>
    quote(changes, { maxTokens, model: of }).paidCall.admission.full;
  const tools = [{ name: "look" }];
  expect([held(5, { tools }), held(17, { tools }), held(5, {}), held(5, { tools: [] })]).toEqual(
    [16, 17, 5, 5].map(credits),
  );
  // The caller's limit and the model's stay unchanged.
  expect(quote({ tools }, { maxTokens: 5, model }).requestFor(credits(16), "reply").maxOutputTokens).toBe(5);
  const terse = modelFrom({
    ...{ type: "text", credits_per_request: 1, price },
    limits: { ...limits, max_output_tokens: 8 },
  });
  expect(held(5, { tools }, terse)).toBe(credits(8));
});

test("token counts are cached per organization and key", () => {
  const owners: string[] = [];
  const countFor = (owner: string) => {
    owners.push(owner);
    return estimateTokens;
  };
  quote({}, { countFor });
  expect(owners).toEqual(["o k"]);
});

test("a prompt that is far too long is refused with an approximate count, even with compaction on", () => {
  const said = (content: string) => () =>
    quote({ messages: [{ role: "user", content }] }, { efficiency: "safe" });
  // Runs of blanks are few tokens, but two megabytes of them are no prompt.
  expect(said(" ".repeat(1_600_001))).toThrow(
    "messages: This model's maximum context length is 100000 tokens. However, your messages resulted in about 333334 tokens.",
  );
  const lines = "the same line again and again\n";
  expect(said(lines.repeat(60_000))).toThrow("maximum context length is 100000 tokens");
  expect(said("word ".repeat(320_000))).toThrow("about 320");
});

describe("images and files without a reported count", () => {
  const limits = { context_tokens: 400_000, max_output_tokens: 100 };
  const seeing = (tokens_per_image: number, tokens_per_file: number) =>
    modelFrom({
      type: "text",
      credits_per_request: 1,
      price: { input_per_million: 1_000, output_per_million: 1_000 },
      limits: { ...limits, tokens_per_image, tokens_per_file },
    });
  const image = { type: "image", url: "https://example.com/a.png" } as const;
  const chargedFor = (parts: readonly ContentPart[], model: TextModel) =>
    quote({ messages: [{ role: "user", content: parts }] }, { model }).input.tokensAsSent() -
    quote({ messages: [{ role: "user", content: [] }] }, { model }).input.tokensAsSent();

  test("count as input tokens by our own estimate", () => {
    const model = seeing(16_000, 136_000);
    expect(chargedFor([image, image], model)).toBe(2 * 1_024);
    expect(chargedFor([{ type: "file", data: "A".repeat(480_000) }], model)).toBe(10_000);
    expect(chargedFor([{ type: "file", data: "https://example.com/a.pdf" }], model)).toBe(2_048);
    expect(chargedFor([{ type: "other", name: "video_url" }], model)).toBe(2_048);
  });

  test("never count as more than the model's entry says", () => {
    const file = { type: "file", data: "A".repeat(480_000) } as const;
    expect(chargedFor([image, file], seeing(300, 4_000))).toBe(4_300);
  });
});

test("the hold covers images in a tool result, with the message that some servers get them in", () => {
  const model = modelFrom({
    type: "text",
    credits_per_request: 1,
    price: { input_per_million: 1_000_000, output_per_million: 0 },
    limits: { context_tokens: 400_000, max_output_tokens: 100, tokens_per_image: 300 },
  });
  const image = { type: "image", url: "data:image/png;base64,AA==" } as const;
  const heldFor = (pictures: number) => {
    const content = [{ type: "text", text: "Seen." } as const, ...Array(pictures).fill(image)];
    const result = { role: "tool", toolCallId: "c1", content } as const;
    return quote({ messages: [result] }, { model }).paidCall.admission.full;
  };
  /** The text of the message itself, and for each image what names it there and in the tool result. */
  const words = ["Attached to the tool results above:", "[image 100]", "[image 100]"].map(estimateTokens);
  const [opening = 0, label = 0, placeholder = 0] = words;
  for (const pictures of [1, 2, 50])
    expect(heldFor(pictures) - heldFor(0)).toBeGreaterThanOrEqual(
      opening + pictures * (300 + (pictures > 1 ? label : 0) + placeholder),
    );
});

test("images that only the caller's own body shows are covered by the hold, but not charged by our count", () => {
  const price = { input_per_million: 1_000, output_per_million: 1_000 };
  const limits = { context_tokens: 400_000, max_output_tokens: 100 };
  const entry = { type: "text", credits_per_request: 1, price } as const;
  const seeing = modelFrom({ ...entry, limits: { ...limits, tokens_per_image: 16_000 } });
  const [plain, laden] = [quote({}, { model: seeing }), quote({ unseenImages: 60 }, { model: seeing })];
  expect(laden.paidCall.admission.full - plain.paidCall.admission.full).toBe(60 * 16);
  expect(laden.input.tokensAsSent()).toBe(plain.input.tokensAsSent());
  expect(laden.input.learnableAsSent()).toBeNull();
  expect(() => quote({ unseenImages: 1 }, { model: modelFrom({ ...entry, limits }) })).not.toThrow();
});

describe("a part that the model's entry has no limit for", () => {
  const refused = (part: ContentPart) =>
    expect(() => quote({ messages: [{ role: "user", content: [{ type: "text", text: "Look:" }, part] }] }));

  test("is refused as an image or a file, or else by the name that its sender gave", () => {
    refused({ type: "image", url: "https://example.com/a.png" }).toThrow("this model takes no images");
    refused({ type: "file", data: "AA==" }).toThrow("this model takes no files");
    refused({ type: "other", name: "input_text" }).toThrow("this model takes no input_text parts");
  });
});

describe("text that only the caller's own body contains", () => {
  test("is covered by the hold, but not charged by our own count", () => {
    const [plain, laden] = [quote(), quote({ unseenTokens: 50_000 })];
    expect(plain.paidCall.admission.minimum).toBe(credits(1));
    expect(laden.paidCall.admission.minimum).toBe(credits(61));
    expect(laden.paidCall.admission.full).toBe(credits(61));
    expect(laden.input.tokensAsSent()).toBe(plain.input.tokensAsSent());
  });

  test("is refused if it exceeds the model's context", () => {
    expect(() => quote({ unseenTokens: 100_000 })).toThrow(AppError);
    expect(() => quote({ unseenTokens: 100_000 })).toThrow("maximum context length is 100000 tokens");
  });

  test("adds no field to the provider's request", () => {
    const fieldsOf = (chat: ReturnType<typeof quote>) => Object.keys(chat.requestFor(credits(100), "reply"));
    expect(fieldsOf(quote({ unseenTokens: 10 }))).toEqual(fieldsOf(quote()));
  });
});

describe("a learned token correction", () => {
  /** A file, read twice. */
  const file = Array.from(
    { length: 60 },
    (_, at) => `${String(at + 1).padStart(6)}\tconst value${at} = ${at};`,
  );
  const messages: ChatPrompt["messages"] = ["c1", "c2"].flatMap((id) => [
    { role: "assistant", content: null, toolCalls: [{ id, name: "Read", arguments: '{"path":"a.ts"}' }] },
    { role: "tool", toolCallId: id, content: file.join("\n") },
  ]);
  const learned = createTokenCorrections(NO_SUMS);
  for (let call = 0; call < 200; call++) learned.learn(ASKER, { tokens: 5_000, kind: "plain" }, 7_500);

  test("changes the hold and the shown estimates, but neither the messages nor our own count", () => {
    const plain = quote({ messages }, { efficiency: "structural" });
    const corrected = quote({ messages }, { efficiency: "structural", corrections: learned });
    const factor = learned.correct(MODEL.id, { tokens: 10_000, kind: "plain" }) / 10_000;
    expect(factor).toBeWithin(1.4, 1.51);
    const sentOf = (chat: typeof plain) => chat.requestFor(credits(1_000), "reply").messages;
    expect(sentOf(corrected)).toEqual(sentOf(plain));
    for (const key of ["originalEstimatedTokens", "compactedEstimatedTokens"] as const) {
      expect(corrected.efficiency[key]).toBeWithin(
        Math.floor(plain.efficiency[key] * factor),
        Math.ceil(plain.efficiency[key] * factor) + 1,
      );
    }
    const { originalEstimatedTokens: original, compactedEstimatedTokens: compacted } = corrected.efficiency;
    expect(corrected.efficiency.tokensSaved).toBe(original - compacted);
    expect(corrected.efficiency.tokensSaved).toBeGreaterThan(plain.efficiency.tokensSaved);
    expect(corrected.paidCall.admission.full).toBeGreaterThan(plain.paidCall.admission.full);
    // Reports do not change what is charged by our own count.
    expect(corrected.input.tokensAsSent()).toBe(plain.input.tokensAsSent());
  });

  test.each([12_500, 2_000])(
    "from another organization's calls changes no hold and no charge: %d for 5,000",
    (reported) => {
      const moved = createTokenCorrections(NO_SUMS);
      const other = { ...ASKER, orgId: "another" };
      for (let call = 0; call < 200; call++) {
        moved.learn(other, { tokens: 5_000, kind: "plain" }, reported);
        moved.learn(other, { tokens: 10, kind: "tools" }, 2_000);
      }
      const shown = moved.correct(MODEL.id, { tokens: 10_000, kind: "plain" });
      expect(Math.abs(shown - 10_000)).toBeGreaterThan(4_000);
      const long: Partial<ChatPrompt> = { messages: [{ role: "user", content: "word ".repeat(50_000) }] };
      for (const changes of [{ messages }, long, { tools: [{ name: "look_up" }] }]) {
        const [before, after] = [quote(changes), quote(changes, { corrections: moved })];
        expect(after.paidCall.admission).toEqual(before.paidCall.admission);
        expect(after.input.tokensAsSent()).toBe(before.input.tokensAsSent());
      }
    },
  );

  test("never makes a hold smaller than a charge by our own count", () => {
    const halved = createTokenCorrections(NO_SUMS);
    for (let call = 0; call < 200; call++) halved.learn(ASKER, { tokens: 5_000, kind: "plain" }, 2_500);
    const long: Partial<ChatPrompt> = { messages: [{ role: "user", content: "word ".repeat(50_000) }] };
    const chat = quote(long, { corrections: halved });
    expect(chat.paidCall.admission.full).toBeGreaterThanOrEqual(chat.input.tokensAsSent() / 1_000);
  });

  test("never admits a prompt that is too long by our own count", () => {
    const halved = createTokenCorrections(NO_SUMS);
    for (let call = 0; call < 200; call++) halved.learn(ASKER, { tokens: 5_000, kind: "plain" }, 2_500);
    const long = { messages: [{ role: "user" as const, content: "word ".repeat(120_000) }] };
    expect(() => quote(long, { corrections: halved })).toThrow("maximum context length is 100000 tokens");
  });

  test("is learned from the uncorrected count, and not from prompts with unseen text", () => {
    const { input, efficiency } = quote({ messages }, { efficiency: "structural", corrections: learned });
    expect(input.learnableAsSent()?.tokens).toBeLessThan(efficiency.compactedEstimatedTokens);
    expect(quote({ unseenTokens: 10 }).input.learnableAsSent()).toBeNull();
  });
});

describe("block references", () => {
  const said = Array.from({ length: 40 }, (_, at) => `const value${at} = compute(${at});`).join("\n");
  const messages: ChatPrompt["messages"] = [
    { role: "user", content: said },
    { role: "tool", toolCallId: "c1", content: `It said:\n${said}` },
  ];
  const actionsOf = (changes: Partial<ChatPrompt>, model = MODEL) =>
    quote({ messages, ...changes }, { efficiency: "structural", model }).efficiency.actions;

  test("are not used if the request or the model's entry says that messages may be dropped", () => {
    expect(actionsOf({})).toContain("block_references");
    expect(actionsOf({ isContextManaged: true })).not.toContain("block_references");
    expect(actionsOf({}, { ...MODEL, capabilities: ["context_management"] })).not.toContain(
      "block_references",
    );
  });
});

describe("a reply in one piece", () => {
  const model = modelFrom({
    type: "text",
    credits_per_request: 1,
    price: { input_per_million: 1, output_per_million: 1 },
    limits: { context_tokens: 100_000, max_output_tokens: 8_192 },
  });
  const pace = createAnswerPace({ firstByteMs: 120_000 });
  const asked = (maxTokens: number | null, changes: Partial<ChatPrompt> = {}) =>
    quote(changes, { model, pace, maxTokens }).requestFor(credits(1_000), "reply").inOnePiece;

  test("is requested for any limit if the model was not seen to be slow", () => {
    expect([4_096, null].map((limit) => asked(limit))).toEqual([true, true]);
  });

  test("is not requested for three choices with log probabilities, which would be too large", () => {
    const logprobs = { wireFields: { logprobs: true, top_logprobs: 20 } };
    expect([1, 2, 3].map((n) => asked(4_096, { n, ...logprobs }))).toEqual([true, true, false]);
    expect(asked(4_096, { n: 3 })).toBe(true);
  });

  test("is requested of a slow model only if its limit is small enough to finish in time", () => {
    pace.learn(model.id, 160, 10_100);
    expect([1_000, 1_280, 1_281, 4_096, null].map((limit) => asked(limit))).toEqual([
      ...[true, true],
      ...[false, false, false],
    ]);
  });

  test("is never requested with reasoning effort, however small the limit", () => {
    expect(asked(100, { reasoningEffort: "high" })).toBe(false);
    expect(asked(100, { reasoningEffort: "none" })).toBe(true);
  });

  test("is never requested for a stream", () => {
    expect(quote({}, { model, pace }).requestFor(credits(1_000), "stream").inOnePiece).toBe(false);
  });
});
