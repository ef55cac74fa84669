import { doorOf } from "../door.ts";

/** An address as a connection and a request line know it. */
export type Target = {
  readonly origin: string;
  readonly hostname: string;
  readonly port: number;
  /** The name that a certificate must carry; null where none is asked for. */
  readonly serverName: string | null;
  /** As the Host header says it. */
  readonly host: string;
  readonly path: string;
};

/** Addresses remembered at most; then they are forgotten together. */
const MAX_REMEMBERED = 1_024;
const remembered = new Map<string, Target | null>();

/** Null where the address asks for more than a connection and a path. */
export function targetOf(url: string): Target | null {
  const known = remembered.get(url);
  if (known !== undefined) return known;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  const target = parseTarget(new URL(url));
  remembered.set(url, target);
  return target;
}

function parseTarget(url: URL): Target | null {
  const isSecure = url.protocol === "https:";
  if ((!isSecure && url.protocol !== "http:") || url.username !== "" || url.password !== "") return null;
  const door = doorOf(url);
  return {
    origin: url.origin,
    ...door,
    serverName: isSecure ? door.hostname : null,
    host: url.host,
    path: `${url.pathname}${url.search}`,
  };
}
