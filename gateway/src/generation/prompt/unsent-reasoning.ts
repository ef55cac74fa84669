import type { ChatMessage, ReasoningPart, WireRequest } from "../../contract/index.ts";
import { sentReasoning } from "../../wires/index.ts";

export function hasReasoning(messages: readonly ChatMessage[]): boolean {
  return messages.some((message) => reasoningOf(message).length > 0);
}

export function unsentReasoningTokens(
  messages: readonly ChatMessage[],
  sent: WireRequest["body"] | null,
  count: (text: string) => number,
): number {
  return unsentReasoning(messages, sent).reduce((tokens, { text }) => tokens + count(text), 0);
}

/**
 * The reasoning of earlier turns that the answering provider did not receive: some servers take all of it back, some
 * only what they have signed, most none. `sent` is the body that went out; null if unknown, which means a provider
 * that takes back only signed reasoning.
 */
export function unsentReasoning(
  messages: readonly ChatMessage[],
  sent: WireRequest["body"] | null,
): readonly ReasoningPart[] {
  const reasoning = messages.map(reasoningOf).filter((parts) => parts.length > 0);
  return (sent === null ? reasoning.map(unsigned) : notAmong(sentReasoning(sent), reasoning)).flat();
}

type Parts = readonly ReasoningPart[];

function unsigned(parts: Parts): Parts {
  return parts.filter(({ signature }) => signature === undefined);
}

/**
 * Matches turns in order, so that a turn that was sent is not matched with another one that has the same reasoning.
 */
function notAmong(turns: readonly ReadonlySet<string>[], reasoning: readonly Parts[]): readonly Parts[] {
  const places = placesOf(turns);
  let next = 0;
  return reasoning.map((parts) => {
    // Most servers take the reasoning of a turn as one text.
    const whole = parts.map(({ text }) => text).join("");
    const at = Math.min(
      ...[whole, ...new Set(parts.map(({ text }) => text))].map((text) => firstFrom(next, places.get(text))),
    );
    const texts = turns[at];
    if (texts === undefined) return parts;
    next = at + 1;
    return texts.has(whole) ? [] : parts.filter(({ text }) => !texts.has(text));
  });
}

/** Maps each text to the turns that contain it, the last turn first. */
function placesOf(turns: readonly ReadonlySet<string>[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (let at = turns.length - 1; at >= 0; at--) {
    for (const text of turns[at] ?? []) {
      const known = places.get(text);
      if (known === undefined) places.set(text, [at]);
      else known.push(at);
    }
  }
  return places;
}

/** Drops earlier turns, which are never needed again, so that a long conversation is walked only once. */
function firstFrom(next: number, places: number[] | undefined): number {
  while (places !== undefined && (places.at(-1) ?? next) < next) places.pop();
  return places?.at(-1) ?? Number.POSITIVE_INFINITY;
}

function reasoningOf(message: ChatMessage): Parts {
  return (message.role === "assistant" ? message.reasoning : undefined) ?? [];
}
