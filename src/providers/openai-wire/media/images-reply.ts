import { readDataUrl, type StopSignal } from "../../../kit/index.ts";
import { ProviderFailure } from "../../contract.ts";
import { fetchHosted } from "../../hosted-file.ts";
import { madeFile } from "../../made-file.ts";
import type { MadeFile } from "../../media-contract.ts";
import type { PublicFetch } from "../../outbound/index.ts";
import { wireFailure } from "../wire-failure.ts";
import { type Fields, fieldsOf } from "../wire-fields.ts";

type ImageReading = {
  readonly fetchPublic: PublicFetch;
  readonly signal: StopSignal;
  /** What must not stand in any message. */
  readonly secrets: readonly string[];
};

/** The pictures of a reply, at most `n`: inside it as base64, or fetched from where it says they are. */
export async function decodeImageReply(
  reply: unknown,
  n: number,
  reading: ImageReading,
): Promise<readonly MadeFile[]> {
  const { data, error } = fieldsOf(reply);
  if (error !== undefined && error !== null) throw wireFailure(error, reading.secrets);
  const items = Array.isArray(data) ? data.slice(0, n).map(fieldsOf) : [];
  const ends = await Promise.allSettled(items.map((item) => pictureOf(item, reading)));
  reading.signal.throwIfAborted();
  const made = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
  if (made.length > 0) return made;
  const failed = ends.find((end) => end.status === "rejected");
  throw failed === undefined ? noPicture("an answer without a picture") : failed.reason;
}

async function pictureOf(item: Fields, reading: ImageReading): Promise<MadeFile> {
  if (item["respect_moderation"] === false) throw moderated();
  const inline = item["b64_json"];
  if (typeof inline === "string" && inline !== "") return madeFile(bytesOf(inline), "image");
  const url = item["url"];
  if (typeof url === "string" && url !== "") return fetchHosted(url, "image", reading);
  throw noPicture("an item without a picture");
}

/** Some write it as an address. Letters that are no base64 are skipped; what is left is judged as a picture. */
function bytesOf(inline: string): Uint8Array {
  return Buffer.from(inline.slice(readDataUrl(inline)?.start ?? 0), "base64");
}

function moderated(): ProviderFailure {
  return new ProviderFailure("rejected", "The model's provider refused this prompt for its content.");
}

function noPicture(internal: string): ProviderFailure {
  return new ProviderFailure("unavailable", "The model's provider made no picture.", {
    internal,
    targetHealth: "up",
  });
}
