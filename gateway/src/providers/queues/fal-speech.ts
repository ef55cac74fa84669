import {
  ProviderFailure,
  type SpeechProvider,
  type SpeechRequest,
  type SpokenLine,
  unreadableAnswer,
} from "../../contract/index.ts";
import type { WaysOut } from "../../outbound/index.ts";
import { fetchHosted } from "../media/hosted-file.ts";
import { turnsOf } from "../media/spoken-turns.ts";
import type { ProviderSettings } from "../settings.ts";
import { falHeaders } from "./fal-queue.ts";
import { outputAddress, SOUND_FIELDS } from "./output-address.ts";
import type { WorkRequest } from "./remote-work.ts";
import { createVendorCall, pathOf } from "./vendor-call.ts";

const BASE_URL = "https://fal.run";

/**
 * Speech by fal: one call that returns a URL. The AI SDK has one host built in, and does not fetch from hosts that the
 * settings allow.
 */
export function createFalSpeech(
  settings: ProviderSettings,
  { outbound, fetchPublic }: WaysOut,
): SpeechProvider {
  const baseUrl = settings.baseUrl ?? BASE_URL;
  const call = createVendorCall(outbound, falHeaders(settings));
  return {
    async speak(upstreamModel, request, context) {
      const [line, second] = turnsOf(request.lines);
      if (line === undefined) throw rejected("There is no text to speak.");
      if (second !== undefined) throw rejected("This model reads in one voice only.");
      const input = encode(upstreamModel, line, request);
      const answer = await call.post(`${baseUrl}/${pathOf(upstreamModel)}`, input, context);
      const address = outputAddress(answer, SOUND_FIELDS);
      if (address === null) throw unreadableAnswer("speech without an address");
      return fetchHosted(address, "audio", { fetchPublic, signal: context.signal });
    },
  };
}

/** The name of the text field, by the beginning of a segment of the model's id; `text` for all others. */
const TEXT_FIELDS: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\/)(?:kokoro|gemini-|minimax\/speech-2\.)/, "prompt"],
  [/(?:^|\/)playai\//, "input"],
];
/** Models that take voice and speed inside `voice_setting`, and return the audio itself unless told not to. */
const HAS_SETTINGS = /(?:^|\/)minimax/;

function encode(upstreamModel: string, { voice, text }: SpokenLine, { speed }: SpeechRequest): WorkRequest {
  const field = TEXT_FIELDS.find(([pattern]) => pattern.test(upstreamModel))?.[1] ?? "text";
  const pace = speed === 1 ? {} : { speed };
  if (!HAS_SETTINGS.test(upstreamModel)) {
    return { [field]: text, ...(voice === null ? {} : { voice }), ...pace };
  }
  const setting = { ...(voice === null ? {} : { voice_id: voice }), ...pace };
  return {
    [field]: text,
    output_format: "url",
    ...(Object.keys(setting).length === 0 ? {} : { voice_setting: setting }),
  };
}

function rejected(message: string): ProviderFailure {
  return new ProviderFailure("rejected", message);
}
