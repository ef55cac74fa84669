import { type ImageReport, type MadeFile, ProviderFailure } from "../../../contract/index.ts";
import { readDataUrl, type StopSignal } from "../../../kit/index.ts";
import type { PublicFetch } from "../../../outbound/index.ts";
import { fieldsOf, textOf } from "../../../wires/index.ts";
import { fetchHosted } from "../../media/hosted-file.ts";
import { madeFile } from "../../media/made-file.ts";
import { saysNothing, wireFailure } from "../wire-failure.ts";

type ImageReading = {
  readonly fetchPublic: PublicFetch;
  readonly signal: StopSignal;
  /** Values that must not appear in any message. */
  readonly secrets: readonly string[];
};

/** The images of a reply, at most `n`: inline as base64, or fetched from the URLs in it. */
export async function decodeImageReply(
  reply: unknown,
  n: number,
  reading: ImageReading,
): Promise<readonly MadeFile[]> {
  const { data, error } = fieldsOf(reply);
  const items = (Array.isArray(data) ? data : []).flatMap((value) => itemOf(value) ?? []).slice(0, n);
  const isError = items.length === 0 ? error !== undefined && error !== null : !saysNothing(error);
  if (isError) throw wireFailure(error, reading.secrets);
  const ends = await Promise.allSettled(items.map((item) => pictureOf(item, reading)));
  reading.signal.throwIfAborted();
  const made = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
  if (made.length > 0) return made;
  const failed = ends.find((end) => end.status === "rejected");
  throw failed === undefined ? noPicture() : failed.reason;
}

export function imageReportIn(reply: unknown): ImageReport {
  const { quality, usage } = fieldsOf(reply);
  const { input_tokens: inputTokens, output_tokens: outputTokens } = fieldsOf(usage);
  return {
    ...(typeof quality === "string" ? { quality } : {}),
    ...(isCount(inputTokens) && isCount(outputTokens) ? { usage: { inputTokens, outputTokens } } : {}),
  };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

type Item = { readonly inline: string; readonly url: string; readonly isModerated: boolean };

/** Null for an empty entry, which some servers send beside the images that they made. */
function itemOf(value: unknown): Item | null {
  const fields = fieldsOf(value);
  const inline = textOf(fields["b64_json"]);
  const url = textOf(fields["url"]);
  const isModerated = fields["respect_moderation"] === false;
  return inline === "" && url === "" && !isModerated ? null : { inline, url, isModerated };
}

async function pictureOf({ inline, url, isModerated }: Item, reading: ImageReading): Promise<MadeFile> {
  if (isModerated) throw moderated();
  return inline === "" ? fetchHosted(url, "image", reading) : madeFile(bytesOf(inline), "image");
}

/** Some servers send a data URL. Characters that are not base64 are skipped; the result is checked as an image. */
function bytesOf(inline: string): Uint8Array {
  return Buffer.from(inline.slice(readDataUrl(inline)?.start ?? 0), "base64");
}

function moderated(): ProviderFailure {
  return new ProviderFailure("rejected", "The model's provider refused this prompt for its content.", {
    reason: "content_refused",
  });
}

function noPicture(): ProviderFailure {
  return new ProviderFailure("unavailable", "The model's provider made no picture.", {
    internal: "an answer without a picture",
    targetHealth: "up",
  });
}
