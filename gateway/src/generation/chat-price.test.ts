import { expect, test } from "bun:test";
import { estimateTokens } from "../../../compaction/src/index.ts";
import { modelFrom } from "../catalog/testing.ts";
import type { ChatEvent } from "../contract/index.ts";
import { credits, systemClock } from "../kit/index.ts";
import { silentLog } from "../telemetry/index.ts";
import { createChatAnswer } from "./answer/chat-answer.ts";
import type { QuotedChat } from "./chat-call.ts";
import { MODEL, quote } from "./chat-call-testing.ts";
import { isInputKnown, type PricingDeps, priceDelivered, priceFinished } from "./chat-price.ts";

type Finish = Extract<ChatEvent, { type: "finish" }>;

const usage = (inputTokens: number, outputTokens: number) => ({
  inputTokens,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens,
  reasoningTokens: 0,
});

function answered(text: string, finish: Partial<Finish> = {}) {
  const answer = createChatAnswer();
  const events: ChatEvent[] = [
    { type: "text", text },
    { type: "finish", reason: "stop", usage: null, ...finish },
  ];
  answer.add({ target: "somebody", events });
  return answer;
}

function pricing() {
  const seen: unknown[] = [];
  const deps = {
    clock: { ...systemClock, nowMs: () => 1_234 },
    log: { ...silentLog, error: (event: string) => void seen.push(event) },
    metrics: { disbelieved: () => void seen.push("counted") },
    corrections: { learn: (...told: unknown[]) => void seen.push(told) },
  } as unknown as PricingDeps;
  return { deps, seen };
}

test("a finished answer costs what its provider reports, and the report is learned from", () => {
  const { deps, seen } = pricing();
  const chat = quote();
  const made = priceFinished(deps, chat, answered("hello", { usage: usage(2_000, 50) }));
  expect(made).toMatchObject({ cost: credits(3), inputTokens: 2_000, outputTokens: 50, target: "somebody" });
  expect(made.outcome).toMatchObject({ finishReason: "stop", usage: usage(2_000, 50), completedAtMs: 1_234 });
  expect(seen).toEqual([[{ orgId: "o", model: chat.call.model.id }, chat.input.learnableAsSent(), 2_000]]);
  const cut = priceFinished(deps, chat, answered("hello", { usage: usage(20, 5), reason: "length" }));
  expect(cut.outcome.finishReason).toBe("length");
});

test("the measured record contains what was charged, and is null for a plain call", () => {
  const { deps } = pricing();
  const kept = (reported: Partial<NonNullable<Finish["usage"]>>, n = 1) =>
    priceFinished(deps, quote({ n }), answered("hello", { usage: { ...usage(2_000, 50), ...reported } }))
      .measured;
  expect(kept({})).toBeNull();
  expect(kept({ cachedInputTokens: 1_900, reasoningTokens: 40 })).toBe(
    '{"cached_input_tokens":1900,"reasoning_tokens":40,"cache_saved":0}',
  );
  expect(kept({}, 3)).toBe('{"n":3}');
  // What is not believed is not charged, and so not stored.
  expect(kept({ cachedInputTokens: 2_001 })).toBeNull();
});

test("if fewer answers come than were requested, only those are charged", () => {
  const { deps } = pricing();
  const chat = quote({ n: 4 });
  const came = (...reasons: Finish["reason"][]) =>
    priceFinished(deps, chat, answered("hello", { usage: usage(20, 5), reasons })).cost;
  expect([came("stop", "stop", "stop", "stop"), came("stop")]).toEqual([credits(4), credits(1)]);
});

test("an answer that went on after its usage report costs the report, or our own count if that is more", () => {
  const { deps, seen } = pricing();
  const chat = quote();
  const charged = (text: string, usageSoFar: NonNullable<Finish["usage"]>) => {
    const answer = answered(text, { usageSoFar });
    const { outputTokens: _written, reasoningTokens: _thought, ...input } = usageSoFar;
    answer.take("somebody", { type: "input", usage: input });
    const made = priceFinished(deps, chat, answer).outcome.usage;
    return [made.inputTokens, made.outputTokens, made.reasoningTokens];
  };
  const thoughtful = { ...usage(2_000, 90), reasoningTokens: 85 };
  const long = "river stone ".repeat(40);
  const ours = chat.input.tokensAsSent();
  expect(charged("hello", thoughtful)).toEqual([2_000, 90, 85]);
  expect(charged(long, { ...usage(2_000, 9), reasoningTokens: 8 })).toEqual([2_000, estimateTokens(long), 8]);
  expect(charged("hello", { ...thoughtful, inputTokens: 0 })).toEqual([ours, 90, 85]);
  // Impossible counts must not raise the minimum.
  const hello = estimateTokens("hello");
  expect(charged("hello", { ...thoughtful, outputTokens: 1e12 })).toEqual([2_000, hello, 0]);
  expect(charged("hello", { ...thoughtful, outputTokens: Number.NaN })).toEqual([2_000, hello, 0]);
  expect(charged(long, { ...thoughtful, outputTokens: 9 })).toEqual([2_000, estimateTokens(long), 0]);
  expect(seen).toEqual([]);
});

test("nothing is learned without a usage report, or from a prompt with unseen text", () => {
  const { deps, seen } = pricing();
  priceFinished(deps, quote(), answered("hello"));
  priceFinished(deps, quote({ unseenTokens: 5 }), answered("hello", { usage: usage(20, 5) }));
  expect(seen).toEqual([]);
});

test("an impossible usage report is replaced by our own count, logged and counted", () => {
  const { deps, seen } = pricing();
  const chat = quote();
  const made = priceFinished(deps, chat, answered("hello", { usage: usage(1e12, 1e12) }));
  expect(made.inputTokens).toBe(chat.input.tokensAsSent());
  expect(seen).toEqual(["usage_disbelieved", "counted"]);
});

test("if reported input exceeds the window, images and files are charged as held, not as estimated", () => {
  const { deps, seen } = pricing();
  const limits = { context_tokens: 100_000, max_output_tokens: 100 };
  const price = { input_per_million: 1_000, output_per_million: 1_000 };
  const model = modelFrom({
    ...{ type: "text", price },
    limits: { ...limits, window_tokens: 300_000, tokens_per_image: 5_000, tokens_per_file: 50_000 },
  });
  const content = [
    { type: "text", text: "What is in it?" },
    { type: "image", url: "https://a.example/x.png" },
    { type: "file", data: "data:application/pdf;base64,AAAA" },
  ] as const;
  const chat = quote({ messages: [{ role: "user", content }] }, { model });
  const charged = (reported: Finish["usage"]) =>
    priceFinished(deps, chat, answered("hello", { usage: reported })).inputTokens;
  expect(charged(usage(300_000, 5))).toBe(300_000);
  expect(seen).toEqual([]);
  const text = chat.input.tokensAsSent() - 1_024 - 1;
  expect(charged(usage(300_001, 5))).toBe(text + 55_000);
  expect(charged(usage(20, 101))).toBe(chat.input.tokensAsSent());
  expect(charged(null)).toBe(chat.input.tokensAsSent());
  const wentOn = priceFinished(deps, chat, answered("hello", { usageSoFar: usage(20, 5) }));
  expect(wentOn.inputTokens).toBe(chat.input.tokensAsSent());
});

test("if reported input exceeds the window, audio files are charged as held, as audio tokens", () => {
  const { deps } = pricing();
  const price = { input_per_million: 1_000, audio_input_per_million: 10_000, output_per_million: 1_000 };
  const model = modelFrom({
    ...{ type: "text", price, credits_per_request: 1 },
    limits: { context_tokens: 10_000, window_tokens: 50_000, max_output_tokens: 100, tokens_per_file: 3_000 },
  });
  const file = { type: "file", data: "A".repeat(4_800), mediaType: "audio/wav" } as const;
  const chat = quote({ messages: [{ role: "user", content: [file, file] }] }, { model });
  const charged = (reported: Finish["usage"]) =>
    priceFinished(deps, chat, answered("hello", { usage: reported })).outcome.usage;
  expect(charged(usage(50_001, 5))).toMatchObject({ audioInputTokens: 6_000 });
  expect(charged(null)).toMatchObject({ audioInputTokens: 200 });
});

test("audio input is held and charged at its own rate, whether reported or estimated", () => {
  const { deps } = pricing();
  const price = { input_per_million: 1_000, audio_input_per_million: 10_000, output_per_million: 1_000 };
  const model = modelFrom({
    ...{ type: "text", price, credits_per_request: 1 },
    limits: { context_tokens: 100_000, max_output_tokens: 100, tokens_per_file: 50_000 },
  });
  const data = "A".repeat(48_000);
  const asked = (file: { mediaType?: string; filename?: string; data?: string }) =>
    quote({ messages: [{ role: "user", content: [{ type: "file", data, ...file }] }] }, { model });
  const held = (chat: ReturnType<typeof asked>) => chat.paidCall.admission.full as number;
  const spoken = asked({ mediaType: "audio/wav" });
  const silent = asked({ mediaType: "application/pdf" });
  expect(held(spoken) - held(silent)).toBe(450);
  for (const heard of [{ filename: "talk.MP3" }, { data: "data:audio/wav;base64,AAAA" }])
    expect(held(asked(heard)), JSON.stringify(heard)).toBe(held(spoken));
  // A video of unknown length: what it may cost beyond a plain file is mostly for its images.
  expect(held(asked({ mediaType: "video/mp4" })) - held(spoken)).toBeWithin(45, 51);
  expect(held(asked({ filename: "talk.txt" }))).toBe(held(silent));
  const unreported = (chat: ReturnType<typeof asked>) =>
    priceFinished(deps, chat, answered("hello")).cost as number;
  expect(unreported(spoken) - unreported(silent)).toBe(9);
  const reported = { ...usage(2_000, 0), audioInputTokens: 1_500 };
  expect(priceFinished(deps, spoken, answered("hello", { usage: reported })).cost).toBe(credits(16));
});

test("an answer in the caller's own wire is stored as it came, if it is whole; any other in parts", () => {
  const { deps } = pricing();
  const whole = { id: "x", choices: [] };
  const wire = priceFinished(deps, quote(), answered("hello", { usage: usage(20, 5), whole }));
  expect([wire.outcome.wire, wire.outcome.answers]).toEqual([whole, []]);
  const inPieces = createChatAnswer();
  inPieces.add({ target: "x", events: [{ type: "wire", members: "", written: "hello" }] });
  expect(priceDelivered(deps, quote(), inPieces).isUnrepeatable).toBe(true);
  inPieces.add({ target: "x", events: [{ type: "finish", reason: "stop", usage: usage(20, 5), whole }] });
  expect(priceFinished(deps, quote(), inPieces).isUnrepeatable).toBe(false);
  const kept = createChatAnswer({ keepsChunks: true });
  const named = { type: "wire", event: "response.output_text.delta", members: '"delta":"hello"' } as const;
  kept.add({ target: "x", events: [{ ...named, written: "hello" }] });
  expect(priceDelivered(deps, quote(), kept)).toMatchObject({
    isUnrepeatable: true,
    outcome: { wire: null },
  });
  const members = '"choices":[{"index":0,"delta":{"content":"hello"},"finish_reason":null}]';
  kept.add({ target: "x", events: [{ type: "wire", members, written: "hello" }] });
  expect(priceDelivered(deps, quote(), kept)).toMatchObject({
    isUnrepeatable: false,
    outcome: { answers: [], wire: { choices: [{ message: { content: "hello" }, finish_reason: "length" }] } },
  });
  const plain = priceFinished(deps, quote(), answered("hello", { usage: usage(20, 5) }));
  expect(plain.outcome.wire).toBeNull();
  expect(plain.outcome.answers).toMatchObject([{ content: "hello", finishReason: "stop" }]);
});

test("a whole reply is read for our estimate only if its reported usage cannot be charged", () => {
  const { deps } = pricing();
  const content = "word ".repeat(20);
  const estimate = estimateTokens(content);
  let reads = 0;
  const whole = {
    get choices() {
      reads++;
      return [{ message: { content } }];
    },
  };
  const came = (reported: Finish["usage"]) => {
    const answer = createChatAnswer();
    answer.add({ target: "x", events: [{ type: "finish", reason: "stop", usage: reported, whole }] });
    return priceFinished(deps, quote(), answer).outputTokens;
  };
  expect([came(usage(20, 5)), reads]).toEqual([5, 0]);
  expect([came(null), came(usage(-5, 5)), reads]).toEqual([estimate, estimate, 2]);
});

test("an answer that was cut costs what was delivered, up to the model's limit for each choice", () => {
  const { deps, seen } = pricing();
  const chat = quote();
  const answer = createChatAnswer();
  answer.add({ target: "somebody", events: [{ type: "text", text: "word ".repeat(10_000) }] });
  const made = priceDelivered(deps, chat, answer);
  expect(made).toMatchObject({ inputTokens: chat.input.tokensAsSent(), outputTokens: 100 });
  expect(made.outcome).toMatchObject({
    finishReason: "length",
    usage: usage(chat.input.tokensAsSent(), 100),
  });
  expect(seen).toEqual([]);
  // Each of several answers may be that long.
  expect(priceDelivered(deps, quote({ n: 3 }), answer).outputTokens).toBe(300);
});

test("an answer that breaks off costs the input that its provider counted in advance, if plausible", () => {
  const { deps } = pricing();
  const price = {
    input_per_million: 1_000_000,
    cached_input_per_million: 100_000,
    output_per_million: 1_000_000,
  };
  const model = modelFrom({
    ...{ type: "text", credits_per_request: 1, price },
    limits: { context_tokens: 100_000, max_output_tokens: 100 },
  });
  const chat = quote({}, { model });
  const left = (input: Extract<ChatEvent, { type: "input" }>["usage"]) => {
    const answer = createChatAnswer();
    answer.add({
      target: "somebody",
      events: [
        { type: "input", usage: input },
        { type: "text", text: "hello" },
      ],
    });
    return priceDelivered(deps, chat, answer);
  };
  const made = left({ inputTokens: 2_000, cachedInputTokens: 1_800 });
  const written = estimateTokens("hello");
  expect(made.outcome.usage).toEqual({ ...usage(2_000, written), cachedInputTokens: 1_800 });
  expect(made.cost).toBe(credits(200 + 180 + written));
  // Impossible counts are not believed.
  for (const broken of [
    { inputTokens: -1 },
    { inputTokens: 1.5 },
    { inputTokens: 100_001 },
    { inputTokens: 10, cachedInputTokens: 11 },
  ]) {
    expect(left(broken).outcome.usage).toEqual(usage(chat.input.tokensAsSent(), written));
  }
});

test("a finished answer with only an early input count costs that input and our own count of the output", () => {
  const { deps, seen } = pricing();
  const chat = quote();
  const made = (input: Extract<ChatEvent, { type: "input" }>["usage"]) => {
    const answer = createChatAnswer();
    const text = { type: "text", text: "word ".repeat(20) } as const;
    const finish = { type: "finish", reason: "stop", usage: null } as const;
    answer.add({ target: "somebody", events: [text, { type: "input", usage: input }, finish] });
    return priceFinished(deps, chat, answer).outcome.usage;
  };
  const written = estimateTokens("word ".repeat(20));
  expect(made({ inputTokens: 7 })).toEqual(usage(7, written));
  expect(made({ inputTokens: 0 })).toEqual(usage(chat.input.tokensAsSent(), written));
  // Half a report is not learned from, and causes no alert.
  expect(seen).toEqual([]);
});

test("an early input count of less than a tenth of ours is replaced by ours when a stream is left", () => {
  const { deps } = pricing();
  const left = (chat: QuotedChat, inputTokens: number, cachedInputTokens = 0) => {
    const answer = createChatAnswer();
    const input = { type: "input", usage: { inputTokens, cachedInputTokens } } as const;
    answer.add({ target: "somebody", events: [input, { type: "text", text: "hello" }] });
    return priceDelivered(deps, chat, answer).inputTokens;
  };
  const long = quote({ messages: [{ role: "user", content: "The committee met again. ".repeat(200) }] });
  const ours = long.input.tokensAsSent();
  expect([left(long, 0), left(long, 1)]).toEqual([ours, ours]);
  // A provider may count differently from us; cached tokens are part of its count.
  const fewer = Math.ceil(ours / 10);
  expect([left(long, fewer - 1), left(long, fewer), left(long, fewer, fewer)]).toEqual([ours, fewer, fewer]);
  // Exactly a tenth will do.
  const asked = (words: number) => quote({ messages: [{ role: "user", content: "word ".repeat(words) }] });
  const even = [...Array(100).keys()].map(asked).find(({ input }) => input.textTokensAsSent() === 20);
  expect(even && left(even, 2)).toBe(2);
  // Messages that a server drops are neither counted nor billed.
  const capable = { ...MODEL, capabilities: ["context_management"] } as typeof MODEL;
  const { messages } = long.call.prompt;
  const managed = quote({ messages }, { model: capable });
  expect([left(managed, 1), left(managed, 0)]).toEqual([1, ours]);
  // The caller's request for it proves nothing: a server that counts in advance does not know of it.
  const wished = quote({ messages, isContextManaged: true });
  expect([left(wished, 1), left(wished, fewer)]).toEqual([ours, fewer]);
  // Only the provider knows exactly how many tokens an image counts as.
  const image = { type: "image", url: "https://example.com/a.png" } as const;
  const limits = { context_tokens: 100_000, max_output_tokens: 100, tokens_per_image: 1_600 };
  const price = { input_per_million: 1_000, output_per_million: 1_000 };
  const shown = quote(
    { messages: [{ role: "user", content: [{ type: "text", text: "What is it?" }, image] }] },
    { model: modelFrom({ type: "text", credits_per_request: 1, price, limits }) },
  );
  expect([left(shown, 90), left(shown, 0)]).toEqual([90, shown.input.tokensAsSent()]);
});

test("the input of a call with a video by URL is known only once its provider has counted it", () => {
  const limits = { context_tokens: 100_000, max_output_tokens: 100, tokens_per_file: 5_000 };
  const model = modelFrom({ type: "text", credits_per_request: 1, limits });
  const film = { type: "file", data: "https://example.com/a.mp4", mediaType: "video/mp4" } as const;
  const chat = quote({ messages: [{ role: "user", content: [film] }] }, { model });
  const known = (inputTokens: number, asked = chat) => {
    const answer = createChatAnswer();
    answer.add({ target: "somebody", events: [{ type: "input", usage: { inputTokens } }] });
    return isInputKnown(asked, answer);
  };
  expect([known(90), known(0), known(0, quote())]).toEqual([true, false, true]);
});
