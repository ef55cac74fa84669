import { tinyFilm } from "../scripted-video.ts";

/** A vendor of film who takes orders, on the wire of fal; what it says of them is scripted by the model's name. */
export type FilmQueue = {
  readonly baseUrl: string;
  /** `host:port`, for the guard that fetches what it hosts. */
  readonly host: string;
  /** The prompts of all orders that it took. */
  readonly orders: string[];
  close(): Promise<void>;
};

/**
 * What becomes of an order, by the second part of the model's id: its state at each look, the last one for ever.
 * A number is the status of a refusal; `done` hosts the film, `inside` points into somebody's own network.
 */
const COURSES: Readonly<Record<string, readonly (string | number)[]>> = {
  good: ["IN_QUEUE", "IN_PROGRESS", "done"],
  odd: ["DREAMING", "done"],
  wavering: ["FAILED", "done"],
  forgetful: ["IN_PROGRESS", 404],
  inside: ["inside"],
  html: ["html"],
  flaky: [500, 503, "done"],
  stuck: ["IN_PROGRESS"],
};

export function startFilmQueue(): FilmQueue {
  const orders: string[] = [];
  const looks = new Map<string, number>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, origin } = new URL(request.url);
      if (pathname === "/film.mp4") return new Response(Buffer.from(tinyFilm()));
      if (pathname === "/page.mp4") return new Response("<html>sorry</html>");
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
      if (last !== "status") return Response.json({ video: { url: addressOf(now ?? "", origin) } });
      if (place < states.length - 1) looks.set(id, place + 1);
      const isOver = now === "done" || now === "inside" || now === "html";
      return Response.json({ status: isOver ? "COMPLETED" : now });
    },
  });
  return {
    baseUrl: `http://127.0.0.1:${server.port}`,
    host: `127.0.0.1:${server.port}`,
    orders,
    close: () => server.stop(true),
  };
}

function addressOf(state: string, origin: string): string {
  if (state === "inside") return "http://169.254.169.254/film.mp4";
  return `${origin}/${state === "html" ? "page" : "film"}.mp4`;
}

function answer(status: number): Response {
  return Response.json({ detail: "not now" }, { status });
}

/** Settings of a gateway with one model per course, five credits a second. */
export function filmSettings({ baseUrl }: FilmQueue): object {
  return {
    providers: { films: { kind: "fal", base_url: baseUrl, api_key: "film-key-1" } },
    models: [...Object.keys(COURSES), "full"].map((course) => ({
      id: `film-${course}`,
      name: course,
      type: "video",
      targets: [{ provider: "films", model: `acme/${course}` }],
      credits_per_request: 1,
      capabilities: ["reference_image", "sound"],
      price: { per_second: { "480p": 5 } },
      limits: { duration_seconds: { min: 1, max: 10, default: 4 }, aspect_ratios: ["16:9"] },
    })),
  };
}
