import { expect, test } from "bun:test";
import { join } from "node:path";
import { MAX_SPEECH_CHARACTERS } from "./render-speech.ts";
import { findVoice, VOICES } from "./voices.ts";

test("the catalog has exactly our voices and our character limit", async () => {
  const path = join(import.meta.dir, "../../../gateway/catalog/models.yaml");
  const { models } = Bun.YAML.parse(await Bun.file(path).text()) as {
    models: { id: string; limits: unknown }[];
  };
  expect(models.find(({ id }) => id === "sandbox-voice")?.limits).toEqual({
    max_characters: MAX_SPEECH_CHARACTERS,
    voices: VOICES.map(({ name }) => name),
  });
});

test("findVoice takes the first voice for null, a name in any case, and no unknown name", () => {
  expect(findVoice(null)).toBe(VOICES[0]);
  expect(findVoice("Ben")?.name).toBe("ben");
  expect(findVoice("nobody")).toBeUndefined();
});
