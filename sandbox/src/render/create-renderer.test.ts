import { expect, test } from "bun:test";
import type { RenderOrder } from "../media/renderer.ts";
import { createRenderer } from "./create-renderer.ts";
import type { RenderProcess } from "./render-process.ts";

const JOBS = {
  image: { kind: "image", request: { prompt: "a hill", aspectRatio: "1:1", tier: "1k" }, index: 0 },
  speech: { kind: "speech", request: { lines: [{ voice: null, text: "a book" }], speed: 1 } },
} satisfies Record<string, RenderOrder>;

test("an image does not wait for speech that is still being rendered", async () => {
  const started: string[] = [];
  const renderer = createRenderer(
    (): RenderProcess => ({
      pid: 0,
      hasEnded: false,
      render(job) {
        started.push(job.kind);
        return new Promise(() => {});
      },
      end() {},
    }),
  );
  const { signal } = new AbortController();
  for (const job of [JOBS.speech, JOBS.speech, JOBS.image]) void renderer.render(job, signal).catch(() => {});
  await Bun.sleep(0);
  await renderer.close();
  expect(started).toEqual(["speech", "image"]);
});
