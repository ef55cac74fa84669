import { ProviderFailure, type ProviderFailureKind } from "../../../gateway/src/contract/index.ts";
import { scriptedStatusOf } from "../scripted-failure.ts";

/** An answer that is an error, in the words of whichever wire the call came on. */
export class WireError extends Error {
  override name = "WireError";
  constructor(
    readonly status: number,
    message: string,
    readonly detail: {
      /** The field at fault. */
      readonly param?: string;
      readonly code?: string;
      readonly retryAfterSeconds?: number;
    } = {},
  ) {
    super(message);
  }
}

export function badField(param: string, why: string): WireError {
  return new WireError(400, `${param} ${why}.`, { param });
}

/** A queue that is full is a 429: it comes back by itself, and nothing of the request was at fault. */
const STATUS_OF: Readonly<Record<ProviderFailureKind, number>> = {
  rejected: 400,
  context_overflow: 400,
  unauthorized: 401,
  timeout: 408,
  rate_limited: 429,
  unavailable: 500,
};

/** What a failure of the sandbox is on the wire; a status that a directive asked for is exactly that. */
function wireErrorOf(error: unknown): WireError {
  if (error instanceof WireError) return error;
  if (!(error instanceof ProviderFailure)) return new WireError(500, "The sandbox failed.");
  const { retryAfterSeconds, param, field = param } = error.detail;
  return new WireError(scriptedStatusOf(error) ?? STATUS_OF[error.kind], error.publicMessage, {
    ...(field === undefined ? {} : { param: field }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

export function openAiError(error: unknown): Response {
  const known = wireErrorOf(error);
  const { param = null, code = null } = known.detail;
  return answer(known, { error: { message: known.message, type: typeOf(known.status), param, code } });
}

/** A field at fault is a 422 with a list, as FastAPI has it; all else is one sentence. */
export function falError(error: unknown): Response {
  const known = wireErrorOf(error);
  const { message, detail } = known;
  if (!(error instanceof WireError) || detail.param === undefined) return answer(known, { detail: message });
  const fault = { loc: ["body", detail.param], msg: message, type: "value_error" };
  return answer(new WireError(422, message), { detail: [fault] });
}

function typeOf(status: number): string {
  if (status === 429) return "rate_limit_error";
  return Math.floor(status / 100) === 4 ? "invalid_request_error" : "server_error";
}

/** A 304 has no body, and a directive may ask for one. */
function answer({ status, detail }: WireError, body: object): Response {
  const { retryAfterSeconds: seconds } = detail;
  return new Response(status === 304 ? null : JSON.stringify(body), {
    status,
    headers: {
      "content-type": "application/json",
      ...(seconds === undefined ? {} : { "retry-after": String(seconds) }),
    },
  });
}
