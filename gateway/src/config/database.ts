import { accessSync, constants } from "node:fs";
import type { EnvReader } from "./env.ts";

/** The values of `ssl` that the driver understands; it breaks on others, including `false`. */
const SSL_VALUES: readonly (string | null)[] = [null, "true", "1", "0", "no-verify"];

/** The modes that the driver understands: it silently treats any other as `verify-full`. */
const SSL_MODES = ["disable", "prefer", "require", "verify-ca", "verify-full"];

/** The values of `target_session_attrs` that match what happens anyway; no driver here knows that option. */
const SERVERS_THAT_WRITE = ["any", "read-write", "primary"];

/** Files that the driver reads; its error for a missing one names neither the file's purpose nor the option. */
const TLS_FILES = ["sslrootcert", "sslcert", "sslkey"];

/** The URL of the operator's own PostgreSQL; null for the embedded one. */
export function readDatabaseUrl(reader: EnvReader): string | null {
  const given = reader.text("DATABASE_URL");
  if (given === null) return null;
  const url = parseAddress(given);
  if (namesSeveralHosts(given, url)) {
    reader.wrong(
      "DATABASE_URL",
      "must name one host: after a failover the same name, or a proxy, must lead to the server that takes writes",
    );
    return given;
  }
  if (url === null) {
    reader.wrong("DATABASE_URL", "must be an address such as postgresql://user:password@host:5432/database");
    return given;
  }
  if (!SSL_VALUES.includes(url.searchParams.get("ssl"))) {
    reader.wrong("DATABASE_URL", "ssl must be true, 1, 0 or no-verify; use sslmode for other modes");
  }
  const isLikeLibpq = url.searchParams.get("uselibpqcompat") === "true";
  const modes = isLikeLibpq ? SSL_MODES : [...SSL_MODES, "no-verify"];
  for (const mode of url.searchParams.getAll("sslmode")) {
    if (mode === "" || modes.includes(mode)) continue;
    reader.wrong("DATABASE_URL", `sslmode must be one of ${modes.join(", ")}`, mode);
  }
  for (const name of TLS_FILES) {
    const path = url.searchParams.get(name);
    if (path && !canBeRead(path)) {
      reader.wrong("DATABASE_URL", `must name a file that can be read as ${name}`, path);
    }
  }
  // The pool supports it, but the connections of the paid path do not.
  if ((url.searchParams.get("sslnegotiation") ?? "postgres") !== "postgres") {
    reader.wrong("DATABASE_URL", "must not have sslnegotiation: TLS is asked for in the usual way");
  }
  const wanted = url.searchParams.get("target_session_attrs");
  if (wanted !== null && !SERVERS_THAT_WRITE.includes(wanted)) {
    reader.wrong(
      "DATABASE_URL",
      `target_session_attrs must be one of ${SERVERS_THAT_WRITE.join(", ")}: Bursar works on no other server`,
      wanted,
    );
  }
  return isLikeLibpq ? given : withPlainSslMode(given);
}

/** Parsed as the driver does: `user@/`, with a socket's folder in the query, is not a valid URL otherwise. */
function parseAddress(given: string): URL | null {
  if (!/^postgres(ql)?:\/\//.test(given)) return null;
  return URL.parse(given) ?? (NO_HOST.test(given) ? URL.parse(given.replace("@/", "@none/")) : null);
}

/** A socket's folder is in the query. A second `@` would be the real separator, after an unencoded password. */
const NO_HOST = /^\w+:\/\/[^/@?#]*@\/[^@?]*\?(?:[^@]*&)?host=/;
/** `h1:5432`, `10.0.0.1`, `[::1]:5432`. */
const HOST = /^(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d+)?$/;

/** libpq accepts `h1:5432,h2:5432`, or lists in the query. The driver takes a list for one host name, or a bad URL. */
function namesSeveralHosts(given: string, url: URL | null): boolean {
  const [, authority = ""] = /^postgres(?:ql)?:\/\/([^/?#]*)/.exec(given) ?? [];
  const hosts = authority.slice(authority.lastIndexOf("@") + 1);
  return [hosts, url?.searchParams.get("host"), url?.searchParams.get("port")].some((list) => {
    const parts = list?.split(",") ?? [];
    return parts.length > 1 && parts.every((part) => HOST.test(part));
  });
}

/** The driver treats these as `verify-full`, with a ten-line warning that names neither us nor the setting. */
function withPlainSslMode(given: string): string {
  return given.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=[&#]|$)/g, "$1verify-full");
}

function canBeRead(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
