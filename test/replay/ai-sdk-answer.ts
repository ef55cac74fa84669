import type { ChatEvent, FinishReason, ReportedUsage } from "../../gateway/src/contract/index.ts";

/**
 * What a recorded answer says, read without the adapter. Null where one is expected means that the answer must fail.
 */
export type Answer = {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly reason: FinishReason;
  readonly usage: ReportedUsage | null;
};

/** How one provider's recordings are read, and served again. */
export type WireReader = {
  /** A streamed response with the recorded events. */
  stream(events: readonly unknown[]): Response;
  /** The events of a recorded stream. */
  parse(bytes: Buffer): readonly unknown[];
  /** The events with which a recorded JSON answer would have been streamed. */
  eventsOf(reply: Json): readonly unknown[];
  read(events: readonly unknown[]): Answer | null;
  /** The text of a recorded JSON answer, taken from the reply itself. */
  textOf(reply: Json): string;
};

export type Json = Readonly<Record<string, unknown>>;

export function collect(batches: readonly (readonly ChatEvent[])[]): Answer | null {
  let [text, reasoning] = ["", ""];
  const calls: { name: string; text: string }[] = [];
  for (const event of batches.flat()) {
    if (event.type === "text") text += event.text;
    if (event.type === "reasoning") reasoning += event.text;
    if (event.type === "tool_start") calls[event.call] = { name: event.name, text: "" };
    if (event.type === "tool_arguments") {
      const call = calls[event.call];
      if (call) call.text += event.text;
    }
    if (event.type === "finish") {
      const read = calls.map((call) => ({ name: call.name, arguments: JSON.parse(call.text) }));
      return { text, reasoning, calls: read, reason: event.reason, usage: event.usage };
    }
  }
  return null;
}

export function serverSentEvents(events: readonly unknown[]): Response {
  const text = events.map((event) => {
    const type = asJson(event)["type"];
    return `${typeof type === "string" ? `event: ${type}\n` : ""}data: ${JSON.stringify(event)}\n\n`;
  });
  return new Response(text.join(""), { headers: { "content-type": "text/event-stream" } });
}

export function parseServerSentEvents(bytes: Buffer): readonly unknown[] {
  return bytes
    .toString("utf8")
    .split(/\r?\n/)
    .filter((line) => line.startsWith("data:") && !line.endsWith("[DONE]"))
    .map((line) => JSON.parse(line.slice("data:".length)));
}

export function joinTexts(parts: readonly Json[], field: string): string {
  return parts.map((part) => asText(part[field])).join("");
}

export function asJson(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

export function asList(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(asJson) : [];
}

export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function asCount(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

/** As the provider contract requires: counts of 0 are omitted. */
export function usageOf(counts: {
  input: number;
  output: number;
  cached?: number;
  written?: number;
  spoken?: number;
  reasoning?: number;
}): ReportedUsage {
  return {
    inputTokens: counts.input,
    outputTokens: counts.output,
    ...(counts.cached ? { cachedInputTokens: counts.cached } : {}),
    ...(counts.written ? { cacheWriteTokens: counts.written } : {}),
    ...(counts.spoken ? { audioInputTokens: counts.spoken } : {}),
    ...(counts.reasoning ? { reasoningTokens: counts.reasoning } : {}),
  };
}
