import { connect } from "node:net";
import { doorOf } from "./door.ts";
import { type Proxies, proxyOf } from "./proxy-of.ts";

/**
 * Whether a host takes connections at all. Bun's fetch does not say when it has connected, so a call that is
 * still without an answer halfway through its connect time has somebody else knock: a host that is there
 * opens within a round trip, one that is not stays silent.
 */
export type Reachability = {
  readonly host: string;
  /** The proxy on the way there; null where there is none. */
  readonly proxy: string | null;
  /** A call had an answer from here just now. */
  answered(): void;
  /** True only where nobody has answered lately and a knock met silence for `limitMs`. */
  isSilent(limitMs: number): Promise<boolean>;
};

/** An answer this fresh makes a knock needless, so slow models are not knocked at for every call. */
const FRESH_MS = 5_000;
/** Addresses remembered at most; then they are forgotten together. */
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
    const reachability = byOrigin.get(parsed.origin) ?? createReachability(parsed, proxyOf(proxies, parsed));
    byOrigin.set(parsed.origin, reachability);
    byUrl.set(url, reachability);
    return reachability;
  };
}

function createReachability(url: URL, proxy: string | null): Reachability {
  const door = doorOf(url);
  let answeredAtMs = Number.NEGATIVE_INFINITY;
  let knocking: Promise<boolean> | undefined;
  return {
    host: url.host,
    proxy,
    answered() {
      answeredAtMs = performance.now();
    },
    async isSilent(limitMs) {
      // Behind a proxy the host itself may well be closed to us.
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
    // A refusal is an answer too; what it means for the call, the call will be told itself.
    socket.once("connect", () => settle(false));
    socket.on("error", () => settle(false));
  });
}
