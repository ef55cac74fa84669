import { countedTokens } from "../compaction/src/index.ts";
import {
  beginningEnd,
  type ChatMessage,
  type ChatRequest,
  type MarkPlace,
  mayBeMarked,
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

type Cost = {
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

const sizes = new WeakMap<Played, Sized>();

function sizesOf(played: Played): Sized {
  const known = sizes.get(played);
  if (known !== undefined) return known;
  const tools = JSON.stringify(played.tools);
  const tokens = [played.tools.length === 0 ? 0 : countedTokens(tools)];
  const blocks = [0];
  const prefixes = [sha256Hex(tools)];
  for (const [at, message] of played.messages.entries()) {
    const calls = message.role === "assistant" ? (message.toolCalls ?? []) : [];
    const text = typeof message.content === "string" ? message.content : "";
    const called = calls.map(({ name, arguments: json }) => `${name} ${json}`).join("\n");
    tokens.push((tokens[at] ?? 0) + countedTokens(text) + countedTokens(called));
    blocks.push((blocks[at] ?? 0) + Math.max(1, calls.length + (text === "" ? 0 : 1)));
    prefixes.push(sha256Hex(`${prefixes[at]} ${message.role} ${text} ${called}`));
  }
  const sized = { tokens, blocks, prefixes };
  sizes.set(played, sized);
  return sized;
}

/** What the input of all calls costs, in units of the price of an uncached token. After so many calls it is late. */
export function play(conversations: readonly Played[], policy: Policy, lateAfter: number): Cost {
  const calls = conversations
    .flatMap((played) => played.calls.map((call) => ({ played, ...call })))
    .sort((a, b) => a.atMs - b.atMs);
  const cache = new Map<string, number>();
  const total: Cost = { calls: 0, tokens: 0, cost: 0, read: 0, lateTokens: 0, lateCost: 0 };
  for (const { played, sent, atMs } of calls) {
    const sized = sizesOf(played);
    const tokens = sized.tokens[sent] ?? 0;
    const messages = played.messages.slice(0, sent);
    const request = { messages, maxOutputTokens: 1, tools: played.tools };
    const places = tokens < LEAST_TOKENS || !mayBeMarked(request) ? [] : policy(request, atMs);
    const { read, written } = billed(sized, markedIn(withMarks(request, places)), atMs, cache);
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

/** What the gateway did up to version 0.9: the last two turns, once there is the result of a tool. */
export const marksOfBefore: Policy = ({ messages }) =>
  messages.slice(beginningEnd(messages)).some(({ role }) => role === "tool") ? ["last turn", "end"] : [];
