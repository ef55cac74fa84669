import { afterEach, describe, expect, test } from "bun:test";
import { createPublicFetch } from "../../outbound/index.ts";
import { failureFrom } from "../../outbound/testing.ts";
import {
  ADDRESSES_INSIDE,
  base64,
  callContext,
  expectWashed,
  type MediaVendor,
  startMediaVendor,
  tinyPng,
} from "../media/media-testing.ts";
import { createReplicatePredictions } from "./replicate.ts";
import { createWorkImages } from "./work-images.ts";

const PICTURE = { prompt: "a cat", aspectRatio: "3:2", tier: "1k", n: 1 } as const;
const ID = "heat2o3bzn3ahtr6bjfftvbaci";

let vendor: MediaVendor;
afterEach(() => vendor.close());

type Look = { readonly status: string; readonly output?: unknown; readonly error?: string };

/** A vendor that answers polls with these results in turn, the last one repeatedly; a number is a bare status. */
function making(
  looksAt: (origin: string) => readonly (Look | number)[],
  options: Parameters<typeof startMediaVendor>[1] = {},
) {
  let looks = 0;
  vendor = startMediaVendor(({ method, path }, origin) => {
    if (path === "/p.png") return new Response(Buffer.from(tinyPng(1_216, 832)));
    // Never followed: our token is not sent to a host that an answer names.
    const urls = { get: "https://169.254.169.254/latest" };
    if (method === "POST") return Response.json({ id: ID, status: "starting", output: null, urls });
    const answers = looksAt(origin);
    const answer = answers[Math.min(looks, answers.length - 1)];
    looks += 1;
    if (typeof answer === "number") return new Response("<html>", { status: answer });
    return Response.json({ id: ID, urls, ...answer });
  }, options);
  const { image } = vendor.provider((settings, { outbound, fetchPublic }) => ({
    image: createWorkImages({
      work: createReplicatePredictions(settings, outbound),
      encode: ({ prompt }) => ({ prompt }),
      fetchPublic,
      secrets: ["canary-of-a-key"],
      firstWaitMs: 1,
    }),
  }));
  if (image === undefined) throw new Error("no pictures");
  return (n = 1) => image.makeImages("acme/paint", { ...PICTURE, n }, callContext());
}

const done = (output: unknown): Look => ({ status: "succeeded", output });
const orders = () => vendor.sent.filter(({ method }) => method === "POST").length;

describe("an ordered image", () => {
  test.each([
    ["failed polls", (url: string) => [502, 502, done([url])]],
    [
      "an empty list while it is processed",
      (url: string) => [{ status: "processing", output: [] }, done([url])],
    ],
    ["an unknown status", (url: string) => [{ status: "pondering" }, done([url])]],
    ["an object as the output", (url: string) => [done({ image: url, seed: 3 })]],
    ["a list of objects as the output", (url: string) => [done({ images: [{ url }] })]],
    ["a single URL as the output", (url: string) => [done(url)]],
    ["a data URI as the output", () => [done([`data:image/png;base64,${base64(tinyPng(1_216, 832))}`])]],
  ])("is delivered from one order despite %s", async (_name, looks) => {
    const make = making((origin) => looks(`${origin}/p.png`));
    expect(await make()).toMatchObject([{ mediaType: "image/png", width: 1_216 }]);
    expect(orders()).toBe(1);
  });

  test("takes an order of its own for each of three", async () => {
    const make = making((origin) => [done([`${origin}/p.png`])]);
    expect(await make(3)).toHaveLength(3);
    expect(orders()).toBe(3);
  });

  test.each([
    ["null", null],
    ["an empty list", []],
    ["plain text", "a cat"],
    ["an HTML data URI", `data:text/html;base64,${base64(Buffer.from("<html>"))}`],
  ])("is the vendor's failure if the output is %s", async (_name, output) => {
    expect((await failureFrom(making(() => [done(output)])())).kind).toBe("unavailable");
  });

  test("fails with the vendor's message, without secrets, and as rejected if its content is the reason", async () => {
    const failed = (error: string) => failureFrom(making(() => [{ status: "failed", error }])());
    expect(await failed("CUDA is out of memory at 127.0.0.1 of canary-of-a-key")).toMatchObject({
      kind: "unavailable",
      publicMessage: "CUDA is out of memory at [hidden] of [hidden]",
      detail: { targetHealth: "up" },
    });
    vendor.close();
    expect((await failed("NSFW content detected")).kind).toBe("rejected");
    vendor.close();
    expect((await failed("")).publicMessage).toBe("The model's provider could not make this picture.");
  });

  test.each(ADDRESSES_INSIDE)("is the vendor's failure if its URL points inside: %s", async (url) => {
    const hosted = createPublicFetch({ resolve: async () => ["192.168.1.7"] });
    const failure = await failureFrom(making(() => [done([url])], { hosted })());
    expect(failure.kind).toBe("unavailable");
    expectWashed(failure.publicMessage);
  });

  test("is ordered and polled with our token, and fetched without it", async () => {
    await making((origin) => [done([`${origin}/p.png`])])();
    const tokens = vendor.sent.map(({ path, headers }) => [path, headers.get("authorization")]);
    expect(tokens).toEqual([
      ["/models/acme/paint/predictions", "Bearer secret-key-1"],
      [`/predictions/${ID}`, "Bearer secret-key-1"],
      ["/p.png", null],
    ]);
  });
});
