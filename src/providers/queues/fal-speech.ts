import { ProviderFailure } from "../contract.ts";
import { fetchHosted } from "../hosted-file.ts";
import type { SpeechProvider, SpeechRequest, SpokenLine } from "../media-contract.ts";
import type { OutboundFetch, PublicFetch } from "../outbound/index.ts";
import type { ProviderSettings } from "../settings.ts";
import { turnsOf } from "../spoken-turns.ts";
import { falHeaders, pathOf } from "./fal-queue.ts";
import { outputAddress } from "./output-address.ts";
import type { WorkRequest } from "./remote-work.ts";
import { createVendorCall, unreadable } from "./vendor-call.ts";

const BASE_URL = "https://fal.run";
const SOUND_FIELDS = ["audio"];

/**
 * Voices of fal: one call that answers with an address. The library has one host built in, and does not fetch from
 * those that were allowed in the settings.
 */
export function createFalSpeech(
  settings: ProviderSettings,
  { outbound, fetchPublic }: { readonly outbound: OutboundFetch; readonly fetchPublic: PublicFetch },
): SpeechProvider {
  const baseUrl = settings.baseUrl ?? BASE_URL;
  const call = createVendorCall(outbound, falHeaders(settings));
  return {
    async speak(upstreamModel, request, context) {
      const [line, second] = turnsOf(request.lines);
      if (line === undefined) throw rejected("There is nothing to say.");
      if (second !== undefined) throw rejected("This model reads in one voice only.");
      const answer = await call.post(`${baseUrl}/${pathOf(upstreamModel)}`, encode(line, request), context);
      const address = outputAddress(answer, SOUND_FIELDS);
      if (address === null) throw unreadable("speech without an address");
      return fetchHosted(address, "audio", { fetchPublic, signal: context.signal });
    },
  };
}

/** The same twice: some of its models have voice and pace at the top, others among settings. */
function encode({ voice, text }: SpokenLine, { speed }: SpeechRequest): WorkRequest {
  const pace = speed === 1 ? {} : { speed };
  const setting = { ...(voice === null ? {} : { voice_id: voice }), ...pace };
  return {
    text,
    output_format: "url",
    ...(voice === null ? {} : { voice }),
    ...pace,
    ...(Object.keys(setting).length === 0 ? {} : { voice_setting: setting }),
  };
}

function rejected(message: string): ProviderFailure {
  return new ProviderFailure("rejected", message);
}
