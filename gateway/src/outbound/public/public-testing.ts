import { never } from "../testing.ts";
import { createPublicFetch, type PublicFetchOptions, type PublicFetchPolicy } from "./public-fetch.ts";
import type { Resolve } from "./public-resolve.ts";

/** Self-signed certificate for `media.test` and `*.cdn.test`; the key protects nothing and is used in tests only. */
const KEY = `-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIJ3g95sOHKkO2UbpfwGZOUG3YdEiflFwxgxEJARL3BXpoAoGCCqGSM49
AwEHoUQDQgAEMNBI+qN86p14mc/Q9Ti1QG6qfDatz7O8zeNJpXPxxso9VygwLqjc
cXgzURT5qvus1uhvbi9dvM/d4JZHz5OPRw==
-----END EC PRIVATE KEY-----`;

export const TEST_CA = `-----BEGIN CERTIFICATE-----
MIIBpDCCAUqgAwIBAgIUbRUyTjk0Sq/ZHqvu3DdJczGDusswCgYIKoZIzj0EAwIw
FTETMBEGA1UEAwwKbWVkaWEudGVzdDAgFw0yNjExMTUxMDI3NTJaGA8yMTI2MTAy
MjEwMjc1MlowFTETMBEGA1UEAwwKbWVkaWEudGVzdDBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABDDQSPqjfOqdeJnP0PU4tUBuqnw2rc+zvM3jSaVz8cbKPVcoMC6o
3HF4M1EU+ar7rNbob24vXbzP3eCWR8+Tj0ejdjB0MB0GA1UdDgQWBBTZjcZ/i4/e
XmQLbZdBWifo9LONwTAfBgNVHSMEGDAWgBTZjcZ/i4/eXmQLbZdBWifo9LONwTAP
BgNVHRMBAf8EBTADAQH/MCEGA1UdEQQaMBiCCm1lZGlhLnRlc3SCCiouY2RuLnRl
c3QwCgYIKoZIzj0EAwIDSAAwRQIgENyboslCIVgxxJuxeGFMW15BfIARzNf4Gs+5
xd268x8CIQDMt0sAjKC4s0Cf2gW68orXbeTXBl/8Fvurx+vMclco9w==
-----END CERTIFICATE-----`;

export type MediaHost = {
  readonly port: number;
  /** Host and path of each request, in order. */
  readonly seen: string[];
  /** How many connections these requests came on. */
  readonly connections: number;
  close(): Promise<void>;
};

/** A file server on loopback, with TLS by default. */
export function startMediaHost(
  answer: (request: Request) => Response | Promise<Response>,
  { tls = true }: { tls?: boolean } = {},
): MediaHost {
  const seen: string[] = [];
  const callerPorts = new Set<unknown>();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    ...(tls ? { tls: { key: KEY, cert: TEST_CA } } : {}),
    fetch(request, self) {
      callerPorts.add(self.requestIP(request)?.port);
      seen.push(`${request.headers.get("host")} ${new URL(request.url).pathname}`);
      return answer(request);
    },
  });
  return {
    port: server.port ?? 0,
    seen,
    get connections() {
      return callerPorts.size;
    },
    close: () => server.stop(true),
  };
}

/** A resolver that knows only these names. */
export function knowing(names: Readonly<Record<string, readonly string[]>>): Resolve {
  return async (hostname) => {
    const addresses = names[hostname];
    if (addresses === undefined) throw new Error("ENOTFOUND");
    return addresses;
  };
}

export function fetchWith(
  policy: PublicFetchPolicy,
  url: string,
  options: Partial<PublicFetchOptions> = {},
): ReturnType<ReturnType<typeof createPublicFetch>> {
  const fetchPublic = createPublicFetch({ ca: TEST_CA, ...policy });
  return fetchPublic(url, { maxBytes: 1 << 20, timeoutMs: 5_000, signal: never(), ...options });
}
