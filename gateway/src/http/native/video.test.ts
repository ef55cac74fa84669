import { describe, expect, test } from "bun:test";
import { usableVideo } from "../../../../test/scripted-video.ts";
import { MP3, PNG } from "../../../../test/upstream/media-samples.ts";
import { catalogWith, TEXT_ENTRY } from "../../catalog/testing.ts";
import type { VideoCall, VideoView } from "../../generation/index.ts";
import { credits } from "../../kit/index.ts";
import { createEdge, nativeErrorOf, RATE } from "../testing.ts";

const PATH = "/functions/v1/api-v1-video";
const JOB = "0190e3c2-0000-7000-8000-0000000000aa";

const ENTRY = {
  id: "acme-video",
  name: "Acme Video",
  type: "video",
  targets: [{ provider: "acme", model: "m" }],
  credits_per_request: 1,
  capabilities: ["sound", "draft", "seed", "edit", "reference_image", "reference_video", "reference_audio"],
  price: { per_second: { "480p": 5, "720p": 8 } },
  limits: { duration_seconds: { min: 1, max: 12, default: 4 }, aspect_ratios: ["16:9", "9:16"] },
};
const PLAIN = {
  ...ENTRY,
  id: "plain-video",
  capabilities: [],
  limits: { duration_seconds: { values: [5, 10], default: 5 }, aspect_ratios: ["16:9"] },
};

const catalog = catalogWith({ models: [ENTRY, PLAIN, TEXT_ENTRY], aliases: { "svc-video": ["acme-video"] } });
const calls: VideoCall[] = [];
let view: VideoView | null = null;
const edge = createEdge({
  deps: {
    catalog,
    video: {
      async submit(call) {
        calls.push(call);
        return {
          requestId: call.requestId,
          replayed: call.idempotency !== null,
          model: call.model.id,
          estimate: credits(20),
          rate: RATE,
        };
      },
      find: async () => view,
    },
  },
});

const PICTURE = PNG.toString("base64");
const video = (): string => usableVideo().toString("base64");

async function submit(body: Record<string, unknown>, headers: Record<string, string> = {}) {
  calls.length = 0;
  const whole = { model: "svc-video", prompt: "a boat", ...body };
  return edge.send(PATH, { body: JSON.stringify(whole), headers });
}

async function refusal(body: Record<string, unknown>): Promise<string> {
  const response = await submit(body);
  const { code, message } = await nativeErrorOf(response);
  expect([response.status, code]).toEqual([400, "validation_error"]);
  return message;
}

describe("POST api-v1-video", () => {
  test("answers with the job's id and the estimate, and the rate limit in its headers", async () => {
    const response = await submit({});
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      request_id: response.headers.get("x-request-id"),
      status: "processing",
      model: "acme-video",
      credits_estimate: 20,
    });
    expect(response.headers.get("ratelimit-remaining")).toBe("599");
  });

  test("marks a repeat with Idempotent-Replayed", async () => {
    const response = await submit({}, { "idempotency-key": "k" });
    expect(response.headers.get("idempotent-replayed")).toBe("true");
  });

  test("uses the default of every field that is not sent", async () => {
    await submit({ duration: null, seed: null, generate_audio: null });
    expect(calls[0]?.options).toEqual({
      task: "text_to_video",
      prompt: "a boat",
      durationMs: 4_000,
      resolution: "480p",
      aspectRatio: "16:9",
      sound: false,
      draft: false,
      keepAudio: false,
      seed: null,
    });
    expect(calls[0]?.said).toEqual([]);
  });

  test("does not count generate_audio: false as a requested option", async () => {
    await submit({ generate_audio: false });
    expect(calls[0]?.said).toEqual([]);
  });

  test("passes the sent options and references on", async () => {
    await submit({
      duration: 2.5,
      resolution: "720p",
      aspect_ratio: "9:16",
      generate_audio: true,
      video_draft: true,
      reference_video: video(),
      reference_image: `data:image/png;base64,${PICTURE}`,
      keep_audio: false,
      omni_task: "reference_to_video",
      seed: 2 ** 32 - 1,
    });
    expect(calls[0]?.options).toMatchObject({
      task: "reference_to_video",
      durationMs: 2_500,
      resolution: "720p",
      aspectRatio: "9:16",
      sound: true,
      draft: true,
      keepAudio: false,
      seed: 4_294_967_295,
    });
    expect(calls[0]?.said).toEqual(["duration", "resolution", "aspect_ratio", "generate_audio"]);
    expect(calls[0]?.references.referenceImage?.mediaType).toBe("image/png");
    expect(calls[0]?.references.referenceVideo?.mediaType).toBe("video/mp4");
    expect(calls[0]?.references.referenceAudio).toBeUndefined();
  });

  test.each([
    [{}, "text_to_video", false],
    [{ reference_image: PICTURE }, "image_to_video", false],
    [{ reference_image: PICTURE, prompt: null }, "image_to_video", false],
    [{ reference_video: video() }, "edit", true],
    [{ reference_video: video(), reference_image: PICTURE }, "edit", true],
    [{ omni_task: "reference_to_video", reference_image: PICTURE, prompt: "" }, "reference_to_video", false],
  ])("%# derives the task, and whether the audio is kept", async (body, task, keepAudio) => {
    expect((await submit(body)).status).toBe(200);
    expect(calls[0]?.options).toMatchObject({ task, keepAudio });
  });

  test.each([
    [{ prompt: null }, "prompt: must be given for text_to_video"],
    [{ prompt: " " }, "prompt: must be given for text_to_video"],
    [{ prompt: 5 }, "prompt: must be text"],
    [{ prompt: "x".repeat(32_001) }, "prompt: must be text of at most 32,000"],
    [{ prompt: null, reference_video: video() }, "prompt: must be given for edit"],
    [{ omni_task: "edit" }, "reference_video: must be given for edit"],
    [{ omni_task: "image_to_video" }, "reference_image: must be given for image_to_video"],
    [{ omni_task: "reference_to_video" }, "reference_image: must be given for reference_to_video, or"],
    [
      { omni_task: "text_to_video", reference_image: PICTURE },
      "reference_image: is not used by text_to_video",
    ],
    [{ omni_task: "dance" }, "omni_task: must be one of text_to_video, image_to_video"],
    [{ keep_audio: true }, "keep_audio: may be sent only with reference_video"],
    [{ keep_audio: false, reference_image: PICTURE }, "keep_audio: may be sent only with reference_video"],
    [{ duration: 0.5 }, "duration: must be from 1 to 12 seconds"],
    [{ duration: 0.9996 }, "duration: must be from 1 to 12 seconds"],
    [{ duration: 12.0004 }, "duration: must be from 1 to 12 seconds"],
    [{ duration: 13 }, "duration: must be from 1 to 12 seconds"],
    [{ duration: "4" }, "duration: must be a number of seconds"],
    [{ model: "plain-video", duration: 6 }, "duration: must be one of 5, 10 for this model"],
    [{ model: "plain-video", duration: 10.0004 }, "duration: must be one of 5, 10 for this model"],
    [{ resolution: "4k" }, "resolution: must be one of 480p, 720p for this model"],
    [{ aspect_ratio: "1:1" }, "aspect_ratio: must be one of 16:9, 9:16 for this model"],
    [{ seed: -1 }, "seed: must be a whole number from 0 to 4294967295"],
    [{ seed: 2 ** 32 }, "seed: must be a whole number from 0 to 4294967295"],
    [{ seed: 1.5 }, "seed: must be a whole number"],
    [{ generate_audio: "yes" }, "generate_audio: must be true or false"],
    [{ model: "plain-video", generate_audio: true }, "generate_audio: this model makes no sound"],
    [{ model: "plain-video", video_draft: true }, "video_draft: this model makes no drafts"],
    [{ model: "plain-video", seed: 1 }, "seed: this model takes none"],
    [{ model: "plain-video", reference_image: PICTURE }, "reference_image: this model takes none"],
    [{ reference_image: 5 }, "reference_image: must be a string in base64"],
  ])("%# refuses an invalid body with what is accepted", async (body, says) => {
    expect(await refusal(body)).toStartWith(says);
    expect(calls.length).toBe(0);
  });

  test.each([
    ["reference_image", PNG.subarray(0, 60), "image"],
    ["reference_video", usableVideo(Buffer.from("garbage, garbage")), "video"],
    ["reference_audio", Buffer.concat([MP3, Buffer.alloc(4_000, "garbage")]), "audio"],
  ])("refuses a %s with a good header before garbage, and submits nothing", async (field, file, kind) => {
    const says = `${field}: must be a whole file: this ${kind} cannot be decoded`;
    expect(await refusal({ omni_task: "reference_to_video", [field]: file.toString("base64") })).toBe(says);
    expect(calls.length).toBe(0);
  });

  test.each([
    [1.0004, 1_000],
    [1.0006, 1_001],
    [11.9996, 12_000],
  ])("rounds %d seconds to whole milliseconds", async (duration, durationMs) => {
    await submit({ duration });
    expect(calls[0]?.options.durationMs).toBe(durationMs);
  });

  test("refuses a model of another type, after checking the fields", async () => {
    const response = await submit({ model: "acme-chat" });
    expect([response.status, await nativeErrorOf(response)]).toEqual([
      403,
      {
        code: "model_not_allowed",
        message:
          "model: acme-chat is a text model, and this endpoint needs a video model; GET api-v1-models lists them",
      },
    ]);
    expect(await refusal({ model: "acme-chat", seed: -1 })).toStartWith("seed:");
  });
});

describe("GET api-v1-video", () => {
  const running: VideoView = {
    requestId: JOB,
    model: "acme-video",
    status: "processing",
    providerStatus: "queued",
    estimate: credits(25),
    charge: null,
    asset: null,
  };
  const charge = { credits: credits(20), subscription: credits(3), anytime: credits(4) };
  const poll = (query = `request_id=${JOB}`) => edge.send(`${PATH}?${query}`);

  test("omits the fields that do not apply to a job that is processing", async () => {
    view = running;
    const response = await poll();
    expect(response.headers.get("retry-after")).toBe("2");
    expect(await response.json()).toEqual({
      request_id: JOB,
      status: "processing",
      model: "acme-video",
      provider_status: "queued",
      credits_estimate: 25,
    });
  });

  test("shows video, charge and balance of a complete job, without the video once that is deleted", async () => {
    view = {
      ...running,
      status: "complete",
      providerStatus: "succeeded",
      charge,
      asset: { urlToken: "token", mediaType: "video/mp4" },
    };
    const whole = {
      request_id: JOB,
      status: "complete",
      model: "acme-video",
      video_url: "https://ai.example.com/library/token.mp4",
      provider_status: "succeeded",
      credits_charged: 20,
      balance: { subscription: 3, anytime: 4 },
    };
    const response = await poll();
    expect(response.headers.has("retry-after")).toBe(false);
    expect(await response.json()).toEqual(whole);
    view = { ...view, asset: null };
    const { video_url: _, ...withoutVideo } = whole;
    expect(await (await poll()).json()).toEqual(withoutVideo);
  });

  test("shows a charge of zero for a failed job", async () => {
    const free = { ...charge, credits: credits(0) };
    view = { ...running, status: "failed", providerStatus: "failed:timeout", charge: free };
    expect(await (await poll()).json()).toMatchObject({ status: "failed", credits_charged: 0 });
  });

  test.each(["x", "%00", "0190e3c2-0000-7000-8000-0000000000a", "..%2f"])(
    "is 404 for the malformed request id %s",
    async (id) => {
      const response = await poll(`request_id=${id}`);
      expect([response.status, (await nativeErrorOf(response)).message]).toEqual([
        404,
        "request_id: no such video job",
      ]);
    },
  );

  test("is 404 for an unknown job, as for a malformed id, and 400 without a request id", async () => {
    view = null;
    const unknown = await poll();
    expect([unknown.status, (await nativeErrorOf(unknown)).message]).toEqual([
      404,
      "request_id: no such video job",
    ]);
    for (const query of ["", "request_id="]) {
      const absent = await poll(query);
      expect([absent.status, (await nativeErrorOf(absent)).message]).toEqual([
        400,
        "request_id: must be the request_id of a submit reply",
      ]);
    }
  });
});
