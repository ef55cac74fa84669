import { expect, test } from "bun:test";
import fc from "fast-check";
import { checkFields } from "../fields/check-fields.ts";
import { chatFields } from "./chat-fields.ts";
import { chatBodySchema } from "./chat-schema.ts";

const MAX_MESSAGES = 3;
const schema = chatBodySchema(MAX_MESSAGES);

const odd = fc.oneof(fc.constantFrom(null, undefined, true, "", "x", 0, 1, 1.5, -1, 2 ** 60), fc.object());
const message = fc.oneof(
  fc.record({ role: fc.constantFrom("system", "user", "assistant"), content: fc.string() }),
  fc.record({ role: fc.constantFrom("user", "tool", "User"), content: odd, name: odd }, { requiredKeys: [] }),
  odd,
);
const body = fc.oneof(
  odd,
  fc.record(
    {
      model: fc.oneof(fc.string(), fc.string({ minLength: 190, maxLength: 210 }), odd),
      messages: fc.oneof(fc.array(message, { maxLength: 4 }), odd),
      stream: fc.oneof(fc.boolean(), odd),
      max_tokens: fc.oneof(fc.integer(), odd),
    },
    { requiredKeys: ["model", "messages"] },
  ),
);

function outcome(check: () => unknown): unknown {
  try {
    const { model, messages, stream, max_tokens } = check() as Record<string, unknown>;
    return { model, messages, stream, max_tokens };
  } catch (error) {
    return String(error);
  }
}

test("the fast check of a body has the same result as the schema, for valid and invalid bodies", () => {
  fc.assert(
    fc.property(body, (given) => {
      expect(outcome(() => chatFields(schema, MAX_MESSAGES, given))).toEqual(
        outcome(() => checkFields(schema, given)),
      );
    }),
    { numRuns: 1_000 },
  );
});
