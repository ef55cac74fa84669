import type { CallContext, SpeechProvider, SpokenLine } from "../../../contract/index.ts";
import { type OutboundResponse, readBytes, readJson } from "../../../outbound/index.ts";
import { madeFile } from "../../media/made-file.ts";
import { sayInTurn, turnsOf } from "../../media/spoken-turns.ts";
import type { WireAddress } from "../address.ts";
import { wireFailure } from "../wire-failure.ts";
import type { MediaCall } from "./media-call.ts";
import type { SpeechHabits } from "./speech-habits.ts";
import { joinSpeech } from "./speech-join.ts";

const MAX_SOUND_BYTES = 64 << 20;

type WireSpeechDeps = { readonly address: WireAddress; readonly call: MediaCall };

export function createWireSpeech(habits: SpeechHabits, { address, call }: WireSpeechDeps): SpeechProvider {
  async function say(turn: Turn, context: CallContext): Promise<Uint8Array> {
    const { model, line, speed } = turn;
    const voice = line.voice ?? habits.defaultVoice;
    const body = {
      model,
      input: line.text,
      ...(line.lines === undefined ? {} : { lines: line.lines }),
      ...(voice === null ? {} : { voice }),
      response_format: habits.format,
      ...(speed === 1 ? {} : { speed }),
    };
    const accept = "audio/*, application/json";
    const response = await call({ path: "/audio/speech", model, body, accept }, context);
    // Each part is checked separately: once joined, an empty one would go unnoticed.
    return madeFile(await soundOf(response, address.secrets), "audio").bytes;
  }

  return {
    async speak(model, { lines, speed }, context) {
      const turns = habits.takesLines ? [{ voice: null, text: "", lines }] : turnsOf(lines);
      const parts = await sayInTurn(turns, (line) => say({ model, line, speed }, context));
      return madeFile(joinSpeech(parts), "audio");
    },
  };
}

type Turn = {
  readonly model: string;
  readonly line: SpokenLine & { readonly lines?: readonly SpokenLine[] };
  readonly speed: number;
};

/** Nearly always the audio itself; some servers wrap it in JSON, and some errors come with a 200. */
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
