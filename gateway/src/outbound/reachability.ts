import { connect } from "node:net";
import { hostPortOf } from "./host-port.ts";
import { type Proxies, proxyOf } from "./proxy-of.ts";

/**
 * Whether a host accepts connections at all. Bun's fetch does not say when it has connected, so when half of a call's
 * connect timeout has passed without a response, a separate connection probes the host: a live one accepts within a
 * round trip, a dead one stays silent.
 */
export type Reachability = {
  readonly host: string;
  /** The proxy on the way there; null if there is none. */
  readonly proxy: string | null;
  /** A call has just had a response from this host. */
  answered(): void;
  /** True only if nothing came from the host lately and a probe got no reaction for `limitMs`. */
  isSilent(limitMs: number): Promise<boolean>;
};

/** After a response this recent no probe is needed, so slow models are not probed on every call. */
const FRESH_MS = 5_000;
/** Most URLs and origins that are cached; when full, all are dropped at once. */
const MAX_REMEMBERED = 1_024;

export function createReachabilities(proxies: Proxies | null): (url: string) => Reachability {
  const byUrl = new Map<string, Reachability>();
  const byOrigin = new Map<string, Reachability>();
  return (url) => {
    const known = byUrl.get(url);
    if (known !== undefined) return known;
    const parsed = new URL(url);
    if (byUrl.size >= MAX_REMEMBERED) byUrl.clear();
    if (byOrigin.size >= MAX_REMEMBERED) byOrigin.clear();
    const reachability = byOrigin.getOrInsertComputed(parsed.origin, () =>
      createReachability(parsed, proxyOf(proxies, parsed)),
    );
    byUrl.set(url, reachability);
    return reachability;
  };
}

function createReachability(url: URL, proxy: string | null): Reachability {
  const door = hostPortOf(url);
  let answeredAtMs = Number.NEGATIVE_INFINITY;
  let knocking: Promise<boolean> | undefined;
  return {
    host: url.host,
    proxy,
    answered() {
      answeredAtMs = performance.now();
    },
    async isSilent(limitMs) {
      // A host behind a proxy may be unreachable for us directly.
      if (proxy !== null || performance.now() - answeredAtMs < FRESH_MS) return false;
      knocking ??= knock({ ...door, limitMs }).finally(() => {
        knocking = undefined;
      });
      const isSilent = await knocking;
      if (!isSilent) answeredAtMs = performance.now();
      return isSilent;
    },
  };
}

function knock(door: { hostname: string; port: number; limitMs: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: door.hostname, port: door.port });
    const timer = setTimeout(() => settle(true), door.limitMs);
    function settle(isSilent: boolean): void {
      clearTimeout(timer);
      socket.destroy();
      resolve(isSilent);
    }
    // A refused connection is a reaction, too; the call itself will find out what it means.
    socket.once("connect", () => settle(false));
    socket.on("error", () => settle(false));
  });
}
