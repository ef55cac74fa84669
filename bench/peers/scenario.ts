import { STREAMED_PIECES } from "../upstream.ts";

/** One kind of call, and the number of concurrent callers. */
export type Scenario = {
  readonly form: "one piece" | "stream";
  /** With new texts, no line of any call has been in another one. */
  readonly prompt: "small" | "100 KB" | "100 KB of new texts";
  readonly connections: 1 | 64;
};

/**
 * Small prompts first, and many connections before one: otherwise memory taken by large prompts, and pending
 * compilation, would be counted with them.
 */
export const SCENARIOS: readonly Scenario[] = (["small", "100 KB", "100 KB of new texts"] as const).flatMap(
  (prompt) =>
    (["one piece", "stream"] as const).flatMap((form) =>
      ([64, 1] as const).map((connections) => ({ form, prompt, connections })),
    ),
);

/** As named in the configuration of the bench's gateway; the others forward any model. */
const MODEL = "bench-chat";
const LARGE_BYTES = 100_000;
const LARGE_MESSAGES = 20;
const LINE =
  "Then the clerk wrote each sum into the book, twice, and asked the others: \u201cIs it all there?\u201d\n";

export function nameOf({ form, prompt, connections }: Scenario): string {
  return `${form}, ${prompt}, ${connections} connection${connections === 1 ? "" : "s"}`;
}

/** Wherever it stands in a request, the callers put another number with every call. */
export const NEW_NUMBER = "########";

/** The same bytes for every contender, but for the numbers of new texts. */
export function bodyOf({ form, prompt }: Pick<Scenario, "form" | "prompt">): string {
  const messages =
    prompt === "small"
      ? [{ role: "user", content: "Say something of some length for testing." }]
      : longConversation(prompt === "100 KB" ? LINE : `${NEW_NUMBER} ${LINE}`);
  return JSON.stringify({ model: MODEL, messages, ...(form === "stream" ? { stream: true } : {}) });
}

/** Texts of the upstream's reply that must reach the caller, however the wire in between changes the rest. */
export function expectedOf({ form }: Pick<Scenario, "form">): string[] {
  return form === "stream" ? ["word0 ", `word${STREAMED_PIECES - 1} `] : ["this is a fixed reply"];
}

/** Turns of a long chat: plain text, which both APIs accept and pass on whole. */
function longConversation(line: string): { role: string; content: string }[] {
  const each = LARGE_BYTES / LARGE_MESSAGES;
  return Array.from({ length: LARGE_MESSAGES + 1 }, (_, at) => ({
    role: at % 2 === 0 ? "user" : "assistant",
    content: `${at}. ${line.repeat(Math.ceil(each / line.length)).slice(0, at < LARGE_MESSAGES ? each : 40)}`,
  }));
}
