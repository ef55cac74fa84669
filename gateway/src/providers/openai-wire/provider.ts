import {
  type CallContext,
  type ChatEvent,
  type ChatRequest,
  endlessAnswer,
  type Provider,
  ProviderFailure,
  type TextProvider,
} from "../../contract/index.ts";
import {
  beginsAsEvents,
  createRetrier,
  failureOfResponse,
  type OutboundResponse,
  readAnswer,
  readsAsEvents,
  takeText,
  type WaysOut,
} from "../../outbound/index.ts";
import type { ProviderSettings } from "../settings.ts";
import { createAddress, type WireAddress } from "./address.ts";
import { decodeReply } from "./decode/decode-reply.ts";
import { withMarksAt } from "./encode/cache-marks.ts";
import { type Exchange, exchangeOf, isSentOnAsResponse, refuseUnservedFields } from "./exchange.ts";
import { createWireImages } from "./media/images.ts";
import { createMediaCall } from "./media/media-call.ts";
import { createWireSpeech } from "./media/speech.ts";
import { MAX_REPLY_BYTES, type Reading } from "./reading.ts";
import type { WireVendor } from "./vendor.ts";
import { isStream, WireBatches } from "./wire-batches.ts";
import { writtenBody } from "./written-body.ts";

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

  function cachesBy(model: string): "marks" | "key" | null {
    if (vendor.markedModels?.test(model)) return "marks";
    return vendor.takesCacheKey ? "key" : null;
  }

  function exchangeFor(model: string, request: ChatRequest): Exchange {
    const exchange = exchangeOf(request, { vendor, model, namespace }, address);
    request.wire?.onSent?.(exchange.body);
    if (cachesBy(model) !== "marks") return exchange;
    const body = withMarksAt(exchange.body, request.cacheMarks ?? []);
    return body === exchange.body ? exchange : { ...exchange, body };
  }

  function send(
    exchange: Exchange,
    request: ChatRequest,
    { signal, controller }: CallContext,
  ): Promise<OutboundResponse> {
    const body = writtenBody(exchange.body, request);
    const init = { method: "POST", headers, body, signal, controller } as const;
    return retrier.run(() => outbound(exchange.url, init), signal);
  }

  function chat(model: string, request: ChatRequest, context: CallContext) {
    return new WireBatches(() => {
      const exchange = exchangeFor(model, request);
      const { reading, habits } = exchange;
      return { answered: send(exchange, request, context), reading, habits, onAnswered: context.onAnswered };
    });
  }

  async function answer(model: string, request: ChatRequest, context: CallContext) {
    const exchange = exchangeFor(model, request);
    const response = await send(exchange, request, context);
    if (!response.ok) throw await failureOfResponse(response, exchange.habits);
    context.onAnswered?.();
    if (isStream(response)) return joinedBatches(response, exchange.reading, request);
    const whole = takeText(response, MAX_REPLY_BYTES);
    if (whole !== null && readsAsEvents(whole)) {
      return joinedBatches(streamOf(whole), exchange.reading, request);
    }
    if (whole !== null) return decodeReply(whole, exchange.reading, response);
    if (await beginsAsEvents(response)) return joinedBatches(response, exchange.reading, request);
    return decodeReply(await readAnswer(response, MAX_REPLY_BYTES), exchange.reading, response);
  }

  return {
    check: (model, wire) => refuseUnservedFields(wire, { vendor, model }),
    onDisconnect: vendor.onDisconnect,
    cachesBy,
    dropsMessages: vendor.dropsMessages,
    thinksBeyondLimit: vendor.thinksBeyondLimit,
    sendsAsWritten: true,
    writesOutResults: (wire) => wire === undefined || !isSentOnAsResponse(wire, vendor, address),
    chat,
    // One that never answers in one piece is always read as a stream.
    ...(vendor.mostInOnePiece === 0 ? {} : { answer }),
  };
}

/** An event stream that arrived together with its headers, under another content type, as a response like any other. */
function streamOf(whole: string): OutboundResponse {
  return new Response(whole.trimStart(), { headers: { "content-type": "text/event-stream" } });
}

/**
 * A stream that nobody requested, as the batch that a whole reply would have been; fails if it gets longer than such an
 * answer can be.
 */
async function joinedBatches(
  response: OutboundResponse,
  reading: Reading,
  { maxOutputTokens, n = 1 }: ChatRequest,
): Promise<readonly ChatEvent[]> {
  const whole: ChatEvent[] = [];
  let leftCharacters = SLACK_CHARACTERS + maxOutputTokens * n * MOST_CHARACTERS_PER_TOKEN;
  const answered = Promise.resolve(response);
  try {
    for await (const batch of new WireBatches(() => ({ answered, reading }))) {
      for (const event of batch) {
        whole.push(event);
        if ("text" in event) leftCharacters -= event.text.length;
        else if (event.type === "wire") leftCharacters -= event.written.length;
      }
      // Also checked after the end: the result must not depend on how the network split the stream.
      if (leftCharacters < 0) {
        throw endlessAnswer("a stream that nobody asked for goes on past its limit", { targetHealth: "up" });
      }
    }
    return whole;
  } catch (error) {
    if (whole.length > 0 && error instanceof ProviderFailure) error.hasBegun = true;
    throw error;
  }
}

/** More than any text has: nobody reads along here who could cut off an answer that exceeds its limit. */
const MOST_CHARACTERS_PER_TOKEN = 16;
const SLACK_CHARACTERS = 4_096;
