import { STREAMED_PIECES } from "../upstream.ts";

/** One kind of call and how many callers there are at once. */
export type Scenario = {
  readonly form: "one piece" | "stream";
  readonly prompt: "small" | "100 KB";
  readonly connections: 1 | 64;
};

/** Small prompts first, and many connections before one: what large prompts took of memory, and what a compiler has yet to do, would otherwise be counted with them. */
export const SCENARIOS: readonly Scenario[] = (["small", "100 KB"] as const).flatMap((prompt) =>
  (["one piece", "stream"] as const).flatMap((form) =>
    ([64, 1] as const).map((connections) => ({ form, prompt, connections })),
  ),
);

/** As the configuration of the bench's gateway names it; the others pass on any. */
const MODEL = "bench-chat";
const LARGE_BYTES = 100_000;
const LARGE_MESSAGES = 20;
const LINE =
  "Then the clerk wrote each sum into the book, twice, and asked the others: \u201cIs it all there?\u201d\n";

export function nameOf({ form, prompt, connections }: Scenario): string {
  return `${form}, ${prompt}, ${connections} connection${connections === 1 ? "" : "s"}`;
}

/** The same bytes for every contender. */
export function bodyOf({ form, prompt }: Pick<Scenario, "form" | "prompt">): string {
  const messages =
    prompt === "small"
      ? [{ role: "user", content: "Say something of some length for testing." }]
      : longConversation();
  return JSON.stringify({ model: MODEL, messages, ...(form === "stream" ? { stream: true } : {}) });
}

/** Texts of the upstream's answer that must reach the caller, whatever the wire between makes of the rest. */
export function expectedOf({ form }: Pick<Scenario, "form">): string[] {
  return form === "stream" ? ["word0 ", `word${STREAMED_PIECES - 1} `] : ["this is a fixed reply"];
}

/**
 * Turns of a long chat: plain text, so that both interfaces take it and nothing of it is left out. They come again with
 * every call, as they do while a chat goes on.
 */
function longConversation(): { role: string; content: string }[] {
  const each = LARGE_BYTES / LARGE_MESSAGES;
  return Array.from({ length: LARGE_MESSAGES + 1 }, (_, at) => ({
    role: at % 2 === 0 ? "user" : "assistant",
    content: `${at}. ${LINE.repeat(Math.ceil(each / LINE.length)).slice(0, at < LARGE_MESSAGES ? each : 40)}`,
  }));
}
