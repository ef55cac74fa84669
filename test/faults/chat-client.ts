import type { TestOrganization } from "../harness.ts";

type StreamEvent = { readonly event: string; readonly data: Record<string, unknown> };

/** A call as an ordinary client makes it, streamed or not. */
export type ChatAsk = {
  readonly origin: string;
  readonly of: Pick<TestOrganization, "key">;
  readonly content: string;
  readonly model?: string;
  readonly maxTokens?: number;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
};

export function askJson(ask: ChatAsk): Promise<Response> {
  return send(ask, false);
}

export function askStream(ask: ChatAsk): Promise<Response> {
  return send(ask, true);
}

function send(ask: ChatAsk, stream: boolean): Promise<Response> {
  const { idempotencyKey, maxTokens } = ask;
  return fetch(`${ask.origin}/functions/v1/api-v1-chat`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${ask.of.key}`,
      "content-type": "application/json",
      ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
    },
    body: JSON.stringify({
      model: ask.model ?? "sandbox-chat",
      stream,
      messages: [{ role: "user", content: ask.content }],
      ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    }),
    signal: ask.signal ?? null,
  });
}

/** The result of a call as a client sees it, in the same terms for both forms. */
export type Seen = {
  readonly requestId: string;
  readonly ended: "done" | "error";
  /** The HTTP status; 200 for every stream that opened. */
  readonly status: number;
  /** The reply, or the data of the last event. */
  readonly body: Record<string, unknown>;
  readonly text: string;
};

export async function seeJson(ask: ChatAsk): Promise<Seen> {
  return seenIn(await askJson(ask));
}

async function seenIn(response: Response): Promise<Seen> {
  const body = (await response.json()) as Record<string, unknown>;
  const message = body["message"] as { content: string } | undefined;
  return {
    requestId: response.headers.get("x-request-id") ?? "",
    ended: response.ok ? "done" : "error",
    status: response.status,
    body,
    text: message?.content ?? "",
  };
}

export async function seeStream(ask: ChatAsk): Promise<Seen> {
  const response = await askStream(ask);
  if (!response.ok) return seenIn(response);
  const events = eventsIn(await response.text());
  const last = events.at(-1);
  if (last?.event !== "done" && last?.event !== "error") throw new Error(`ended with ${last?.event}`);
  return {
    requestId: response.headers.get("x-request-id") ?? "",
    ended: last.event,
    status: response.status,
    body: last.data,
    text: events.map(({ data }) => data["content"] ?? "").join(""),
  };
}

export const FORMS = [
  ["JSON", seeJson],
  ["a stream", seeStream],
] as const;

export function eventsIn(text: string): StreamEvent[] {
  return text
    .split("\n\n")
    .filter((block) => block.startsWith("event: "))
    .map((block) => {
      const [event = "", data = ""] = block.split("\n");
      return { event: event.slice("event: ".length), data: JSON.parse(data.slice("data: ".length)) };
    });
}

/** Reads until the text appears, then disconnects. */
export async function leaveAfter(ask: ChatAsk, mark: string): Promise<string> {
  const controller = new AbortController();
  const response = await askStream({ ...ask, signal: controller.signal });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let seen = "";
  while (!seen.includes(mark)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the stream ended before ${mark}: ${seen}`);
    seen += decoder.decode(value, { stream: true });
  }
  controller.abort();
  return response.headers.get("x-request-id") ?? "";
}
