import { join } from "node:path";
import { withRuntimeEnv } from "./runtime-env.mjs";

const MAIN = join(import.meta.dir, "..", "gateway", "src", "main.ts");

export type GalleryGateway = {
  readonly origin: string;
  /** One-time link that signs in the demo's owner. */
  readonly link: string;
  /** Makes calls of every kind, so that there is something to see. */
  fill(): Promise<void>;
  stop(): Promise<void>;
};

/** A first start as a newcomer would have it, in its own folder. */
export async function startGalleryGateway(dataDir: string): Promise<GalleryGateway> {
  const child = Bun.spawn([process.execPath, MAIN, "serve"], {
    cwd: dataDir,
    env: withRuntimeEnv({
      PATH: process.env["PATH"] ?? "",
      HOME: process.env["HOME"] ?? "",
      PORT: "0",
      BURSAR_DATA_DIR: dataDir,
      BURSAR_LOG_LEVEL: "silent",
    }),
    stdout: "pipe",
    stderr: "inherit",
  });
  const said = await welcomeOf(child.stdout);
  const found = (pattern: RegExp) => pattern.exec(said)?.[0] ?? "";
  const link = found(/http:\/\/\S+\/console\/link\/\S+/);
  const origin = new URL(link).origin;
  const key = found(/svc_live_[0-9A-Za-z]{43}/);
  return {
    origin,
    link,
    fill: () => fill(origin, key),
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

async function welcomeOf(output: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of output) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes("Ctrl-C")) return text;
  }
  throw new Error(`the gateway did not start: ${text}`);
}

const PICTURES = [
  "a lighthouse at dusk",
  "two robots in a garden",
  "a sketch of a harbour",
  "a red fox in snow",
];
const QUESTIONS = ["What is 6 times 7?", "Say hello.", "[sandbox:tokens=400] Tell me more."];

async function fill(origin: string, key: string): Promise<void> {
  async function call(endpoint: string, body: unknown): Promise<void> {
    const response = await fetch(`${origin}/functions/v1/api-v1-${endpoint}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    await response.arrayBuffer();
  }
  for (const content of [...QUESTIONS, ...QUESTIONS, "[sandbox:error=500] fail on purpose"]) {
    await call("chat", { model: "sandbox-chat", messages: [{ role: "user", content }] });
  }
  for (const [at, prompt] of PICTURES.entries()) {
    await call("images", { model: "sandbox-image", prompt, aspect_ratio: at % 2 ? "1:1" : "16:9" });
  }
  await call("audio", { model: "sandbox-voice", prompt: "Everything you hear was made by the sandbox." });
  await call("audio", {
    model: "sandbox-music",
    audio_kind: "music",
    prompt: "calm piano",
    duration_seconds: 5,
  });
  await call("video", { model: "sandbox-video", prompt: "a sailing boat", duration: 2, resolution: "480p" });
}
