import { tokenHeader, UNREACHABLE } from "../../api/ask.ts";
import type { ReferenceFile } from "./reference-file.ts";

type Endpoint = "api-v1-chat" | "api-v1-images" | "api-v1-audio" | "api-v1-video";

/** Exactly what a program would send: the page shows the same as a command to copy. */
export type PlayCall = {
  readonly endpoint: Endpoint;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Fields whose value is a file: the shown command reads it from disk. */
  readonly files?: Readonly<Record<string, ReferenceFile>>;
};

/** An error from the gateway, or a failure to reach it. */
export class PlayError extends Error {
  /** Null if no status was received: a broken connection, a failed stream. */
  readonly status: number | null;
  readonly retryAfterSeconds: number | null;
  /** The console's page where the missing credits can be bought; null if the message names none. */
  readonly creditsPage: string | null;

  constructor(
    readonly code: string,
    message: string,
    response?: Response,
  ) {
    // What the API says in words is a button here.
    const [words = "", link] = message.split(/ Add credits at \S+\/console(\S+)$/);
    super(words);
    this.creditsPage = link ?? null;
    this.status = response?.status ?? null;
    this.retryAfterSeconds = Number(response?.headers.get("retry-after")) || null;
  }
}

/** Returns the response once its status is known to be good. */
export async function openPlay(
  { endpoint, body, headers, files = {} }: PlayCall,
  options: { readonly repeatKey?: string; readonly signal?: AbortSignal },
): Promise<Response> {
  return checked(`/console/play/${endpoint}`, {
    method: "POST",
    headers: {
      ...headers,
      ...tokenHeader(),
      "content-type": "application/json",
      ...(options.repeatKey === undefined ? {} : { "idempotency-key": options.repeatKey }),
    },
    body: JSON.stringify({ ...body, ...dataOf(files) }),
    ...(options.signal ? { signal: options.signal } : {}),
  });
}

function dataOf(files: Readonly<Record<string, ReferenceFile>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([field, { data }]) => [field, data]));
}

export async function play<Reply>(call: PlayCall, repeatKey: string): Promise<Reply> {
  return readJson(await openPlay(call, { repeatKey }));
}

/** The state of a job. */
export async function look<Reply>(requestId: string, signal: AbortSignal): Promise<Reply> {
  return readJson(await checked(`/console/play/api-v1-video?request_id=${requestId}`, { signal }));
}

/** Not `crypto.randomUUID`: browsers do not offer it to pages on plain http. */
export function newRepeatKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

async function checked(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { ...init, credentials: "same-origin" });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw unreachable();
  }
  if (response.ok) return response;
  throw refusalIn(await readJson<unknown>(response), response);
}

/** A proxy in front of the gateway reports in its own format that it is down. */
function refusalIn(answer: unknown, response: Response): PlayError {
  const { error, problem } = Object(answer) as Record<string, unknown>;
  const { code, message } = Object(error ?? problem) as Record<string, unknown>;
  return typeof code === "string" && typeof message === "string"
    ? new PlayError(code, message, response)
    : unreachable();
}

async function readJson<Reply>(response: Response): Promise<Reply> {
  try {
    return (await response.json()) as Reply;
  } catch {
    throw unreachable();
  }
}

export const NO_ANSWER = "unreachable";

/** How a call failed; anything but an error from the gateway counts as no answer. */
export function failureOf(error: unknown): PlayError {
  return error instanceof PlayError ? error : unreachable();
}

export function unreachable(): PlayError {
  return new PlayError(NO_ANSWER, UNREACHABLE.message);
}
