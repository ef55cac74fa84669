import { countedTokens } from "../compaction/src/index.ts";
import {
  type ChatMessage,
  type ChatRequest,
  isInstruction,
  type MarkPlace,
  type Tool,
  withMarks,
} from "../gateway/src/contract/index.ts";
import { sha256Hex } from "../gateway/src/kit/index.ts";

/** Anthropic's rules: relative prices, the life of a mark, the least that is cached, how far back a mark looks. */
const READ_PRICE = 0.1;
const WRITE_PRICE = 1.25;
const LIFE_MS = 5 * 60_000;
const LEAST_TOKENS = 1_024;
const BLOCKS_BACK = 20;

/** A conversation to play: what is sent at these indexes (all messages before them), and when. */
export type Played = {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly Tool[];
  readonly calls: readonly { readonly sent: number; readonly atMs: number }[];
};

export type Policy = (request: ChatRequest, atMs: number) => readonly MarkPlace[];

export type Cost = {
  calls: number;
  tokens: number;
  cost: number;
  read: number;
  lateTokens: number;
  lateCost: number;
};

type Sized = {
  /** By how many messages there are before: tokens, blocks, and a digest of them. */
  readonly tokens: readonly number[];
  readonly blocks: readonly number[];
  readonly prefixes: readonly string[];
};

const sizes = new WeakMap<Played, Map<number, Sized>>();

/** Of a conversation as it is sent: the first of its instructions, so many, then everything else. */
function sizesOf(played: Played, instructions: number): Sized {
  const known = sizes.get(played) ?? new Map<number, Sized>();
  sizes.set(played, known);
  return known.getOrInsertComputed(instructions, () => measure(played, instructions));
}

function measure({ messages, tools: given }: Played, instructions: number): Sized {
  const tools = JSON.stringify(given);
  const tokens = [given.length === 0 ? 0 : countedTokens(tools)];
  const blocks = [0];
  const prefixes = [sha256Hex(tools)];
  const first = messages.filter(isInstruction).slice(0, instructions);
  for (const [at, message] of [...first, ...messages.filter((each) => !isInstruction(each))].entries()) {
    const calls = message.role === "assistant" ? (message.toolCalls ?? []) : [];
    const text = typeof message.content === "string" ? message.content : "";
    const called = calls.map(({ name, arguments: json }) => `${name} ${json}`).join("\n");
    tokens.push((tokens[at] ?? 0) + textTokens(text) + textTokens(called));
    blocks.push((blocks[at] ?? 0) + Math.max(1, calls.length + (text === "" ? 0 : 1)));
    prefixes.push(sha256Hex(`${prefixes[at]} ${message.role} ${text} ${called}`));
  }
  return { tokens, blocks, prefixes };
}

const counts = new Map<string, number>();

function textTokens(text: string): number {
  return counts.getOrInsertComputed(text, countedTokens);
}

/** What the input of all calls costs, in units of the price of an uncached token. After so many calls it is late. */
export function play(conversations: readonly Played[], policy: Policy, lateAfter: number): Cost {
  const calls = conversations
    .flatMap((played) => played.calls.map((call) => ({ played, ...call })))
    .sort((a, b) => a.atMs - b.atMs);
  const cache = new Map<string, number>();
  const total: Cost = { calls: 0, tokens: 0, cost: 0, read: 0, lateTokens: 0, lateCost: 0 };
  for (const { played, sent, atMs } of calls) {
    const given = played.messages.slice(0, sent);
    const instructions = given.filter(isInstruction);
    const sized = sizesOf(played, instructions.length);
    const tokens = sized.tokens[sent] ?? 0;
    const request = { messages: given, maxOutputTokens: 1, tools: played.tools };
    const places = tokens < LEAST_TOKENS ? [] : policy(request, atMs);
    const messages = [...instructions, ...given.filter((message) => !isInstruction(message))];
    const { read, written } = billed(
      sized,
      markedIn(withMarks({ ...request, messages }, places)),
      atMs,
      cache,
    );
    const cost = tokens - read - written + read * READ_PRICE + written * WRITE_PRICE;
    total.calls++;
    total.tokens += tokens;
    total.cost += cost;
    total.read += read;
    if (total.calls > lateAfter) {
      total.lateTokens += tokens;
      total.lateCost += cost;
    }
  }
  return total;
}

/** How many messages stand before each mark; 0 for a mark on the tools. */
function markedIn({ messages, tools = [] }: ChatRequest): readonly number[] {
  const marks = messages.flatMap((message, at) => ("cache" in message && message.cache ? [at + 1] : []));
  return tools.some(({ cache }) => cache) ? [0, ...marks] : marks;
}

function billed(sized: Sized, marks: readonly number[], atMs: number, cache: Map<string, number>) {
  const { tokens, blocks, prefixes } = sized;
  const isCached = (at: number) =>
    (cache.get(prefixes[at] ?? "") ?? Number.NEGATIVE_INFINITY) >= atMs - LIFE_MS;
  const far = marks.filter((at) => (tokens[at] ?? 0) >= LEAST_TOKENS);
  let hit = -1;
  for (const mark of far) {
    for (let at = mark; at > hit && (blocks[mark] ?? 0) - (blocks[at] ?? 0) <= BLOCKS_BACK; at--) {
      if (isCached(at)) hit = at;
    }
  }
  for (const mark of far) cache.set(prefixes[mark] ?? "", atMs);
  if (hit >= 0) cache.set(prefixes[hit] ?? "", atMs);
  const read = hit < 0 ? 0 : (tokens[hit] ?? 0);
  const end = Math.max(0, ...far.map((mark) => tokens[mark] ?? 0));
  return { read, written: Math.max(0, end - read) };
}

export const noMarks: Policy = () => [];

/**
 * What the gateway did up to version 0.9: the last two turns, once there is the result of a tool and if no instructions
 * were added along the way.
 */
export const marksOfBefore: Policy = ({ messages }) => {
  const talk = messages.slice(messages.findIndex((message) => !isInstruction(message)));
  if (talk.some(isInstruction)) return [];
  return talk.some(({ role }) => role === "tool") ? ["last turn", "end"] : [];
};
