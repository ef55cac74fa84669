import { expect, test } from "bun:test";
import { imageOptionFields } from "./image-fields.ts";
import { MAX_PROMPT_CHARACTERS, promptField } from "./media-fields.ts";

test.each(["a", "🙂"])(
  "negative_prompt has the same length limit as prompt, counted in characters: %s",
  (character) => {
    const longest = character.repeat(MAX_PROMPT_CHARACTERS);
    for (const field of [imageOptionFields.negative_prompt, promptField("a prompt")]) {
      expect(field.safeParse(longest).success).toBe(true);
      expect(field.safeParse(longest + character).success).toBe(false);
    }
  },
);
