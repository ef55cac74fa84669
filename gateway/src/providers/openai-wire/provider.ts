import type { CallContext, ChatRequest, Provider, TextProvider, WireRequest } from "../../contract/index.ts";
import { writeExactly } from "../../kit/index.ts";
import { createRetrier, type WaysOut } from "../../outbound/index.ts";
import type { ProviderSettings } from "../settings.ts";
import { createAddress, type WireAddress } from "./address.ts";
import { withShortMarks } from "./encode/cache-marks.ts";
import { type Exchange, exchangeOf, isSentOnAsResponse, refuseUnservedFields } from "./exchange.ts";
import { createWireImages } from "./media/images.ts";
import { createMediaCall } from "./media/media-call.ts";
import { createWireSpeech } from "./media/speech.ts";
import type { WireVendor } from "./vendor.ts";
import { WireBatches } from "./wire-batches.ts";

/**
 * How the names of cache marks and provider options begin. Not one regular expression for both: depending on the first
 * body it sees, it can be ten times slower.
 */
const MARKS = ['"cache_control"', '"provider'];

/** The body as it is sent: with the digits that the caller wrote, and cache marks for the lifetime that is priced. */
export function writtenBody(body: Exchange["body"], exactNumbers?: WireRequest["exactNumbers"]): string {
  const write = (sent: Exchange["body"]) =>
    exactNumbers === undefined ? JSON.stringify(sent) : writeExactly(sent, exactNumbers);
  const text = write(body);
  // Searching the text is much faster than walking the body, and few bodies have any.
  if (!MARKS.some((mark) => text.includes(mark))) return text;
  const short = withShortMarks(body);
  return short === body ? text : write(short);
}

/** Any server that speaks chat completions; all its differences are in `vendor`. */
export function createOpenAiWireProvider(
  settings: ProviderSettings,
  vendor: WireVendor,
  ways: WaysOut,
): Provider {
  const address = createAddress(settings, vendor);
  const call = createMediaCall(address, ways.outbound);
  const { images, speech, trial } = vendor;
  return {
    name: settings.name,
    ...(trial === null
      ? {}
      : { freeQuestion: { ...trial, url: address.plainUrl(trial.path), headers: address.headers } }),
    text: createText(settings, withSettings(vendor, settings), { ...ways, address }),
    ...(images === null ? {} : { image: createWireImages(images, { ...ways, address, call }) }),
    ...(speech === null ? {} : { speech: createWireSpeech(speech, { address, call }) }),
  };
}

/** The operator's settings take precedence over what is known of the vendor. */
function withSettings(vendor: WireVendor, settings: ProviderSettings): WireVendor {
  return {
    ...vendor,
    onDisconnect: settings.onDisconnect ?? vendor.onDisconnect,
    asksForUsage: settings.streamUsage ?? vendor.asksForUsage,
    limitField: settings.maxTokensField ?? vendor.limitField,
    completionLimitModels: settings.maxTokensField ? null : vendor.completionLimitModels,
    speaksResponses: settings.responses ?? vendor.speaksResponses,
    thinksBeyondLimit: settings.thinksBeyondLimit ?? vendor.thinksBeyondLimit,
  };
}

function createText(
  settings: ProviderSettings,
  vendor: WireVendor,
  { outbound, address }: Pick<WaysOut, "outbound"> & { readonly address: WireAddress },
): TextProvider {
  const { headers } = address;
  const retrier = createRetrier();
  const namespace = settings.name;

  function chat(model: string, request: ChatRequest, { signal, controller, onAnswered }: CallContext) {
    return new WireBatches(() => {
      const { url, body, reading, habits } = exchangeOf(request, { vendor, model, namespace }, address);
      request.wire?.onSent?.(body);
      const text = writtenBody(body, request.wire?.exactNumbers);
      const init = { method: "POST", headers, body: text, signal, controller } as const;
      return { answered: retrier.run(() => outbound(url, init), signal), reading, habits, onAnswered };
    });
  }

  return {
    check: (model, wire) => refuseUnservedFields(wire, { vendor, model }),
    onDisconnect: vendor.onDisconnect,
    dropsMessages: vendor.dropsMessages,
    thinksBeyondLimit: vendor.thinksBeyondLimit,
    sendsAsWritten: true,
    writesOutResults: (wire) => wire === undefined || !isSentOnAsResponse(wire, vendor, address),
    chat,
  };
}
