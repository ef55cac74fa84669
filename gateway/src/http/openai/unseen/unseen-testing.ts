import { expect } from "bun:test";
import fc from "fast-check";
import type { ChatMessage } from "../../../contract/index.ts";
import type { ChatPrompt } from "../../../generation/index.ts";
import { AppError } from "../../../kit/index.ts";

/** For tests of what is held for beyond the estimate: made-up bodies, and a count of what their prompts show. */

/** Mostly short texts, and some too long to go uncounted by accident. */
export const words = fc.oneof(
  { weight: 3, arbitrary: fc.string({ maxLength: 30 }) },
  { weight: 1, arbitrary: fc.integer({ min: 2_000, max: 6_000 }).map((length) => "y".repeat(length)) },
);

const key = fc.constantFrom("a", "id", "name", "images", "documents", "cache_control", "extra");

export const junk: fc.Arbitrary<unknown> = fc.oneof(
  words,
  fc.constantFrom(null, true, 1.5),
  fc.array(words, { maxLength: 3 }),
  fc.dictionary(key, words, { maxKeys: 3 }),
);

/** An object with some of these fields (all of the required ones), and some unknown ones. */
export function loosely<Fields extends Record<string, fc.Arbitrary<unknown>>>(
  fields: Fields,
  required: readonly (keyof Fields & string)[] = [],
): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .tuple(fc.dictionary(key, junk, { maxKeys: 2 }), fc.record(fields, { requiredKeys: [...required] }))
    .map(([others, known]) => ({ ...others, ...known }));
}

/** Characters in all strings of a body, except for `type` and `role`. */
function charactersOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.entries(value).reduce((sum, [name, each]) => {
    const isForm = (name === "type" || name === "role") && String(each).length <= 30;
    return isForm ? sum : sum + charactersOf(each);
  }, 0);
}

/** Characters that the neutral prompt shows, to the estimate or to the catalog's bounds of images and files. */
function charactersSeenIn({ messages, tools = [], responseFormat }: ChatPrompt): number {
  const schema = responseFormat?.type === "json_schema" ? charactersOf(responseFormat.schema) : 0;
  return (
    schema +
    charactersShownIn(messages) +
    tools.reduce((sum, { name, description, parameters }) => {
      return sum + charactersOf([name, description, parameters]);
    }, 0)
  );
}

function charactersShownIn(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, message) => sum + charactersOfMessage(message), 0);
}

function charactersOfMessage(message: ChatMessage): number {
  const { content } = message;
  let sum = typeof content === "string" ? content.length : 0;
  if (Array.isArray(content)) for (const part of content) sum += charactersOfPart(part);
  if (message.role !== "assistant") return sum;
  for (const call of message.toolCalls ?? []) sum += call.name.length + call.arguments.length;
  for (const thought of message.reasoning ?? []) sum += thought.text.length;
  return sum;
}

function charactersOfPart(part: { text?: string; url?: string; data?: string }): number {
  return (part.text ?? part.url ?? part.data ?? "").length;
}

/** A little more than what each request, and each message, may carry without being held for. */
const ALLOWED_CHARACTERS = 1_500;
const ALLOWED_PER_MESSAGE = 64;

/** Characters that are neither seen nor counted, at four per token; 0 if all are. */
function charactersForgotten(body: unknown, prompt: ChatPrompt): number {
  const unseen = charactersOf(body) - charactersSeenIn(prompt);
  const counted = 4 * (prompt.unseenTokens ?? 0) + ALLOWED_CHARACTERS;
  return Math.max(0, unseen - counted - ALLOWED_PER_MESSAGE * prompt.messages.length);
}

/** Asserts that each body is refused with an `AppError`, or that all of it is seen or counted. */
export function checkNothingForgotten(
  bodies: fc.Arbitrary<Record<string, unknown>>,
  decode: (body: Record<string, unknown>) => ChatPrompt,
): { readonly accepted: number } {
  let accepted = 0;
  fc.assert(
    fc.property(bodies, (body) => {
      try {
        const prompt = decode(body);
        accepted += 1;
        expect(charactersForgotten(prompt.wire?.body, prompt)).toBe(0);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
    }),
    { numRuns: 1_000 },
  );
  return { accepted };
}
