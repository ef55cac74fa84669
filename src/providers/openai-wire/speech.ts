import { type CallContext, ProviderFailure } from "../contract.ts";
import { madeFile } from "../made-file.ts";
import type { SpeechProvider, SpokenLine } from "../media-contract.ts";
import { type OutboundResponse, readBytes, readJson } from "../outbound/index.ts";
import type { WireAddress } from "./address.ts";
import type { MediaCall } from "./media-call.ts";
import type { SpeechHabits } from "./speech-habits.ts";
import { joinSpeech } from "./speech-join.ts";
import { wireFailure } from "./wire-failure.ts";

const MAX_SOUND_BYTES = 64 << 20;
/** A scene of more turns than this is a play; each turn is a call. */
const MAX_TURNS = 64;
const MAX_AT_ONCE = 3;

export type WireSpeechDeps = { readonly address: WireAddress; readonly call: MediaCall };

export function createWireSpeech(habits: SpeechHabits, { address, call }: WireSpeechDeps): SpeechProvider {
  async function say(turn: Turn, context: CallContext): Promise<Uint8Array> {
    const { model, line, speed } = turn;
    const voice = line.voice ?? habits.defaultVoice;
    const body = {
      model,
      input: line.text,
      ...(voice === null ? {} : { voice }),
      response_format: habits.format,
      ...(speed === 1 ? {} : { speed }),
    };
    const accept = "audio/*, application/json";
    const response = await call({ path: "/audio/speech", model, body, accept }, context);
    return soundOf(response, address.secrets);
  }

  return {
    async speak(model, { lines, speed }, context) {
      const turns = turnsOf(lines);
      if (turns.length > MAX_TURNS) {
        throw new ProviderFailure("rejected", `This model takes at most ${MAX_TURNS} changes of voice.`);
      }
      const parts: Uint8Array[] = [];
      for (let at = 0; at < turns.length; at += MAX_AT_ONCE) {
        const round = turns.slice(at, at + MAX_AT_ONCE).map((line) => say({ model, line, speed }, context));
        const ends = await Promise.allSettled(round);
        for (const end of ends) {
          if (end.status === "rejected") throw end.reason;
          parts.push(end.value);
        }
      }
      return madeFile(joinSpeech(parts), "audio");
    },
  };
}

type Turn = { readonly model: string; readonly line: SpokenLine; readonly speed: number };

/** Lines of one voice that follow each other are one turn: fewer calls, and the voice keeps its breath. */
function turnsOf(lines: readonly SpokenLine[]): readonly SpokenLine[] {
  const turns: SpokenLine[] = [];
  for (const line of lines) {
    const last = turns.at(-1);
    if (last === undefined || last.voice !== line.voice) turns.push(line);
    else turns[turns.length - 1] = { voice: last.voice, text: `${last.text}\n${line.text}` };
  }
  return turns;
}

/** Nearly always the sound itself; some put it into JSON, and some errors come with a 200. */
async function soundOf(response: OutboundResponse, secrets: readonly string[]): Promise<Uint8Array> {
  const isJson = response.headers.get("content-type")?.includes("json") ?? false;
  if (!isJson) return readBytes(response, MAX_SOUND_BYTES);
  const reply = (await readJson(response, MAX_SOUND_BYTES)) as {
    readonly audio_data?: unknown;
    readonly error?: unknown;
  } | null;
  if (typeof reply?.audio_data === "string") return Buffer.from(reply.audio_data, "base64");
  throw wireFailure(reply?.error ?? null, secrets);
}
