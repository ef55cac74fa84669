import { fixtureFiles } from "./fixtures-folder.ts";

type Json = Readonly<Record<string, unknown>>;

type MediaExchange = {
  readonly method: string;
  readonly url: string;
  readonly request: Json;
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array<ArrayBuffer>;
};

/** One recorded call for images or speech, and what was fetched after it. */
export type MediaRecording = {
  readonly name: string;
  readonly provider: string;
  readonly exchanges: readonly [MediaExchange, ...MediaExchange[]];
};

type Cassette = {
  readonly exchanges: readonly {
    readonly request: { readonly method: string; readonly url: string; readonly json?: Json };
    readonly response: {
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly json?: unknown;
      /** Binary data is base64 and truncated; its beginning shows the type. */
      readonly text?: string;
      readonly base64?: string;
    };
  }[];
};

/** Recordings whose first call matches `url`. */
export function mediaRecordings(url: RegExp): readonly MediaRecording[] {
  const found: MediaRecording[] = [];
  for (const { path, read } of fixtureFiles()) {
    if (!path.includes("ruby_llm") || !path.endsWith(".json")) continue;
    const { exchanges = [] } = JSON.parse(read()) as Partial<Cassette>;
    const [first, ...rest] = exchanges.map(exchangeOf);
    if (first === undefined || first.method !== "POST" || !url.test(first.url)) continue;
    found.push({ name: path, provider: path.split("/")[0] ?? "", exchanges: [first, ...rest] });
  }
  return found;
}

function exchangeOf({ request, response }: Cassette["exchanges"][number]): MediaExchange {
  const contentType = response.headers["content-type"] ?? "";
  const encoded = response.text ?? response.base64 ?? "";
  const body =
    response.json === undefined
      ? Buffer.from(encoded.split("...")[0] ?? "", contentType.startsWith("text/") ? "utf8" : "base64")
      : Buffer.from(JSON.stringify(response.json));
  return {
    method: request.method,
    url: request.url,
    request: request.json ?? {},
    status: response.status,
    contentType,
    body: new Uint8Array(body),
  };
}
