import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { wholeVideo } from "../scripted-video.ts";

/**
 * A video vendor on fal's wire, which takes orders and is polled. The model's id decides what becomes of an order
 * (`COURSES`).
 */
export type VideoQueue = {
  readonly baseUrl: string;
  /** `host:port`, to allow downloads from it. */
  readonly host: string;
  /** The prompts of all orders. */
  readonly orders: string[];
  /** The courses of the files that were downloaded. */
  readonly fetched: string[];
  close(): Promise<void>;
};

/**
 * What becomes of an order, by the second part of the model's id: the result of each poll, the last one repeated for
 * ever. A number is an HTTP error status. The last entry may be what the video's URL leads to: the video, or something
 * else in its place; `inside` is a URL in a private network.
 */
const COURSES: Readonly<Record<string, readonly (string | number)[]>> = {
  good: ["IN_QUEUE", "IN_PROGRESS", "done"],
  odd: ["DREAMING", "done"],
  wavering: ["FAILED", "done"],
  forgetful: ["IN_PROGRESS", 404],
  inside: ["inside"],
  html: ["html"],
  huge: ["huge"],
  cut: ["cut"],
  flaky: [500, 503, "done"],
  stuck: ["IN_PROGRESS"],
};

const HOSTED: ReadonlySet<string | number | undefined> = new Set(["done", "inside", "html", "huge", "cut"]);
/** One byte more than the download limit for videos; the file is sparse. */
const HUGE_BYTES = (256 << 20) + 1;

export function startVideoQueue(): VideoQueue {
  const orders: string[] = [];
  const fetched: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), "bursar-video-queue-"));
  const hugeVideo = join(folder, "video.mp4");
  writeFileSync(hugeVideo, wholeVideo());
  truncateSync(hugeVideo, HUGE_BYTES);
  const looks = new Map<string, number>();
  const begun = new Set<string>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, origin } = new URL(request.url);
      if (pathname.startsWith(FILES)) return fileOf(pathname.slice(FILES.length));
      const [, , course = "", , id = "", last] = pathname.split("/");
      if (request.method === "POST") {
        const { prompt } = (await request.json()) as { prompt: string };
        orders.push(prompt);
        return course === "full" ? answer(429) : Response.json({ request_id: crypto.randomUUID() });
      }
      const states = COURSES[course] ?? COURSES["good"] ?? [];
      const place = looks.get(id) ?? 0;
      const now = states[Math.min(place, states.length - 1)];
      if (typeof now === "number") {
        looks.set(id, place + 1);
        return answer(now);
      }
      if (last !== "status") return Response.json({ video: { url: addressOf(now ?? "", id, origin) } });
      if (place < states.length - 1) looks.set(id, place + 1);
      return Response.json({ status: HOSTED.has(now) ? "COMPLETED" : now });
    },
  });

  function fileOf(path: string): Response {
    const [course = ""] = path.split("/");
    const isFirst = !begun.has(path);
    begun.add(path);
    fetched.push(course);
    if (course === "html") return new Response("<html>sorry</html>");
    if (course === "huge") return new Response(Bun.file(hugeVideo));
    return new Response(course === "cut" && isFirst ? brokenOff(wholeVideo()) : Buffer.from(wholeVideo()));
  }

  return {
    baseUrl: `http://127.0.0.1:${server.port}`,
    host: `127.0.0.1:${server.port}`,
    orders,
    fetched,
    async close() {
      await server.stop(true);
      rmSync(folder, { recursive: true });
    },
  };
}

const FILES = "/files/";

function addressOf(state: string, id: string, origin: string): string {
  return state === "inside" ? "http://169.254.169.254/video.mp4" : `${origin}${FILES}${state}/${id}`;
}

function brokenOff(video: Uint8Array): ReadableStream<Uint8Array> {
  let pulls = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      pulls += 1;
      if (pulls === 1) controller.enqueue(video.subarray(0, 40));
      // Without a reason, which Bun would print.
      else controller.error();
    },
  });
}

function answer(status: number): Response {
  return Response.json({ detail: "not now" }, { status });
}

/** Settings with one model per course, at five credits a second. */
export function videoSettings({ baseUrl }: VideoQueue): object {
  return {
    providers: { videos: { kind: "fal", base_url: baseUrl, api_key: "video-key-1" } },
    models: [...Object.keys(COURSES), "full"].map((course) => ({
      id: `video-${course}`,
      name: course,
      type: "video",
      targets: [{ provider: "videos", model: `acme/${course}` }],
      credits_per_request: 1,
      capabilities: ["reference_image", "sound"],
      price: { per_second: { "480p": 5 } },
      limits: { duration_seconds: { min: 1, max: 10, default: 4 }, aspect_ratios: ["16:9"] },
    })),
  };
}
