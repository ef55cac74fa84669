import { ProviderFailure, unreadableAnswer } from "../contract/index.ts";
import { parseForeignJson } from "../kit/index.ts";
import { bodyOf } from "./body.ts";
import { detailOfUnread, oversizeFailure } from "./failures/network-failure.ts";
import { joined } from "./join-pieces.ts";
import type { OutboundResponse } from "./outbound-call.ts";

const UTF8 = new TextDecoder();
/** How much is read after the end of an answer, to make the connection reusable. */
const DRAIN = { maxBytes: 16 << 10, limitMs: 250 };

/** Host and path of the call that this responds to, for the log. */
export function askedAt(response: OutboundResponse): string {
  return bodyOf(response).where;
}

/** The whole body; more than `maxBytes` is a failure and closes the connection. */
export function readBytes(response: OutboundResponse, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  return readInto([], response, maxBytes);
}

/** If reading fails, `pieces` contains what had arrived. */
async function readInto(
  pieces: Uint8Array[],
  response: OutboundResponse,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const body = bodyOf(response);
  const whole = body.takeAll(maxBytes);
  if (whole !== null) return whole;
  let sizeBytes = 0;
  for (let piece = await body.read(); piece !== null; piece = await body.read()) {
    sizeBytes += piece.byteLength;
    if (sizeBytes > maxBytes) {
      body.cancel();
      throw oversizeFailure(`body over ${maxBytes} bytes`, body.where);
    }
    pieces.push(piece);
  }
  return joined(pieces);
}

/**
 * The text of a body that arrived together with its headers, as short ones do; null if we would have to wait for it.
 */
export function takeText(response: OutboundResponse, maxBytes: number): string | null {
  const whole = bodyOf(response).takeAll(maxBytes);
  return whole === null ? null : decodeText(whole);
}

export function readText(response: OutboundResponse, maxBytes: number): Promise<string> {
  return readBytes(response, maxBytes).then(decodeText);
}

/** The text of a reply that is not a stream. A failure records whether the reply had begun (`hasBegun`). */
export function readAnswer(response: OutboundResponse, maxBytes: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  return readInto(pieces, response, maxBytes).then(decodeText, (error: unknown) => {
    // Blanks only keep the connection alive until the reply begins.
    const hasBegun = pieces.some((piece) => decodeText(piece).trim() !== "");
    if (hasBegun && error instanceof ProviderFailure) error.hasBegun = true;
    throw error;
  });
}

function decodeText(bytes: Uint8Array): string {
  return UTF8.decode(bytes);
}

/** Any JSON value; a body that is not JSON is the provider's failure. */
export async function readJson(response: OutboundResponse, maxBytes: number): Promise<unknown> {
  const text = await readText(response, maxBytes);
  try {
    return parseForeignJson(text);
  } catch (error) {
    throw unreadableAnswer(
      `${bodyOf(response).where}: not JSON, ${text.length} characters`,
      detailOfUnread(error),
    );
  }
}

/**
 * The start of a body, within the limits: for errors, where it is all we need. If reading fails, returns what had
 * arrived.
 */
export async function readBeginning(
  response: OutboundResponse,
  { maxBytes, limitMs }: { readonly maxBytes: number; readonly limitMs: number },
): Promise<string> {
  const body = bodyOf(response);
  const timer = setTimeout(() => body.cancel(), limitMs);
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  try {
    for (let piece = await body.read(); piece !== null && sizeBytes < maxBytes; piece = await body.read()) {
      pieces.push(piece);
      sizeBytes += piece.byteLength;
    }
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
  } finally {
    clearTimeout(timer);
  }
  body.cancel();
  return UTF8.decode(joined(pieces).subarray(0, maxBytes));
}

/** Closes the connection of a response that nobody will read. */
export function discard(response: OutboundResponse): void {
  bodyOf(response).cancel();
}

/**
 * The answer has announced its end: after the next read begins, more data is awaited only for a moment, then the body
 * ends as if the connection had been closed. Calling it again restarts that wait. To be called by the reader, between
 * two reads.
 */
export function expectEnd(response: OutboundResponse): void {
  bodyOf(response).expectEnd();
}

/** Reads on in the background, so that the connection can be reused; gives up soon. */
export function drain(response: OutboundResponse): void {
  const body = bodyOf(response);
  const timer = setTimeout(() => body.cancel(), DRAIN.limitMs);
  const work = async () => {
    let sizeBytes = 0;
    for (let piece = await body.read(); piece !== null; piece = await body.read()) {
      sizeBytes += piece.byteLength;
      if (sizeBytes > DRAIN.maxBytes) break;
    }
    body.cancel();
  };
  work()
    .catch(() => {})
    .finally(() => clearTimeout(timer));
}
