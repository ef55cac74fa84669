import { hostPortOf } from "../host-port.ts";

/** A URL split into what a connection and a request line need. */
export type Target = {
  readonly origin: string;
  readonly hostname: string;
  readonly port: number;
  /** The name that the certificate must match; null without TLS. */
  readonly serverName: string | null;
  /** The value of the Host header. */
  readonly host: string;
  readonly path: string;
};

/** Most URLs that are cached; when full, all are dropped at once. */
const MAX_REMEMBERED = 1_024;
const remembered = new Map<string, Target | null>();

/** Null if the URL needs more than a plain connection: another scheme, or a user name or password in it. */
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
  const door = hostPortOf(url);
  return {
    origin: url.origin,
    ...door,
    serverName: isSecure ? door.hostname : null,
    host: url.host,
    path: `${url.pathname}${url.search}`,
  };
}
