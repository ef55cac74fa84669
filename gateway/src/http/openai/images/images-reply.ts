import { assetUrl, type Library } from "../../../assets/index.ts";
import type { ImageOutcome, Paid } from "../../../generation/index.ts";
import { AppError } from "../../../kit/index.ts";
import { encodePayment } from "../../fields/paid-fields.ts";
import { type PieceStreams, piecesOf } from "../../piece-streams.ts";
import { textReply } from "../../reply.ts";
import { markPaidReply } from "../reply-headers.ts";
import { createdAtSeconds } from "../reply-identity.ts";
import { encodeImageFacts } from "./image-facts.ts";
import type { ImageForm } from "./images-decode.ts";

type ImagesForm = {
  readonly shows: ImageForm;
  readonly publicUrl: string;
  readonly library: Pick<Library, "open" | "openSurely">;
  readonly streams: Pick<PieceStreams, "pour">;
};

/** `requestId` is this call's, even if the answer repeats another call's. */
export async function imagesReply(
  requestId: string,
  paid: Paid<ImageOutcome>,
  { shows, publicUrl, library, streams }: ImagesForm,
): Promise<Response> {
  const { images } = paid.outcome;
  const about = { created: createdAtSeconds(paid.requestId), ...encodeImageFacts(paid.outcome) };
  const head = `${JSON.stringify(about).slice(0, -1)},"data":[`;
  const tail = `],${JSON.stringify(encodePayment(paid)).slice(1)}`;
  const urls = images.map((image) => `"url":${JSON.stringify(assetUrl(publicUrl, image))}`);
  if (shows === "url")
    return markPaidReply(textReply(requestId, `${head}{${urls.join("},{")}}${tail}`), paid);
  if (paid.replayed) await assertKept(paid, library);
  const before = (at: number) => `${at === 0 ? head : ","}{${shows === "both" ? `${urls[at]},` : ""}`;
  const pieces = base64Pieces(images, library, { before, tail });
  return markPaidReply(textReply(requestId, streams.pour(pieces)), paid);
}

/** A multiple of three bytes, so that the base64 pieces can be joined. Each is a mebibyte of text. */
const PIECE_BYTES = 3 << 18;

/**
 * Streams the reply from the library as fast as the client reads it. In one piece, ten large images would block all
 * other requests and be in memory four times, and a client that stops reading would keep them there.
 */
async function* base64Pieces(
  images: ImageOutcome["images"],
  library: ImagesForm["library"],
  text: { before(at: number): string; readonly tail: string },
): AsyncGenerator<Uint8Array> {
  for (const [at, { id, urlToken }] of images.entries()) {
    // The call is charged: its reply must not break because database or object store are away now.
    const file = await library.openSurely(urlToken);
    if (file === null) throw new Error(`asset ${id} was deleted before it was sent`);
    yield Buffer.from(`${text.before(at)}"b64_json":"`);
    const whole = { start: 0, length: file.asset.sizeBytes };
    for await (const bytes of piecesOf(file.read, whole, PIECE_BYTES)) {
      const { buffer, byteOffset, byteLength } = bytes;
      yield Buffer.from(Buffer.from(buffer, byteOffset, byteLength).toString("base64"), "latin1");
    }
    yield Buffer.from('"}');
  }
  yield Buffer.from(text.tail);
}

/** A repeat returns all of its images, or fails if one of them was deleted meanwhile. */
async function assertKept(
  { requestId, outcome, rate }: Paid<ImageOutcome>,
  library: ImagesForm["library"],
): Promise<void> {
  const opened = await Promise.all(outcome.images.map(({ urlToken }) => library.open(urlToken)));
  if (opened.includes(null)) throw pictureDeleted(requestId).withRate(rate);
}

function pictureDeleted(requestId: string): AppError {
  return new AppError(
    "validation_error",
    `Idempotency-Key: the first call with this key succeeded (request_id ${requestId}), but its image was deleted.`,
    { status: 409, shouldRetry: false, field: "Idempotency-Key" },
  );
}
