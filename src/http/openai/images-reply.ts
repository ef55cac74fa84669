import { assetUrl, type Library } from "../../assets/index.ts";
import type { ImageOutcome, MadeMedia, Paid } from "../../generation/index.ts";
import { AppError } from "../../kit/index.ts";
import { encodePayment } from "../payment.ts";
import { textReply } from "../reply.ts";
import type { ImageForm } from "./images-decode.ts";
import { markCharge, markReply } from "./reply-headers.ts";
import { createdAtSeconds } from "./reply-identity.ts";

export type ImagesForm = {
  readonly shows: ImageForm;
  readonly publicUrl: string;
  readonly library: Pick<Library, "open">;
};

/** `requestId` is this call's, also where the answer is a repeat of another's. */
export async function imagesReply(
  requestId: string,
  made: MadeMedia<ImageOutcome>,
  { shows, publicUrl, library }: ImagesForm,
): Promise<Response> {
  const { paid } = made;
  const { images } = paid.outcome;
  const head = `{"created":${createdAtSeconds(paid.requestId)},"data":[`;
  const tail = `],${JSON.stringify(encodePayment(paid)).slice(1)}`;
  const urls = images.map((image) => `"url":${JSON.stringify(assetUrl(publicUrl, image))}`);
  const whole = `${head}{${urls.join("},{")}}${tail}`;
  if (shows === "url") return marked(textReply(requestId, whole), paid);
  const pictures = await picturesOf(made, library);
  const before = (at: number) => `${at === 0 ? head : "},"}{${shows === "both" ? `${urls[at]},` : ""}`;
  return marked(textReply(requestId, base64Stream(pictures, before, `}${tail}`)), paid);
}

function marked(response: Response, paid: Paid<unknown>): Response {
  return markCharge(markReply(response, paid), paid);
}

/** Gives the bytes of a picture when its turn has come. */
type Picture = () => Promise<Uint8Array> | Uint8Array;

/**
 * The reply a picture at a time, as fast as it is read: in one piece, ten large ones would hold up everybody else and
 * be in memory four times.
 */
function base64Stream(
  pictures: readonly Picture[],
  before: (at: number) => string,
  tail: string,
): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      const picture = pictures[at];
      if (picture === undefined) {
        controller.enqueue(Buffer.from(tail));
        controller.close();
        return;
      }
      controller.enqueue(Buffer.from(`${before(at)}"b64_json":"`));
      controller.enqueue(base64Of(await picture()));
      controller.enqueue(Buffer.from('"'));
      at++;
    },
  });
}

function base64Of(bytes: Uint8Array): Buffer {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  return Buffer.from(text, "latin1");
}

/** A repeat finds them in the library, all of them or none: whoever has deleted one has only its id. */
async function picturesOf(
  { paid, files }: MadeMedia<ImageOutcome>,
  library: ImagesForm["library"],
): Promise<readonly Picture[]> {
  if (files !== null)
    return files.map(
      ({ bytes }) =>
        () =>
          bytes,
    );
  const opened = await Promise.all(paid.outcome.images.map(({ urlToken }) => library.open(urlToken)));
  return opened.map((found) => {
    if (found === null) throw pictureDeleted(paid.requestId);
    return () => found.read(0, found.asset.sizeBytes);
  });
}

function pictureDeleted(requestId: string): AppError {
  return new AppError(
    "validation_error",
    `Idempotency-Key: the first call with this key succeeded (request_id ${requestId}), but its picture was deleted.`,
    { status: 409, shouldRetry: false, field: "Idempotency-Key" },
  );
}
