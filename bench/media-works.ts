/** What the sandbox is asked to make, with names and limits for the figures. */
import type { BenchGateway } from "./gateway.ts";

export type Work = { readonly name: string; readonly limitMs: number; make(round: number): Promise<void> };

const POLL_EVERY_MS = 50;
const PROMPT = "a sailing boat at sunset";

export function mediaWorks(gateway: BenchGateway): Work[] {
  const image = (round: number) => ({ model: "sandbox-image", prompt: `${PROMPT} ${round}` });
  const speech = "The quick brown fox jumps over the lazy dog, and the dog does not mind at all. ";
  return [
    { name: "1k picture", limitMs: 500, make: (round) => make(gateway, "images", image(round)) },
    {
      name: "10 s of speech",
      limitMs: 1500,
      make: (round) =>
        make(gateway, "audio", { model: "sandbox-voice", prompt: `${speech.repeat(2)} ${round}` }),
    },
    {
      name: "10 s of music",
      limitMs: 1500,
      make: (round) =>
        make(gateway, "audio", {
          model: "sandbox-music",
          audio_kind: "music",
          prompt: `calm piano ${round}`,
          duration_seconds: 10,
        }),
    },
    { name: "4 s of video, 480p", limitMs: 5000, make: (round) => video(gateway, round, false) },
    { name: "4 s of video, 480p, sound", limitMs: 5000, make: (round) => video(gateway, round, true) },
  ];
}

async function make(gateway: BenchGateway, endpoint: string, body: unknown): Promise<void> {
  await ask(gateway, `api-v1-${endpoint}`, body);
}

async function video(gateway: BenchGateway, round: number, generate_audio: boolean): Promise<void> {
  const body = {
    model: "sandbox-video",
    prompt: PROMPT,
    duration: 4,
    resolution: "480p",
    seed: round,
    generate_audio,
  };
  const { request_id } = await ask(gateway, "api-v1-video", body);
  for (;;) {
    const { status } = await ask(gateway, `api-v1-video?request_id=${request_id}`);
    if (status === "complete") return;
    if (status !== "processing") throw new Error(`the video is ${status}`);
    await Bun.sleep(POLL_EVERY_MS);
  }
}

async function ask({ origin, key }: BenchGateway, path: string, body?: unknown) {
  const response = await fetch(`${origin}/functions/v1/${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as { readonly request_id: string; readonly status?: string };
}
