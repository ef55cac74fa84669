/**
 * The upstream of a random run, in its own process: chat, images and videos that carry the tag of the call they answer,
 * and beside it the misbehaving upstream. Logs what it produced.
 */
import { wholeVideo } from "../scripted-video.ts";
import { DONE, deltaFrame, ROLE, stopFrame } from "../upstream/chat-wire.ts";
import { PNG } from "../upstream/media-samples.ts";
import { startMisbehavingUpstream } from "../upstream/misbehaving-upstream.ts";
import { createAppendLog } from "./append-log.ts";
import { PROMPT_TOKENS } from "./run-models.ts";

export type UpstreamReport = { readonly port: number; readonly brokenUrl: string };
export type UpstreamOrders = { readonly logPath: string };
/** Logged once the last byte was handed over. */
export type UpstreamLine = { readonly tag: number; readonly made: "chat" | "image" | "video" };

type Json = Readonly<Record<string, unknown>>;
type Script = { readonly tag: number; readonly pieces: number; readonly pauseMs: number };

const LOOKS_BEFORE_A_VIDEO = 2;

// The parent process has died or has closed the channel.
if (import.meta.main) process.on("disconnect", () => process.exit(0));
if (import.meta.main) await serve(JSON.parse(process.argv[2] ?? "{}") as UpstreamOrders);

async function serve({ logPath }: UpstreamOrders): Promise<void> {
  const log = createAppendLog(logPath);
  const produced = (tag: number, made: UpstreamLine["made"]) => log.write({ tag, made });
  const videos = createVideos(produced);
  const broken = await startMisbehavingUpstream();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const path = new URL(request.url).pathname;
      if (path.endsWith("/chat/completions")) return chat((await request.json()) as Json, produced);
      if (path.endsWith("/images/generations")) return picture((await request.json()) as Json, produced);
      return videos.answer(request);
    },
  });
  process.send?.({ port: server.port ?? 0, brokenUrl: broken.baseUrl } satisfies UpstreamReport);
}

type Produced = (tag: number, made: UpstreamLine["made"]) => void;

function chat(body: Json, produced: Produced): Response {
  const messages = body["messages"] as readonly { readonly content: string | readonly Json[] }[];
  const content = messages.at(-1)?.content ?? "";
  const script = scriptIn(
    typeof content === "string" ? content : content.map((part) => part["text"]).join(""),
  );
  if (body["stream"] === true) return chatStream(script, produced);
  const message = { role: "assistant", content: textOf(script), refusal: null };
  produced(script.tag, "chat");
  return Response.json({
    ...{ id: "chatcmpl-1", created: 1_750_000_000, model: "m", object: "chat.completion" },
    choices: [{ index: 0, message, logprobs: null, finish_reason: "stop" }],
    usage: usageOf(script),
  });
}

function chatStream(script: Script, produced: Produced): Response {
  const encoder = new TextEncoder();
  const words = Array.from({ length: script.pieces }, (_, at) => deltaFrame({ content: ` word${at}` }));
  const frames = [
    ...[ROLE, deltaFrame({ content: opening(script) }), ...words],
    // In one event: a link that is lost between them leaves a whole answer without usage, rightly charged by our estimate.
    ...[stopFrame(usageOf(script)), DONE],
  ];
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (script.pauseMs > 0) await Bun.sleep(script.pauseMs);
      const frame = frames[at++];
      if (frame !== undefined) return controller.enqueue(encoder.encode(frame));
      produced(script.tag, "chat");
      controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

function picture(body: Json, produced: Produced): Response {
  const { tag } = scriptIn(String(body["prompt"]));
  // Anything may follow the last chunk of a PNG; here it is the tag.
  const bytes = Buffer.concat([PNG, Buffer.from(markOf(tag))]);
  produced(tag, "image");
  return Response.json({ created: 1, data: [{ b64_json: bytes.toString("base64") }] });
}

/** A vendor on fal's wire: takes an order, is polled twice, then has a video. */
function createVideos(produced: Produced): { answer(request: Request): Promise<Response> } {
  const orders = new Map<string, { readonly tag: number; looks: number }>();
  return {
    async answer(request) {
      const { pathname, origin } = new URL(request.url);
      const video = /^\/video-(\d+)\.mp4$/.exec(pathname)?.[1];
      if (video !== undefined) return new Response(videoOf(Number(video)));
      const [, , , , id = "", last] = pathname.split("/");
      if (request.method === "POST") {
        const { prompt } = (await request.json()) as { prompt: string };
        const requestId = crypto.randomUUID();
        orders.set(requestId, { tag: scriptIn(prompt).tag, looks: 0 });
        return Response.json({ request_id: requestId });
      }
      const order = orders.get(id);
      if (order === undefined) return Response.json({ detail: "unknown" }, { status: 404 });
      if (last === "status") {
        const isDone = ++order.looks >= LOOKS_BEFORE_A_VIDEO;
        return Response.json({ status: isDone ? "COMPLETED" : "IN_PROGRESS" });
      }
      produced(order.tag, "video");
      const host = request.headers.get("host");
      return Response.json({
        video: { url: `${host === null ? origin : `http://${host}`}/video-${order.tag}.mp4` },
      });
    },
  };
}

function videoOf(tag: number): Buffer<ArrayBuffer> {
  const mark = Buffer.from(markOf(tag));
  const box = Buffer.alloc(8);
  box.writeUInt32BE(8 + mark.length, 0);
  box.write("free", 4);
  return Buffer.concat([wholeVideo(), box, mark]);
}

export function markOf(tag: number): string {
  return `<made for ${tag}>`;
}

/** Every answer begins with this: a client that finds another tag there was given another call's answer. */
export function opening({ tag }: Pick<Script, "tag">): string {
  return `answer ${tag}:`;
}

function textOf(script: Script): string {
  return opening(script) + Array.from({ length: script.pieces }, (_, at) => ` word${at}`).join("");
}

function usageOf({ tag }: Script): object {
  return { prompt_tokens: PROMPT_TOKENS, completion_tokens: tag, total_tokens: PROMPT_TOKENS + tag };
}

function scriptIn(prompt: string): Script {
  const number = (name: string) => Number(new RegExp(`${name}=(\\d+)`).exec(prompt)?.[1] ?? 0);
  return { tag: number("tag"), pieces: number("pieces"), pauseMs: number("pause") };
}
