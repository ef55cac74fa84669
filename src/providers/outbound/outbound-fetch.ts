import { ProviderFailure } from "../contract.ts";
import { guardBody } from "./body.ts";
import { createCallGuard } from "./call-guard.ts";
import { connectionFailure } from "./network-failure.ts";
import { createReachabilities } from "./reachability.ts";

export type OutboundTimeouts = {
  /** Until the host takes the connection. */
  readonly connectMs: number;
  /** From the start until the first byte of the body. */
  readonly firstByteMs: number;
  /** Between two pieces of the body, while somebody waits for the next. */
  readonly idleMs: number;
};

export type OutboundInit = {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer> | Blob | FormData;
  readonly signal: AbortSignal;
};

/** The body is read once, by this folder's functions only: they alone know its timeouts and its bound. */
export type OutboundResponse = Pick<Response, "status" | "ok" | "headers">;

export type OutboundFetch = (url: string, init: OutboundInit) => Promise<OutboundResponse>;

export type OutboundOptions = {
  readonly timeouts: OutboundTimeouts;
  /** Of the decoded body, streams included. */
  readonly maxBodyBytes: number;
  /** For the log only. */
  readonly provider: string;
  /** Calls leave through a proxy, so the host itself cannot be knocked at and the connect time is not held. */
  readonly isProxied?: boolean;
};

export function createOutboundFetch(options: OutboundOptions): OutboundFetch {
  const reachabilityOf = createReachabilities({ isProxied: options.isProxied ?? false });
  return async (url, init) => {
    init.signal.throwIfAborted();
    const guard = createCallGuard({
      signal: init.signal,
      timeouts: options.timeouts,
      reachability: reachabilityOf(url),
    });
    let response: Response;
    try {
      response = await fetch(url, requestInit(init, guard.signal));
    } catch (error) {
      guard.end();
      const stopped = guard.stoppedBy();
      throw stopped
        ? stopped.reason
        : connectionFailure(error, { host: guard.host, elapsedMs: guard.elapsedMs });
    }
    guard.answered();
    guardBody(response, { guard, maxBytes: options.maxBodyBytes, hidden: secretsOf(guard.host, init.headers) });
    if (response.status >= 300 && response.status < 400) throw refuseRedirect(response, guard);
    return response;
  };
}

function requestInit(init: OutboundInit, signal: AbortSignal): BunFetchRequestInit {
  return {
    method: init.method,
    // A compressed answer saves the network a little and costs us time to first byte, CPU and a bomb's risk.
    headers: { "accept-encoding": "identity", ...init.headers },
    body: init.body,
    signal,
    redirect: "manual",
    // Decoded by us where a provider compresses all the same: Bun would decode a bomb ahead of the reader.
    decompress: false,
    // Bun's own limit would cut a call that thinks for five minutes; ours are in the guard.
    timeout: false,
  };
}

/** A redirect would carry the key and the prompt to a place that nobody configured. */
function refuseRedirect(
  response: Response,
  guard: { readonly host: string; end(): void },
): ProviderFailure {
  guard.end();
  void response.body?.cancel().catch(() => {});
  return new ProviderFailure("unavailable", "The model's provider sent us elsewhere.", {
    internal: `${guard.host}: ${response.status} to ${response.headers.get("location")?.slice(0, 200) ?? "nowhere"}`,
  });
}

const SECRET_HEADERS: ReadonlySet<string> = new Set([
  "authorization",
  "x-api-key",
  "api-key",
  "x-goog-api-key",
  "openai-organization",
  "openai-project",
]);

/** What this very call must not see again in a message: where it went and what it proved itself with. */
function secretsOf(host: string, headers: Readonly<Record<string, string>>): readonly string[] {
  const secrets = [host, host.replace(/:\d+$/, "")];
  for (const name of Object.keys(headers)) {
    const value = SECRET_HEADERS.has(name.toLowerCase()) ? (headers[name] ?? "") : "";
    if (value !== "") secrets.push(value.replace(/^\S+ /, ""));
  }
  return secrets;
}
