import { describe, expect, test } from "bun:test";
import { type MadeFile, ProviderFailure } from "../../../gateway/src/contract/index.ts";
import type { Renderer, RenderOrder } from "../media/renderer.ts";
import { renderSpeech } from "../speech/render-speech.ts";
import { makePictures } from "./pictures.ts";
import { speak } from "./serve.ts";

const { signal } = new AbortController();
const made: MadeFile = {
  bytes: new Uint8Array([1]),
  mediaType: "image/png",
  width: 16,
  height: 16,
  durationMs: null,
};

function rendererOf(render: (job: RenderOrder) => Promise<MadeFile>): Renderer {
  return { render, close: async () => {} };
}

function drawing(most = Number.POSITIVE_INFINITY) {
  const jobs: RenderOrder[] = [];
  const renderer = rendererOf(async (job) => {
    jobs.push(job);
    if (jobs.length > most) throw new ProviderFailure("unavailable", "The sandbox's renderer broke off.");
    return made;
  });
  const host = async () => "";
  const make = async (prompt: string, n = 1) => {
    const response = await makePictures({ prompt, n }, { renderer, host, signal });
    return ((await response.json()) as { data: readonly unknown[] }).data;
  };
  return { make, jobs };
}

describe("images", () => {
  test("are as many as requested, each with its own index", async () => {
    const { make, jobs } = drawing();
    expect((await make("a cat", 3)).length).toBe(3);
    expect(jobs.map((job) => job.kind === "image" && job.index)).toEqual([0, 1, 2]);
  });

  test("are returned if a later one fails, and fail if the first one fails", async () => {
    expect((await drawing(2).make("a cat", 4)).length).toBe(2);
    await expect(drawing(0).make("a cat", 4)).rejects.toMatchObject({ kind: "unavailable" });
  });

  test("fail as their directives say, before anything is drawn", async () => {
    const { make, jobs } = drawing();
    for (const directive of ["error=503", "fail"])
      await expect(make(`[sandbox:${directive}] a cat`)).rejects.toMatchObject({ kind: "unavailable" });
    expect(jobs.length).toBe(0);
  });

  test("are drawn from the prompt without its directives", async () => {
    const { make, jobs } = drawing();
    await make("[sandbox:delay=1ms] a cat");
    expect(jobs[0]).toMatchObject({ request: { prompt: "a cat" } });
  });
});

test("speech is an MP3, follows directives and contains nothing of them", async () => {
  // Renders in this process; the pipe to the renderer has its own tests.
  const renderer = rendererOf(async (job) => {
    if (job.kind !== "speech") throw new Error("not speech");
    return renderSpeech(job);
  });
  const say = (input: string) => speak({ input }, { renderer, signal });
  const plain = await say("Hello.");
  expect(plain.headers.get("content-type")).toBe("audio/mpeg");
  expect(await (await say("Hello. [sandbox:delay=1ms]")).bytes()).toEqual(await plain.bytes());
  await expect(say("Hello. [sandbox:fail]")).rejects.toMatchObject({ kind: "unavailable" });
});
