import { expect, test } from "bun:test";
import { PNG } from "../../../test/upstream/media-samples.ts";
import { catalogWith } from "../catalog/testing.ts";
import type { SubmittedVideo, VideoCall } from "../generation/index.ts";
import { AppError, credits } from "../kit/index.ts";
import { createEdge, RATE } from "./testing.ts";

const ENTRY = {
  ...{ id: "video", name: "Video", type: "video", targets: [{ provider: "acme", model: "m" }] },
  credits_per_request: 1,
  capabilities: ["reference_image"],
  price: { per_second: { "480p": 5 } },
  limits: { duration_seconds: { min: 1, max: 12, default: 4 }, aspect_ratios: ["16:9"] },
};
const LARGE = Buffer.concat([PNG, Buffer.alloc(200_000)]).toString("base64");
/** One organization may have three of eight, hence two of six. */
const ALL_PLACES = 6;
const PLACES = 2;

type Taken = { readonly end: PromiseWithResolvers<SubmittedVideo>; readonly call: VideoCall };

/** An edge with few places, whose submissions wait until the test ends them. */
function busyEdge() {
  const taken: Taken[] = [];
  let more = Promise.withResolvers<void>();
  const edge = createEdge({
    settings: { bigBodyBytes: 64 * 1024, bigBodiesAtOnce: ALL_PLACES },
    deps: {
      catalog: catalogWith({ models: [ENTRY] }),
      video: {
        submit(call) {
          const end = Promise.withResolvers<SubmittedVideo>();
          taken.push({ end, call });
          more.resolve();
          return end.promise;
        },
        find: async () => null,
      },
    },
  });
  return {
    taken,
    submit(model = "video", prompt = "a boat") {
      const body = JSON.stringify({ model, prompt, reference_image: LARGE });
      const headers = { "idempotency-key": "same", "content-length": String(body.length) };
      return edge.send("/functions/v1/api-v1-video", { body, headers });
    },
    async untilTaken(count: number) {
      while (taken.length < count) {
        more = Promise.withResolvers();
        await more.promise;
      }
    },
  };
}

const submitted = (call: VideoCall): SubmittedVideo => ({
  ...{ requestId: call.requestId, replayed: false, model: "video", estimate: credits(20), rate: RATE },
});

test("only a few submissions of one organization run with reference media in memory; the others wait", async () => {
  const { submit, taken, untilTaken } = busyEdge();
  const replies = Array.from({ length: 5 }, () => submit());
  await untilTaken(PLACES);
  // Whatever is admitted gets here within a few turns.
  await Bun.sleep(20);
  expect(taken).toHaveLength(PLACES);
  taken[0]?.end.reject(new AppError("insufficient_credits", "no"));
  await untilTaken(PLACES + 1);
  await Bun.sleep(20);
  expect(taken).toHaveLength(PLACES + 1);
  for (let at = 1; at < replies.length; at++) {
    await untilTaken(at + 1);
    const { end, call } = taken[at] as Taken;
    end.resolve(submitted(call));
  }
  const statuses = (await Promise.all(replies)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 200, 200, 200, 402]);
});

test("a submission that is refused for its model frees its place immediately", async () => {
  const { submit, taken, untilTaken } = busyEdge();
  for (let refused = 0; refused < 2 * PLACES; refused++) expect((await submit("other")).status).toBe(403);
  const replies = [submit(), submit()];
  await untilTaken(PLACES);
  for (const { end, call } of taken) end.resolve(submitted(call));
  for (const reply of replies) expect((await reply).status).toBe(200);
});

test("a submission has the sent bytes, frees them once accepted, and has the same fingerprint again", async () => {
  const { submit, taken, untilTaken } = busyEdge();
  const replies = [submit(), submit("video", "a ship")];
  await untilTaken(PLACES);
  const [first, second] = taken.map(({ call }) => call);
  expect(Buffer.from(first?.references.referenceImage?.bytes ?? []).toString("base64")).toBe(LARGE);
  expect(first?.idempotency?.fingerprint).not.toEqual(second?.idempotency?.fingerprint);
  for (const { end, call } of taken) end.resolve(submitted(call));
  await Promise.all(replies);
  expect(first?.references.referenceImage?.bytes.byteLength).toBe(0);
  const again = submit();
  await untilTaken(PLACES + 1);
  const { end, call } = taken[PLACES] as Taken;
  expect(call.idempotency?.fingerprint).toEqual(first?.idempotency?.fingerprint);
  end.resolve(submitted(call));
  expect((await again).status).toBe(200);
});
