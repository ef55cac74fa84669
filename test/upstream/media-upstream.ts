import { BOMB, HTML, MP3, PNG, SVG } from "./media-samples.ts";

type Json = Readonly<Record<string, unknown>>;

export type MediaUpstream = {
  /** Ends in /v1. */
  readonly baseUrl: string;
  /** Requests, in the order of arrival. */
  readonly received: readonly { readonly path: string; readonly body: Json }[];
  /** Answers calls that say `wait`, now and later. */
  letGo(): void;
  close(): Promise<void>;
};

/** Words in a prompt that replace the image or audio with a bad file. */
const SPOILED: Readonly<Record<string, Uint8Array>> = {
  svg: SVG,
  html: HTML,
  bomb: BOMB,
  empty: Buffer.alloc(0),
};

/**
 * A server of the images and speech wire that does what its prompt says: `status=500` (`flagged` too), `fewer`, `none`,
 * `svg`, `html`, `bomb`, `empty`, `facts`, `wait` (until `letGo`), `hang` (for ever), `hosted` (at an internal URL). Any other
 * prompt gets a good file.
 */
export function startMediaUpstream(): MediaUpstream {
  const received: { path: string; body: Json }[] = [];
  const going = Promise.withResolvers<void>();
  const server = Bun.serve({
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const path = new URL(request.url).pathname;
      // A gateway that starts asks whether its key is accepted.
      if (request.method === "GET" && path.endsWith("/models")) return Response.json({ data: [] });
      const body = (await request.json()) as Json;
      received.push({ path, body });
      const prompt = String(body["prompt"] ?? body["input"] ?? "");
      const status = /status=(\d{3})/.exec(prompt)?.[1];
      if (prompt.includes("wait")) await going.promise;
      if (prompt.includes("hang")) await new Promise(() => {});
      if (status !== undefined) return failure(Number(status), prompt.includes("flagged") ? FLAGGED : {});
      return path.endsWith("/images/generations") ? images(prompt, body) : sound(prompt);
    },
  });
  return {
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    received,
    letGo: going.resolve,
    close: () => server.stop(true),
  };
}

const FLAGGED = { code: "content_policy_violation", param: "prompt" };

function failure(status: number, said: object): Response {
  return Response.json(
    { error: { message: "That cannot be made.", type: "error", code: null, ...said } },
    { status },
  );
}

function images(prompt: string, { n: asked, size }: Json): Response {
  const n = Number(asked ?? 1);
  const made = prompt.includes("none") ? 0 : prompt.includes("fewer") ? 1 : n;
  const picture = prompt.includes("hosted")
    ? { url: "http://169.254.169.254/latest/meta-data" }
    : {
        b64_json: Buffer.from(
          fileOf(prompt, prompt.includes("small") ? PNG : pictureOf(String(size), prompt)),
        ).toString("base64"),
      };
  const facts = prompt.includes("facts") ? IMAGE_FACTS : {};
  return Response.json({ created: 1, data: Array.from({ length: made }, () => picture), ...facts });
}

const IMAGE_FACTS = { quality: "high", usage: { input_tokens: 13, output_tokens: 1056, total_tokens: 1069 } };

const USUAL_PIXELS = 2_000_000;

/** If more than the usual size is requested, at least the header says that size. */
function pictureOf(size: string, prompt: string): Uint8Array {
  const [width = 0, height = 0] = size.split("x").map(Number);
  if (!(width * height > USUAL_PIXELS || prompt.includes("facts"))) return PNG;
  const large = Buffer.from(PNG);
  large.writeUInt32BE(width, 16);
  large.writeUInt32BE(height, 20);
  return large;
}

function sound(prompt: string): Response {
  return new Response(Uint8Array.from(fileOf(prompt, MP3)), { headers: { "content-type": "audio/mpeg" } });
}

function fileOf(prompt: string, good: Uint8Array): Uint8Array {
  const word = Object.keys(SPOILED).find((known) => prompt.includes(known));
  return word === undefined ? good : (SPOILED[word] ?? good);
}
