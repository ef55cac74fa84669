/** What cache marks cost and save: conversations played again, with marks that live for five minutes. */
import { modelFrom } from "../gateway/src/catalog/testing.ts";
import { type ChatMessage, isInstruction, type Tool } from "../gateway/src/contract/index.ts";
import { createCacheMarks } from "../gateway/src/generation/index.ts";
import { commandOptions } from "../scripts/command-options.ts";
import { type Cost, marksOfBefore, noMarks, type Played, type Policy, play } from "./cache-marks-replay.ts";
import { type Conversation, type CorpusMessage, readCorpus } from "./efficiency-corpus.ts";
import { neutralOf } from "./efficiency-neutral.ts";
import { renderTable } from "./table.ts";

const USAGE = "Usage: npm run bench cache-marks -- --corpus PATH [--corpus PATH2 ...]";
/** Calls after which a source is known. */
const KNOWN_AFTER = 50;
const LONE_CALLS = 500;
/** Of made-up instructions. */
const ADDED_TOKENS = 12_000;
const WORDS: ChatMessage = { role: "system", content: " word".repeat(ADDED_TOKENS) };
const MINUTE_MS = 60_000;

const ASSUMPTIONS = `Input cost at Anthropic's prices (write 1.25, read 0.1, five minutes, 1,024 tokens at least), in percent of the cost
without marks. Each source is one organization with one model; only calls in which the client marked nothing exist here.
Times are those of the corpus where it has them (column "timed"). Otherwise a call follows a tool's result after 8 s
(median of a lognormal distribution, sigma 1), a person after 60 s (sigma 1.3: one in nine after more than 5 minutes),
and a conversation begins 10 minutes (mean, exponential) after the one before has ended. No source has the schemas of
its tools, and conversations that are "bare" have no system prompt either: what is gained from a common beginning is
missing there. So "longer" is "now / before" with ${ADDED_TOKENS} made-up tokens of instructions before each conversation, about
what agents of today send. "as text": with tool results in user messages and no tools. "read": of the input tokens.
"lone": ${LONE_CALLS} calls with tools, 4,000 tokens of instructions and a new question each.`;

export function run(args: readonly string[]): void {
  const { corpus = [] } = commandOptions(USAGE, { corpus: { type: "string", multiple: true } }, args);
  const conversations = (corpus.length === 0 ? [undefined] : corpus).flatMap(readCorpus);
  const agents: Row[] = [];
  const inText: Row[] = [];
  const others: Row[] = [];
  for (const [source, of] of Map.groupBy(conversations, (conversation) => conversation.source)) {
    const usesTools = of.some(({ messages }) => messages.some(({ role }) => role === "tool"));
    (usesTools ? agents : others).push(rowOf(source, playedFrom(of), timedShare(of)));
    if (usesTools) inText.push(rowOf(`${source} as text`, playedFrom(of, { asText: true }), timedShare(of)));
  }
  const mean = (minutes: number) => (random: () => number) => exponential(random, minutes * MINUTE_MS);
  const alone = [
    rowOf(
      "lone, every 10 minutes",
      lone(() => 10 * MINUTE_MS),
    ),
    rowOf(
      "lone, every 10 minutes, new instructions",
      lone(() => 10 * MINUTE_MS, true),
    ),
    rowOf("lone, 10 minutes on average", lone(mean(10))),
    rowOf("lone, 30 minutes on average", lone(mean(30))),
  ];
  console.log(`${ASSUMPTIONS}\n`);
  const groups = [
    ...[...sorted(agents), sumOf("ALL THAT CALL TOOLS", agents)],
    ...[...sorted(inText), sumOf("ALL OF THESE AS TEXT", inText)],
    ...[...sorted(others), ...alone],
  ];
  console.log(renderTable(HEADER, groups.map(cellsOf)));
}

const HEADER = [
  ...["percent of the cost without marks", "chats", "calls", "timed", "bare"],
  ...["before", "now", "now / before", `now, after ${KNOWN_AFTER} calls`, "read", "longer"],
];

type Row = {
  readonly source: string;
  readonly timed: string;
  readonly chats: number;
  readonly bare: number;
  readonly none: Cost;
  readonly before: Cost;
  readonly now: Cost;
  readonly longBefore: Cost;
  readonly longNow: Cost;
};

function rowOf(source: string, played: readonly Played[], timed = ""): Row {
  const longer = played.map(({ messages, tools, calls }) => ({
    messages: [WORDS, ...messages],
    tools,
    calls: calls.map(({ sent, atMs }) => ({ sent: sent + 1, atMs })),
  }));
  return {
    ...{ source, timed, chats: played.length },
    bare: played.filter(({ messages }) => !messages.some(isInstruction)).length,
    none: play(played, noMarks, KNOWN_AFTER),
    before: play(played, marksOfBefore, KNOWN_AFTER),
    now: play(played, learnedMarks(), KNOWN_AFTER),
    longBefore: play(longer, marksOfBefore, KNOWN_AFTER),
    longNow: play(longer, learnedMarks(), KNOWN_AFTER),
  };
}

function sorted(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted((a, b) => (a.source < b.source ? -1 : 1));
}

function sumOf(source: string, rows: readonly Row[]): Row {
  const count = (of: (row: Row) => number) => rows.reduce((sum, row) => sum + of(row), 0);
  const cost = (of: (row: Row) => Cost): Cost => ({
    calls: count((row) => of(row).calls),
    tokens: count((row) => of(row).tokens),
    cost: count((row) => of(row).cost),
    read: count((row) => of(row).read),
    lateTokens: count((row) => of(row).lateTokens),
    lateCost: count((row) => of(row).lateCost),
  });
  return {
    ...{ source, timed: "", chats: count(({ chats }) => chats), bare: count(({ bare }) => bare) },
    ...{ none: cost(({ none }) => none), before: cost(({ before }) => before), now: cost(({ now }) => now) },
    ...{ longBefore: cost(({ longBefore }) => longBefore), longNow: cost(({ longNow }) => longNow) },
  };
}

function cellsOf({ source, timed, chats, bare, none, before, now, longBefore, longNow }: Row): string[] {
  const percent = (cost: number, of: number) => (of === 0 ? "" : ((100 * cost) / of).toFixed(1));
  const share = (part: number, of: number) => `${Math.round((100 * part) / of)} %`;
  return [
    ...[source, String(chats), String(none.calls), timed, share(bare, chats)],
    ...[percent(before.cost, none.cost), percent(now.cost, none.cost), percent(now.cost, before.cost)],
    ...[percent(now.lateCost, now.lateTokens), share(now.read, now.tokens)],
    percent(longNow.cost, longBefore.cost),
  ];
}

/** The product's own decision, with a clock of ours. */
function learnedMarks(): Policy {
  let nowMs = 0;
  const marks = createCacheMarks({
    store: { add: async () => [] },
    clock: { elapsedMs: () => nowMs },
  });
  return (request, atMs) => {
    nowMs = atMs;
    return marks.placesFor({ orgId: "o", model: MODEL.id }, request, MODEL.price);
  };
}

const MODEL = modelFrom({
  type: "text",
  price: {
    ...{ input_per_million: 3_000, output_per_million: 15_000 },
    ...{ cached_input_per_million: 300, cache_write_per_million: 3_750 },
  },
});

function timedShare(of: readonly Conversation[]): string {
  const messages = of.flatMap((conversation) => conversation.messages);
  const timed = messages.filter((message) => atOf(message) !== null);
  return `${Math.round((100 * timed.length) / messages.length)} %`;
}

function atOf(message: CorpusMessage): number | null {
  const { at } = message as { readonly at?: string | number };
  const ms = typeof at === "number" ? at : at === undefined ? Number.NaN : Date.parse(at);
  return Number.isFinite(ms) ? ms : null;
}

/** A conversation is asked for before each of its answers, and at its end if it has no last answer. */
function playedFrom(of: readonly Conversation[], { asText = false } = {}): readonly Played[] {
  const random = seeded(1);
  let freeMs = 0;
  return of.map((conversation) => {
    const { messages } = conversation;
    const neutral = messages.map((message): ChatMessage => {
      const made = neutralOf(message);
      return asText && made.role === "tool" ? { role: "user", content: made.content } : made;
    });
    const sent = messages.flatMap(({ role }, at) => (role === "assistant" && at > 0 ? [at] : []));
    if (messages.at(-1)?.role !== "assistant") sent.push(messages.length);
    let atMs = freeMs + exponential(random, 10 * MINUTE_MS);
    const calls = sent.map((count) => {
      const last = messages[count - 1];
      const timed = last === undefined ? null : atOf(last);
      atMs =
        timed ??
        atMs + (last?.role === "tool" ? lognormal(random, 8_000, 1) : lognormal(random, 60_000, 1.3));
      return { sent: count, atMs };
    });
    freeMs = Math.max(freeMs, atMs);
    return { messages: neutral, tools: asText ? [] : toolsOf(conversation), calls };
  });
}

function toolsOf({ messages, ...conversation }: Conversation): readonly Tool[] {
  const { tools } = conversation as { readonly tools?: readonly { readonly function?: Tool }[] };
  if (Array.isArray(tools) && tools.length > 0)
    return tools.map((tool) => ({ name: "tool", ...tool.function }));
  const called = messages.flatMap((message) => message.tool_calls ?? []);
  const usesTools = called.length > 0 || messages.some(({ role }) => role === "tool");
  // The same for every conversation: what was not called was declared as well.
  return usesTools ? [{ name: "tools" }] : [];
}

function lone(gapMs: (random: () => number) => number, hasNewInstructions = false): readonly Played[] {
  const random = seeded(2);
  const tools = [{ name: "look_up", description: "Looks up a word." }];
  let atMs = 0;
  return Array.from({ length: LONE_CALLS }, (_, at) => {
    atMs += gapMs(random);
    const instructions = `${hasNewInstructions ? at : ""} ${"Answer in one sentence. ".repeat(800)}`;
    const messages: ChatMessage[] = [
      { role: "system", content: instructions },
      { role: "user", content: `Question ${at}: what does it mean?` },
    ];
    return { messages, tools, calls: [{ sent: 2, atMs }] };
  });
}

/** Mulberry32. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function exponential(random: () => number, mean: number): number {
  return -Math.log(1 - random()) * mean;
}

function lognormal(random: () => number, median: number, sigma: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return median * Math.exp(sigma * normal);
}
