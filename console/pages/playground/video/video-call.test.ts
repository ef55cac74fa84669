import { describe, expect, test } from "bun:test";
import type { ModelRow } from "../../../../gateway/src/http/console/contract.ts";
import { NO_CHOICES, type VideoChoices, videoCallOf } from "./video-call.ts";

const MODEL: ModelRow = {
  id: "acme-video",
  name: "Acme Video",
  type: "video",
  provider: "acme",
  description: null,
  aliases: [],
  capabilities: ["edit", "sound", "reference_video"],
  price: "",
  limits: [],
  isOn: true,
  choices: {
    aspectRatios: ["16:9", "9:16"],
    resolutions: ["480p", "720p"],
    durationSeconds: { min: 1, max: 15, usual: 8, values: null },
  },
};
const VIDEO = { name: "video.mp4", sizeBytes: 4, data: "data:video/mp4;base64,AAAA" };

const bodyOf = (choices: Partial<VideoChoices>) =>
  videoCallOf(MODEL, { ...NO_CHOICES, prompt: "in blue", ...choices }).body;
const edit = (choices: Partial<VideoChoices>) => bodyOf({ files: { video: VIDEO }, ...choices });

describe("the request for a video edit", () => {
  const SAID = { model: "acme-video", prompt: "in blue" };

  test("omits length, size and ratio that nobody chose", () => {
    expect(edit({})).toEqual(SAID);
  });

  test("omits choices that were set back to their defaults", () => {
    expect(edit({ ratio: "16:9", resolution: "480p", seconds: "8" })).toEqual(SAID);
  });

  test("has what was chosen", () => {
    const chosen = { ratio: "9:16", resolution: "720p", seconds: "5", hasSound: true };
    const said = { aspect_ratio: "9:16", resolution: "720p", duration: 5, generate_audio: true };
    expect(edit(chosen)).toEqual({ ...SAID, ...said });
  });
});

test.each([
  ["a video from a prompt alone", bodyOf],
  ["a new video based on another", (choices: object) => edit({ ...choices, task: "reference_to_video" })],
])("the request for %s has what the form shows", (_what, body) => {
  expect(body({})).toMatchObject({ duration: 8, resolution: "480p", aspect_ratio: "16:9" });
});
