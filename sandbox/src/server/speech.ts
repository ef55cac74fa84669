import type { SpokenLine } from "../../../gateway/src/contract/index.ts";
import { followDirectives } from "../directives/follow-directives.ts";
import type { Renderer } from "../media/renderer.ts";
import { VOICES } from "../speech/voices.ts";
import { type Fields, listIn, numberIn, requiredText, textIn } from "./fields.ts";
import { badField } from "./wire-error.ts";

/** The renderer refuses longer texts in its own words. */
const MAX_INPUT_CHARACTERS = 32_000;
const MAX_LINES = 64;

/** Names of OpenAI's own voices; ours speak for them in turn. */
const OPENAI_VOICES = "alloy ash ballad cedar coral echo fable marin nova onyx sage shimmer verse".split(" ");

type SpeechDeps = { readonly renderer: Renderer; readonly signal: AbortSignal };

/** `POST /v1/audio/speech`. `lines` is our own field: what each of several voices reads, in place of `input`. */
export async function speak(body: Fields, { renderer, signal }: SpeechDeps): Promise<Response> {
  const format = textIn(body, "response_format") ?? "mp3";
  if (format !== "mp3")
    throw badField("response_format", "must be mp3, the only format that the sandbox writes");
  const speed = numberIn(body, "speed", { min: 0.25, max: 4 }) ?? 1;
  const lines = linesOf(body);
  const texts = await followDirectives(
    lines.map(({ text }) => text),
    signal,
  );
  const spoken = lines.map(({ voice }, at) => ({ voice, text: texts[at] ?? "" }));
  const request = { lines: spoken, speed };
  const { bytes, mediaType } = await renderer.render({ kind: "speech", request }, signal);
  return new Response(Buffer.from(bytes), { headers: { "content-type": mediaType } });
}

function linesOf(body: Fields): readonly SpokenLine[] {
  const lines = listIn(body, "lines").map((line) => lineOf(line, "text"));
  if (lines.length > MAX_LINES) throw badField("lines", `must be at most ${MAX_LINES}`);
  return lines.length > 0 ? lines : [lineOf(body, "input")];
}

function lineOf(fields: Fields, field: "text" | "input"): SpokenLine {
  const voice = textIn(fields, "voice") ?? null;
  const text = requiredText(fields, field, MAX_INPUT_CHARACTERS);
  const other = OPENAI_VOICES.indexOf(voice ?? "");
  return { voice: VOICES[other % VOICES.length]?.name ?? voice, text };
}
