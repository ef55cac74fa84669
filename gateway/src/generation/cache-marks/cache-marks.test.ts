import { beforeEach, describe, expect, test } from "bun:test";
import { modelFrom } from "../../catalog/testing.ts";
import type { ChatMessage, ChatRequest, MarkPlace } from "../../contract/index.ts";
import { credits, DAY_MS, MINUTE_MS } from "../../kit/index.ts";
import type { CacheHabit, CacheHabitStore } from "../../usage/index.ts";
import { quote } from "../chat-call-testing.ts";
import { type CacheMarks, cachingOf, createCacheMarks } from "./cache-marks.ts";

const MODEL = modelFrom({
  type: "text",
  price: {
    input_per_million: 3_000,
    output_per_million: 15_000,
    cached_input_per_million: 300,
    cache_write_per_million: 3_750,
  },
});
const ASKER = { orgId: "an-organization", model: MODEL.id };
const INSTRUCTIONS: ChatMessage = { role: "system", content: "Answer in one sentence." };
const TOOLS = [{ name: "look_up" }];
const ALL: MarkPlace[] = ["end", "last turn", "beginning"];

let nowMs: number;
let marks: CacheMarks;
beforeEach(() => {
  nowMs = 0;
  marks = learner();
});

function learner(store: CacheHabitStore = { add: async () => [] }): CacheMarks {
  return createCacheMarks({ store, clock: { elapsedMs: () => nowMs } });
}

/** The places that are marked in a call of this conversation. */
function call(
  messages: readonly ChatMessage[],
  { tools = TOOLS, by = marks, asker = ASKER, price = MODEL.price } = {},
) {
  return [...by.placesFor(asker, { messages, tools, maxOutputTokens: 1 }, price)];
}

const question = (text: string): ChatMessage[] => [INSTRUCTIONS, { role: "user", content: text }];
const goOn = (messages: readonly ChatMessage[]): ChatMessage[] => [
  ...messages,
  { role: "assistant", content: "Well." },
  { role: "user", content: "And?" },
];

/** Lone questions, so many minutes apart: how many of them were marked anywhere. */
function lone(calls: number, minutes: number, given: Parameters<typeof call>[1] = {}, text = ""): number {
  let marked = 0;
  for (let at = 0; at < calls; at++) {
    nowMs += minutes * MINUTE_MS;
    if (call(question(`${text}${at}`), given).length > 0) marked++;
  }
  return marked;
}

describe("a call of a shape never seen before", () => {
  test("is marked if it declares tools, and not otherwise", () => {
    expect(call(question("a"))).toEqual(["end", "beginning"]);
    expect(call(question("a"), { tools: [], asker: { ...ASKER, orgId: "another" } })).toEqual([]);
  });

  test("is not marked once it is known that new shapes are not called again", () => {
    const marked = Array.from({ length: 50 }, (_, at) => {
      nowMs += MINUTE_MS;
      const messages: ChatMessage[] = [
        { role: "system", content: `It is ${at}.` },
        { role: "user", content: "a" },
      ];
      return call(messages).length > 0;
    });
    expect(marked.filter(Boolean).length).toBeLessThan(8);
    expect(marked.slice(10)).not.toContain(true);
  });
});

describe("a conversation", () => {
  test("is marked from its second call on if that comes soon, whether or not there are tools", () => {
    const first = question("a");
    expect(call(first, { tools: [] })).toEqual([]);
    nowMs += MINUTE_MS;
    expect(call(goOn(first), { tools: [] })).toEqual(ALL);
    nowMs += 4 * MINUTE_MS;
    expect(call(goOn(goOn(first)), { tools: [] })).toEqual(ALL);
  });

  test("that came with its earlier turns is a first call", () => {
    expect(call(goOn(question("a")), { tools: [] })).toEqual([]);
  });

  test("is marked at its first call once most are gone on with", () => {
    for (let at = 0; at < 10; at++) {
      nowMs += 30 * MINUTE_MS;
      call(question(`${at}`), { tools: [] });
      nowMs += MINUTE_MS;
      call(goOn(question(`${at}`)), { tools: [] });
    }
    nowMs += 30 * MINUTE_MS;
    expect(call(question("new"), { tools: [] })).toEqual(["end", "beginning"]);
  });

  test("whose earlier text has changed reads nothing, so its end does not stay marked", () => {
    let marked = 0;
    for (let at = 0; at < 60; at++) {
      nowMs += MINUTE_MS;
      const changing: ChatMessage[] = [
        { role: "user", content: `It is ${at}.` },
        ...goOn(question("a")).slice(1),
      ];
      if (call(changing).includes("end")) marked++;
    }
    expect(marked).toBeLessThan(8);
  });
});

describe("instructions that are added along the way", () => {
  const NEW: ChatMessage = { role: "system", content: "Now be quick." };

  test("end no marks: once they stand, the conversation is marked again", () => {
    const talk = goOn(question("a"));
    call(question("a"), { tools: [] });
    nowMs += MINUTE_MS;
    expect(call(talk, { tools: [] })).toEqual(ALL);
    nowMs += MINUTE_MS;
    call([...goOn(talk), NEW], { tools: [] });
    nowMs += MINUTE_MS;
    expect(call(goOn([...goOn(talk), NEW]), { tools: [] })).toEqual(ALL);
  });

  test("in every call are soon known to make marks useless", () => {
    let talk = question("a");
    const marked: boolean[] = [];
    for (let at = 0; at < 40; at++) {
      nowMs += MINUTE_MS;
      talk = [...goOn(talk), { role: "system", content: `Step ${at}` }];
      marked.push(call(talk).length > 0);
    }
    expect(marked.slice(10)).not.toContain(true);
  });
});

describe("the beginning", () => {
  test("is marked while calls of this shape follow each other soon, and their ends are not", () => {
    lone(50, 4);
    nowMs += 4 * MINUTE_MS;
    expect(call(question("more"))).toEqual(["beginning"]);
  });

  test("is not marked for lone calls after the first few", () => {
    expect(lone(50, 6)).toBeLessThan(8);
    expect(lone(500, 6, {}, "more")).toBe(0);
  });

  test("that is still cached is marked, since it would not be read otherwise", () => {
    lone(50, 6);
    lone(20, 1, {}, "b");
    expect(call(question("c"))).toContain("beginning");
    lone(1, 5, {}, "d");
    expect(call(question("e"))).toContain("beginning");
  });
});

test("marks are set only where they pay at the model's own prices", () => {
  // Reading saves so little that writing never pays.
  const { price } = modelFrom({
    type: "text",
    price: {
      input_per_million: 1_000,
      output_per_million: 1_000,
      cached_input_per_million: 900,
      cache_write_per_million: 2_000,
    },
  });
  expect(call(question("a"), { price })).toEqual([]);
  // One price for all input: the provider's own are the usual ones.
  const { price: flat } = modelFrom({ type: "text", price: { input_per_million: 5, output_per_million: 5 } });
  expect(call(question("a"), { price: flat, asker: { ...ASKER, orgId: "another" } })).toEqual([
    "end",
    "beginning",
  ]);
});

test("what one organization's calls do decides nothing for another, nor one model for another", () => {
  lone(50, 10);
  expect(call(question("a"))).toEqual([]);
  expect(call(question("a"), { asker: { ...ASKER, orgId: "another" } })).not.toEqual([]);
  expect(call(question("a"), { asker: { ...ASKER, model: "another" } })).not.toEqual([]);
});

test("what was learned is forgotten after a day without calls", () => {
  lone(50, 10);
  nowMs += DAY_MS;
  expect(call(question("a"))).not.toEqual([]);
});

describe("an exchange", () => {
  function sharedStore(): CacheHabitStore & { given: CacheHabit[]; isAway: boolean } {
    const given: CacheHabit[] = [];
    return {
      given,
      isAway: false,
      async add(seen) {
        if (this.isAway) throw new Error("the database is away");
        given.push(...seen);
        return given;
      },
    };
  }

  test("lets a node that just started decide as the others do", async () => {
    const store = sharedStore();
    marks = learner(store);
    lone(50, 10);
    await marks.exchange();
    const other = learner(store);
    expect(call(question("a"), { by: other, asker: { ...ASKER, model: "another" } })).not.toEqual([]);
    await other.exchange();
    expect(call(question("a"), { by: other })).toEqual([]);
  });

  test("stores sums and digests, nothing of the prompt, and no shape that was called once", async () => {
    const store = sharedStore();
    marks = learner(store);
    call(question("secret"));
    await marks.exchange();
    expect(store.given.map(({ shape }) => shape)).toEqual([""]);
    call(question("secret"));
    await marks.exchange();
    const { shape = "" } = store.given.find(({ shape }) => shape !== "") ?? {};
    expect(shape).toMatch(/^[0-9a-f]{32}$/);
    expect(JSON.stringify(store.given)).not.toMatch(/secret|sentence|look_up/);
  });

  test("that failed hands over the same with the next", async () => {
    const store = sharedStore();
    marks = learner(store);
    lone(5, 10);
    store.isAway = true;
    await expect(marks.exchange()).rejects.toThrow("away");
    store.isAway = false;
    await marks.exchange();
    await marks.exchange();
    expect(store.given.find(({ shape }) => shape !== "")?.firsts).toBe(5);
    expect(store.given).toHaveLength(2);
  });
});

describe("how a request asks for a cache", () => {
  const request = (changes: Partial<ChatRequest> = {}): ChatRequest => ({
    messages: question("a"),
    tools: TOOLS,
    maxOutputTokens: 1,
    ...changes,
  });
  const asked = (by: "marks" | "key" | null, given = request(), tokens = 2_000, orgId = "o") =>
    cachingOf(
      { marks, registry: { text: () => ({ cachesBy: () => by }) }, sealed: (org, text) => `${org} ${text}` },
      { orgId, model: MODEL, tokens },
      given,
    );

  test("follows its target: by marks, by a key, or not at all", () => {
    expect(asked("marks")).toEqual({ cacheMarks: ["end", "beginning"] });
    expect(asked("key")).toEqual({ cacheKey: expect.stringMatching(/^o cache [0-9a-f]{64}$/) });
    expect(asked(null)).toEqual({});
  });

  test("is not computed for a prompt that no provider caches", () => {
    expect(asked("marks", request(), 1_023)).toEqual({});
  });

  test("uses one key for calls that begin alike, another for any other, and none without a beginning", () => {
    const { cacheKey } = asked("key");
    expect(asked("key", request({ messages: goOn(question("b")) })).cacheKey).toBe(cacheKey);
    expect(asked("key", request({ tools: [] })).cacheKey).not.toBe(cacheKey);
    expect(asked("key", request(), 2_000, "another").cacheKey).not.toBe(cacheKey);
    expect(asked("key", request({ messages: question("a").slice(1), tools: [] }))).toEqual({});
  });
});

test("a call is counted and marked when it is sent, not when it is quoted", () => {
  let counted = 0;
  const counting: CacheMarks = { ...marks, placesFor: () => ["end"].slice(0, ++counted) as MarkPlace[] };
  const registry = { text: () => ({ cachesBy: () => "marks" as const }) };
  const long: ChatMessage[] = [{ role: "user", content: "A question of some length. ".repeat(400) }];
  const quoted = quote({ messages: long }, { marks: counting, registry });
  // It may yet be refused for want of credits.
  expect(counted).toBe(0);
  expect(quoted.requestFor(credits(1_000), "reply").cacheMarks).toEqual(["end"]);
  expect(counted).toBe(1);
});
