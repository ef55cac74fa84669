import { fixtureFiles } from "./fixtures-folder.ts";

type Message = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
};
type Exchange = {
  readonly request: Message & { readonly method: string; readonly url: string };
  readonly response: Message & { readonly status: number };
};

/** The recorded exchanges of one task with a vendor, call by call. */
export function exchangesOf(path: string): readonly Exchange[] {
  const file = fixtureFiles().find((each) => each.path === path);
  if (file === undefined) throw new Error(`no recording at ${path}`);
  return (JSON.parse(file.read()) as { readonly exchanges: readonly Exchange[] }).exchanges;
}

export type ReplayedVendor = {
  /** The URL of the replayed vendor, with the path that the recorded calls share. */
  readonly baseUrl: string;
  readonly host: string;
  /** How many of the exchanges were replayed. */
  played(): number;
  stop(): void;
};

/**
 * A vendor as it was recorded: each call is answered with the next exchange of its method and path, the last one
 * repeatedly. URLs in replies are rewritten to lead here too.
 */
export function startReplayedVendor(exchanges: readonly Exchange[], basePath: string): ReplayedVendor {
  const queues = new Map<string, Exchange[]>();
  for (const exchange of exchanges) {
    const key = keyOf(exchange.request.method, new URL(exchange.request.url).pathname);
    queues.set(key, [...(queues.get(key) ?? []), exchange]);
  }
  let played = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      await request.arrayBuffer();
      const { pathname, origin } = new URL(request.url);
      const queue = queues.get(keyOf(request.method, pathname));
      const exchange = queue !== undefined && queue.length > 1 ? queue.shift() : queue?.[0];
      if (exchange === undefined) return new Response(`nobody recorded ${pathname}`, { status: 418 });
      played += 1;
      return answerOf(exchange, origin);
    },
  });
  const host = `127.0.0.1:${server.port}`;
  return {
    baseUrl: `http://${host}${basePath}`,
    host,
    played: () => played,
    stop: () => void server.stop(true),
  };
}

const keyOf = (method: string, pathname: string) => `${method} ${pathname}`;
const VENDORS = /https:\/\/(?:generativelanguage\.googleapis\.com|api\.x\.ai|[a-z-]+\.x\.ai|vidgen\.x\.ai)/g;
const KEPT_HEADERS = ["content-type", "location"];

function answerOf({ response }: Exchange, origin: string): Response {
  const { status, headers = {}, json, text } = response;
  const kept = KEPT_HEADERS.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, value.replace(VENDORS, origin)] as [string, string]];
  });
  if (json !== undefined) {
    return new Response(whole(JSON.stringify(json)).replace(VENDORS, origin), { status, headers: kept });
  }
  return new Response(Buffer.from(whole(text ?? ""), "base64"), { status, headers: kept });
}

/** Files were truncated when recorded: what is left of their base64 is cut to whole groups of four. */
function whole(text: string): string {
  return text.replace(/([A-Za-z0-9+/]*)\.\.\.TRIMMED_\d+/g, (_cut, left: string) =>
    left.slice(0, left.length - (left.length % 4)),
  );
}
