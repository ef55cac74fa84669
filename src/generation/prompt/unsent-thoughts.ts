import {
  type ChatMessage,
  type ReasoningPart,
  sentThoughts,
  type WireRequest,
} from "../../providers/index.ts";

export function hasThoughts(messages: readonly ChatMessage[]): boolean {
  return messages.some((message) => thoughtsOf(message).length > 0);
}

/** The tokens of the unsent reasoning, as `count` counts them. */
export function unsentThoughtTokens(
  messages: readonly ChatMessage[],
  sent: WireRequest["body"] | null,
  count: (text: string) => number,
): number {
  return unsentThoughts(messages, sent).reduce((tokens, { text }) => tokens + count(text), 0);
}

/**
 * The reasoning of earlier turns that the provider that answers was not given. Some servers take all of it back, some
 * only what they signed, most nothing. `sent` shows which, if it is known. If it is not, the provider is one that takes
 * nothing back without a signature.
 */
export function unsentThoughts(
  messages: readonly ChatMessage[],
  sent: WireRequest["body"] | null,
): readonly ReasoningPart[] {
  const thoughts = messages.map(thoughtsOf).filter((parts) => parts.length > 0);
  return (sent === null ? thoughts.map(unsigned) : notAmong(sentThoughts(sent), thoughts)).flat();
}

type Parts = readonly ReasoningPart[];

function unsigned(parts: Parts): Parts {
  return parts.filter(({ signature }) => signature === undefined);
}

/** Turn by turn, in their order, so that a turn which was sent stands for no other that thought the same. */
function notAmong(turns: readonly ReadonlySet<string>[], thoughts: readonly Parts[]): readonly Parts[] {
  const places = placesOf(turns);
  let next = 0;
  return thoughts.map((parts) => {
    // Most servers take a turn's thoughts as one text.
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

/** Of each text, the turns that have it, the last one first. */
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

/** Those before it are taken away: nobody asks for them again, so that a long conversation is walked once. */
function firstFrom(next: number, places: number[] | undefined): number {
  while (places !== undefined && (places.at(-1) ?? next) < next) places.pop();
  return places?.at(-1) ?? Number.POSITIVE_INFINITY;
}

function thoughtsOf(message: ChatMessage): Parts {
  return (message.role === "assistant" ? message.reasoning : undefined) ?? [];
}
