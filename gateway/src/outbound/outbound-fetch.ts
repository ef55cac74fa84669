import { ProviderFailure } from "../contract/index.ts";
import { failpoint, realSignal } from "../kit/index.ts";
import { guardBody } from "./body.ts";
import { type CallGuard, createCallGuards } from "./call-guard.ts";
import { connectionFailure, unmadeFailure, unsentTimeout } from "./failures/network-failure.ts";
import { type Exchange, http1Exchange } from "./http1/index.ts";
import type { OutboundFetch, OutboundInit, OutboundResponse, OutboundTimeouts } from "./outbound-call.ts";
import type { Proxies } from "./proxy-of.ts";
import { createReachabilities } from "./reachability.ts";
import { discard } from "./read-body.ts";
import { type OpenedBody, StreamedBody } from "./streamed-body.ts";

export type OutboundOptions = {
  readonly timeouts: OutboundTimeouts;
  /** Limit of the decoded body, streams included. */
  readonly maxBodyBytes: number;
  /** For the log only. */
  readonly provider: string;
  readonly way?: OutboundWay | undefined;
};

export type OutboundWay = {
  /** A host behind a proxy cannot be probed, so the connect timeout does not apply to it. */
  readonly proxies: Proxies | null;
  /** Make every call with the runtime's client, which alone supports proxies and custom certificates. */
  readonly byRuntime: boolean;
};

const OWN_WAY: OutboundWay = { proxies: null, byRuntime: false };

export function createOutboundFetch(options: OutboundOptions): OutboundFetch {
  const { proxies, byRuntime } = options.way ?? OWN_WAY;
  const reachabilityOf = createReachabilities(proxies);
  const guardOf = createCallGuards(options.timeouts);
  return async (url, init) => {
    const { signal, controller } = init;
    if (signal.aborted) throw signal.reason;
    const guard = guardOf({ url, signal, controller, reachability: reachabilityOf(url) });
    const opened = init.body instanceof StreamedBody ? init.body.open() : null;
    let own: Exchange | null = null;
    let response: Response | Exchange;
    try {
      own = byRuntime ? null : ownCall(url, init, guard);
      response = await (own?.start() ?? fetch(url, runtimeInit(init, opened, realSignal(guard.signal))));
    } catch (error) {
      guard.end();
      const isUnsent = own === null ? opened?.isPartial() : !own.isSent;
      const stopped = guard.stoppedBy();
      if (stopped) throw isUnsent && stopped.isTimeout ? unsentTimeout(stopped.reason) : stopped.reason;
      const unmade = opened?.failed();
      if (unmade) throw unmadeFailure(unmade.error, guard.where);
      throw connectionFailure(error, { where: guard.where, elapsedMs: guard.elapsedMs, isUnsent });
    }
    guard.answered();
    guardBody(response, { guard, maxBytes: options.maxBodyBytes, headers: init.headers });
    const armed = failpoint("after_upstream_headers");
    if (armed) await armed;
    if (response.status >= 300 && response.status < 400) throw refuseRedirect({ response, url, guard });
    return response;
  };
}

/** A call on one of our own connections, at half the cost; null if only the runtime's client can make it. */
function ownCall(url: string, init: OutboundInit, { signal }: CallGuard): Exchange | null {
  const { method, headers, body, isSentOnce } = init;
  if (body instanceof Blob || body instanceof FormData || body instanceof StreamedBody) return null;
  return http1Exchange(url, { method, headers, body, isSentOnce }, signal);
}

function runtimeInit(
  init: OutboundInit,
  opened: OpenedBody | null,
  signal: AbortSignal,
): BunFetchRequestInit {
  const { body } = init;
  const request: BunFetchRequestInit = {
    method: init.method,
    // As on our own connections.
    headers: { "accept-encoding": "identity", ...init.headers },
    signal,
    redirect: "manual",
    // If a provider compresses all the same, we decompress it: Bun would expand a bomb ahead of the reader.
    decompress: false,
    // Bun's own timeout would end a call whose model thinks for five minutes; ours are in the call guard.
    timeout: false,
    // A streamed body and an order cannot be sent again if a pooled connection turns out to be dead.
    keepalive: !(body instanceof StreamedBody || init.isSentOnce),
  };
  if (Array.isArray(body)) return { ...request, body: new Blob(body) };
  if (!(body instanceof StreamedBody)) return { ...request, body };
  return {
    ...request,
    headers: { ...request.headers, "content-length": String(body.sizeBytes) },
    body: opened?.stream,
  };
}

/** Following a redirect would send the key and the prompt to a place that nobody configured. */
function refuseRedirect(call: {
  response: OutboundResponse;
  url: string;
  guard: CallGuard;
}): ProviderFailure {
  const { response, url, guard } = call;
  discard(response);
  const target = URL.parse(response.headers.get("location") ?? "", url)?.host ?? "nowhere";
  return new ProviderFailure("unavailable", "The model's provider sent an unexpected redirect.", {
    internal: `${guard.where}: ${response.status} to ${target.slice(0, 100)}`,
    status: response.status,
  });
}
