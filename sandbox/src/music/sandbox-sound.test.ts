import { describe, expect, test } from "bun:test";
import { renderSpeech } from "../speech/render-speech.ts";
import { createSandboxSpeech } from "../speech/sandbox-speech.ts";
import { renderMusic } from "./render-music.ts";
import { createSandboxMusic } from "./sandbox-music.ts";

const context = { requestId: "0", signal: new AbortController().signal };
/** Renders in this process; the pipe to the renderer has its own tests. */
const renderer: Parameters<typeof createSandboxSpeech>[0] = {
  render: async (job) =>
    job.kind === "speech" ? renderSpeech(job) : job.kind === "music" ? renderMusic(job) : never(),
};

function never(): never {
  throw new Error("not sound");
}

describe("sandbox audio", () => {
  const speech = createSandboxSpeech(renderer);
  const music = createSandboxMusic(renderer);
  const say = (text: string) =>
    speech.speak("sandbox-voice", { lines: [{ voice: null, text }], speed: 1 }, context);
  const play = (prompt: string) =>
    music.compose("sandbox-music", { prompt, style: null, durationMs: 1000, referenceImages: [] }, context);

  test("is an MP3, for music of the requested length", async () => {
    expect(await say("Hello.")).toMatchObject({ mediaType: "audio/mpeg", width: null, height: null });
    expect(await play("a tune")).toMatchObject({ mediaType: "audio/mpeg", durationMs: 1000 });
  });

  test("follows directives and contains nothing of them", async () => {
    await expect(say("Hello. [sandbox:fail]")).rejects.toMatchObject({ kind: "unavailable" });
    await expect(play("a tune [sandbox:error=503]")).rejects.toMatchObject({ kind: "unavailable" });
    expect((await say("Hello. [sandbox:delay=1ms]")).bytes).toEqual((await say("Hello.")).bytes);
    expect((await play("a tune [sandbox:delay=1ms]")).bytes).toEqual((await play("a tune")).bytes);
  });
});
