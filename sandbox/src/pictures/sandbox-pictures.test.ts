import { describe, expect, test } from "bun:test";
import { type MadeFile, ProviderFailure } from "../../../gateway/src/contract/index.ts";
import type { RenderOrder } from "../media/renderer.ts";
import { createSandboxPictures } from "./sandbox-pictures.ts";

const made: MadeFile = {
  bytes: new Uint8Array([1]),
  mediaType: "image/png",
  width: 16,
  height: 16,
  durationMs: null,
};

function drawing(most = Number.POSITIVE_INFINITY) {
  const jobs: RenderOrder[] = [];
  const pictures = createSandboxPictures({
    async render(job) {
      jobs.push(job);
      if (jobs.length > most) throw new ProviderFailure("unavailable", "The sandbox's renderer broke off.");
      return made;
    },
  });
  const make = (prompt: string, n = 1, signal = new AbortController().signal) =>
    pictures.makeImages(
      "sandbox-image",
      { prompt, aspectRatio: "1:1", tier: "1k", n },
      { requestId: "r", signal },
    );
  return { make, jobs };
}

describe("sandbox images", () => {
  test("are as many as requested, each with its own index", async () => {
    const { make, jobs } = drawing();
    expect((await make("a cat", 3)).length).toBe(3);
    expect(jobs.map((job) => job.kind === "image" && job.index)).toEqual([0, 1, 2]);
  });

  test("are returned if a later one fails, and fail if the first one fails", async () => {
    expect((await drawing(2).make("a cat", 4)).length).toBe(2);
    const none = drawing(0).make("a cat", 4);
    expect(await none.catch((error: ProviderFailure) => error.kind)).toBe("unavailable");
  });

  test("fail as their directives say, before anything is drawn", async () => {
    const { make, jobs } = drawing();
    expect(await make("[sandbox:error=503] a cat").catch((error: ProviderFailure) => error.kind)).toBe(
      "unavailable",
    );
    expect(await make("[sandbox:fail] a cat").catch((error: ProviderFailure) => error.detail.scripted)).toBe(
      true,
    );
    expect(jobs.length).toBe(0);
  });

  test("are drawn from the prompt without its directives", async () => {
    const { make, jobs } = drawing();
    await make("[sandbox:delay=1ms] a cat");
    expect(jobs[0]).toMatchObject({ request: { prompt: "a cat" } });
  });
});
