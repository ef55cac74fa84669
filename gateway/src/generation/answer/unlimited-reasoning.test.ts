import { describe, expect, test } from "bun:test";
import { modelFrom } from "../../catalog/testing.ts";
import type { ChatEvent } from "../../contract/index.ts";
import { credits, systemClock } from "../../kit/index.ts";
import { createBreaker } from "../../outbound/index.ts";
import { createRegistry } from "../../providers/index.ts";
import { silentLog } from "../../telemetry/index.ts";
import { quote } from "../chat-call-testing.ts";
import { type PricingDeps, priceDelivered, priceFinished } from "../chat-price.ts";
import type { ChatPrompt } from "../prompt/chat-prompt.ts";
import { AnswerReader } from "./answer-reader.ts";
import { createChatAnswer } from "./chat-answer.ts";

/** One output token costs one credit. */
const ENTRY = {
  type: "text",
  credits_per_request: 1,
  price: { input_per_million: 0, output_per_million: 1_000_000 },
  limits: { context_tokens: 100_000, max_output_tokens: 1_000 },
  capabilities: ["reasoning"],
} as const;
const bound = modelFrom(ENTRY);
const model = modelFrom(ENTRY, { thinksBeyondLimit: () => true });

const held = (maxTokens: number | null, changes: Partial<ChatPrompt> = {}, of = model) =>
  quote(changes, { maxTokens, model: of }).paidCall.admission;
const asking = (body: object): Partial<ChatPrompt> => ({
  wire: { kind: "chat_completions", body: { messages: [], ...body }, texts: [] } as never,
});

describe("a model that reasons beyond the caller's limit", () => {
  test("gets a hold for its reasoning on top of the limit, for every answer", () => {
    expect(held(1, {}, bound).full).toBe(credits(1));
    expect([held(1).full, held(1_000).full, held(1, { n: 2 }).full]).toEqual(
      [1_001, 2_000, 2_002].map(credits),
    );
    // Without a limit, the caller gets as much as can be paid for, and no more.
    expect(held(null)).toMatchObject({ minimum: credits(256), full: credits(2_000) });
  });

  test("gets a hold for no more reasoning than the caller's thinking budget", () => {
    expect(held(1, asking({ thinking_budget: 50 })).full).toBe(credits(51));
    expect(held(1, asking({ enable_thinking: false })).full).toBe(credits(1));
    for (const said of [
      { thinking_budget: 5_000 },
      { thinking_budget: -1 },
      { thinking_budget: "1" },
      { x: 1 },
    ]) {
      expect(held(1, asking(said)).full, JSON.stringify(said)).toBe(credits(1_001));
    }
    // On the other wire, this field is not passed on.
    const response = { wire: { kind: "responses", body: { thinking_budget: 50 }, texts: [] } as never };
    expect(held(1, response).full).toBe(credits(1_001));
  });

  test("is not read in one piece, and may write as much as the hold pays for", () => {
    const asked = (maxTokens: number | null, granted: number, of = model) => {
      const chat = quote({}, { maxTokens, model: of });
      const request = chat.requestFor(credits(granted), "reply");
      return [request.inOnePiece, request.maxOutputTokens, chat.outputTokensHeld(credits(granted), request)];
    };
    expect(asked(1, 1, bound)).toEqual([true, 1, 1]);
    expect(asked(1, 1_001)).toEqual([false, 1, 1_001]);
    expect(asked(null, 2_000)).toEqual([false, 1_000, 2_000]);
    expect(asked(null, 1_300)).toEqual([false, 1_000, 1_300]);
    expect(asked(null, 300)).toEqual([false, 300, 300]);
  });

  test("is believed and charged for reasoning beyond its output limit", () => {
    const deps = {
      clock: systemClock,
      log: silentLog,
      metrics: { disbelieved: () => {} },
      corrections: { learn: () => {} },
    } as unknown as PricingDeps;
    const usage = { inputTokens: 5, outputTokens: 1_900, reasoningTokens: 1_000 };
    const charged = (events: ChatEvent[], of = model) => {
      const answer = createChatAnswer();
      answer.add({ target: "x", events });
      const price = answer.finish === null ? priceDelivered : priceFinished;
      return price(deps, quote({}, { model: of, maxTokens: 1_000 }), answer).outputTokens;
    };
    const finish: ChatEvent = { type: "finish", reason: "stop", usage };
    expect([charged([finish]), charged([finish], bound)]).toEqual([1_900, 0]);
    const long: ChatEvent = { type: "reasoning", text: "word ".repeat(9_000) };
    expect([charged([long]), charged([long], bound)]).toEqual([2_000, 1_000]);
  });

  test("may reason beyond the limit, and is cut where the hold ends", async () => {
    const read = async (tokens: number, of = model) => {
      async function* chat() {
        for (let at = 0; at < tokens; at++) yield [{ type: "reasoning", text: "word " } as const];
        yield [{ type: "finish", reason: "stop", usage: null } as const];
      }
      const chatted = quote({}, { maxTokens: 1, model: of });
      const granted = chatted.paidCall.admission.full;
      const started = {
        granted,
        stopped: null,
        onStop() {},
        stop() {},
        succeed: async (made: object) => made,
      };
      const reader = new AnswerReader({
        deps: {
          registry: createRegistry([{ name: "acme", text: { chat, onDisconnect: "stop" } }]),
          breaker: createBreaker({ clock: systemClock }),
          clock: systemClock,
        } as never,
        chat: chatted,
        started: started as never,
        request: chatted.requestFor(granted, "stream"),
        reading: "stream",
      });
      let last: unknown = null;
      for (let part = await reader.next(); part !== null; part = await reader.next()) last = part;
      return last;
    };
    const ending = (finishReason: string) => ({ type: "done", paid: { outcome: { finishReason } } });
    expect(await read(1_000)).toMatchObject(ending("stop"));
    expect(await read(4_000)).toMatchObject(ending("length"));
    expect(await read(1_000, bound)).toMatchObject(ending("length"));
  });
});
