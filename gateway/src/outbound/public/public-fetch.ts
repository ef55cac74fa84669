import { isIP, isIPv6 } from "node:net";
import { ProviderFailure } from "../../contract/index.ts";
import { realSignal, type StopSignal } from "../../kit/index.ts";
import { readPublicBody } from "./public-body.ts";
import { AbsentFile, fetchFailure, slowFetchFailure, statusFailure } from "./public-failure.ts";
import { type Resolve, resolveBySystem, resolveChecked } from "./public-resolve.ts";
import { checkUrl, type PublicUrl, type UrlRules } from "./public-url.ts";

export type PublicFetchOptions = {
  /** Limit of the decoded file. */
  readonly maxBytes: number;
  /** For everything together: name lookup, redirects and the whole file. */
  readonly timeoutMs: number;
  readonly signal: StopSignal;
  /** The Accept header. The result is not checked against it: only a file's bytes say what it is. */
  readonly accept?: string;
  /** Added to `privateHosts` for this file alone. */
  readonly allowedHosts?: readonly string[];
};

type PublicFile = {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** From the content-type header, in lower case and without parameters; empty if there is none. */
  readonly mediaType: string;
};

/**
 * Fetches a file from an address that a client or a provider has named. It ends with the file, with a ProviderFailure
 * (an UnsafeAddress where we do not go, an AbsentFile where there is no file) or with the reason of the aborted signal.
 */
export type PublicFetch = (url: string, options: PublicFetchOptions) => Promise<PublicFile>;

export type PublicFetchPolicy = {
  /**
   * Each `host` or `host:port` that may be contacted although it is private, uses http or has a non-default port. Exact
   * names only, so that nothing is open but what the operator wrote.
   */
  readonly privateHosts?: readonly string[];
  /** Names of this gateway itself; never contacted. */
  readonly ownHosts?: readonly string[];
  readonly resolve?: Resolve;
  /** An additional certificate authority, for tests. */
  readonly ca?: string;
};

/** Redirects after the first address. */
const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export function createPublicFetch(policy: PublicFetchPolicy = {}): PublicFetch {
  const run = createErrands(policy);
  return (written, options) => {
    const headers = {
      accept: options.accept ?? "*/*",
      // If a server compresses all the same, its body is decompressed at the reader's pace.
      "accept-encoding": "identity",
    };
    return run(options, { method: "GET", headers }, (errand) => follow(written, errand, options.maxBytes));
  };
}

type PublicPostOptions = Pick<PublicFetchOptions, "timeoutMs" | "signal" | "allowedHosts"> & {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/**
 * Posts a text to an address that a client has named, under the same guard. It ends with the status of the answer, whose
 * body is not read and whose redirect is not followed, or as `PublicFetch` does.
 */
export type PublicPost = (url: string, options: PublicPostOptions) => Promise<number>;

export function createPublicPost(policy: PublicFetchPolicy = {}): PublicPost {
  const run = createErrands(policy);
  return (written, options) => {
    const { headers, body } = options;
    return run(options, { method: "POST", headers, body }, async (errand) => {
      const response = await visit(checkUrl(written, errand.rules), errand);
      void response.body?.cancel().catch(() => {});
      return response.status;
    });
  };
}

function createErrands({
  privateHosts = [],
  ownHosts = [],
  resolve = resolveBySystem,
  ca,
}: PublicFetchPolicy) {
  const own = new Set(ownHosts.map((host) => host.toLowerCase()));

  return async <T>(
    { signal, timeoutMs, allowedHosts }: Pick<PublicFetchOptions, "signal" | "timeoutMs" | "allowedHosts">,
    request: Errand["request"],
    work: (errand: Errand) => Promise<T>,
  ): Promise<T> => {
    signal.throwIfAborted();
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), timeoutMs);
    const stop = AbortSignal.any([realSignal(signal), limit.signal]);
    const rules: UrlRules = { allowedHosts: hostSet(privateHosts, allowedHosts), ownHosts: own };
    try {
      return await untilAborted(work({ rules, request, resolve, ca, stop }), stop);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (limit.signal.aborted) throw slowFetchFailure(`not whole after ${timeoutMs} ms`);
      throw error instanceof ProviderFailure ? error : fetchFailure(codeOf(error));
    } finally {
      clearTimeout(timer);
    }
  };
}

/** The same fetch, which also contacts one provider's hosts: for URLs that this provider names. */
export function withAllowedHosts(fetchPublic: PublicFetch, hosts: readonly string[]): PublicFetch {
  return (url, options) =>
    fetchPublic(url, { ...options, allowedHosts: [...hosts, ...(options.allowedHosts ?? [])] });
}

type Errand = {
  readonly rules: UrlRules;
  readonly request: Pick<BunFetchRequestInit, "method" | "body"> & {
    readonly headers: Readonly<Record<string, string>>;
  };
  readonly resolve: Resolve;
  readonly ca: string | undefined;
  readonly stop: AbortSignal;
};

async function follow(start: string, errand: Errand, maxBytes: number): Promise<PublicFile> {
  let written = start;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const checked = checkUrl(written, errand.rules);
    const response = await visit(checked, errand);
    const location = REDIRECTS.has(response.status) ? response.headers.get("location") : null;
    try {
      if (location === null) return await fileOf(response, maxBytes);
    } finally {
      // A body that was not read to its end must not keep its connection.
      void response.body?.cancel().catch(() => {});
    }
    written = URL.parse(location, checked.url)?.href ?? "";
  }
  throw new AbsentFile(`more than ${MAX_REDIRECTS} redirects`);
}

async function fileOf(response: Response, maxBytes: number): Promise<PublicFile> {
  if (response.status !== 200) throw statusFailure(response.status);
  const type = response.headers.get("content-type") ?? "";
  return {
    bytes: await readPublicBody(response, maxBytes),
    mediaType: (type.split(";")[0] ?? "").trim().toLowerCase(),
  };
}

/** One hop, to the first checked address that answers: neither reading nor a delivery that may come twice is spoilt. */
async function visit(checked: PublicUrl, errand: Errand): Promise<Response> {
  const addresses = await resolveChecked(checked, errand.resolve);
  let failure: unknown;
  for (const address of addresses) {
    errand.stop.throwIfAborted();
    try {
      return await fetch(pinned(checked.url, address), initFor(checked, errand));
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/** Puts the IP address into the URL, so that the name is not resolved a second time. */
export function pinned(url: URL, address: string): string {
  const direct = new URL(url);
  direct.hostname = isIPv6(address) ? `[${address}]` : address;
  direct.hash = "";
  return direct.href;
}

function initFor({ url, hostname }: PublicUrl, { request, ca, stop }: Errand): BunFetchRequestInit {
  return {
    ...request,
    headers: { ...request.headers, host: url.host },
    signal: stop,
    redirect: "manual",
    decompress: false,
    timeout: false,
    // Another name at the same address must not reuse a connection whose certificate was checked for this name.
    keepalive: false,
    // The URL has an IP address, but the certificate must match the name.
    tls: { ...(isIP(hostname) === 0 ? { serverName: hostname } : {}), ...(ca === undefined ? {} : { ca }) },
  };
}

/** DNS lookups take no signal, so an abort does not wait for them. */
function untilAborted<T>(work: Promise<T>, stop: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(stop.reason);
    if (stop.aborted) onAbort();
    stop.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => stop.removeEventListener("abort", onAbort));
  });
}

function hostSet(policy: readonly string[], call: readonly string[] = []): ReadonlySet<string> {
  return new Set([...policy, ...call].map((host) => host.toLowerCase()));
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "failed";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
