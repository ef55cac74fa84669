import type { ApiRoute } from "../../../gateway/src/http/index.ts";
import type { Random } from "../../simulation/random.ts";
import { HOSTILE_TEXTS } from "./hostile-values.ts";
import { mutateBytes, randomBytes } from "./mutate-bytes.ts";
import { mutateJson } from "./mutate-json.ts";
import type { RouteSeed } from "./request-seeds.ts";

export type FuzzRequest = {
  readonly method: string;
  /** Includes the query string. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
};

type Given = {
  readonly route: ApiRoute;
  readonly seed: RouteSeed;
  readonly key: string;
  readonly models: readonly string[];
};

/** One call of a route: usually a valid one with something in it spoiled, sometimes random bytes. */
export function makeRequest(random: Random, given: Given): FuzzRequest {
  const { route } = given;
  const path = pathOf(random, given);
  return {
    method: random.chance(0.98)
      ? route.method
      : random.pick(["GET", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"]),
    path,
    headers: headersOf(random, given),
    body: route.bodyLimitBytes === null ? null : bodyOf(random, given),
  };
}

function bodyOf(random: Random, { seed, models }: Given): Buffer {
  if (random.chance(0.03)) return randomBytes(random, 500);
  const valid: Record<string, unknown> = { ...random.pick(seed.bodies), model: random.pick(models) };
  // Fields that the documented example leaves out are the least tested ones.
  while (random.chance(0.4))
    valid[random.pick(seed.fields)] = random.pick([1, "x", true, null, [], {}, "1:1", "auto"]);
  const { model, ...rest } = valid;
  const body = mutateJson(random, random.chance(0.9) ? rest : valid);
  if (body.at(0) !== 0x7b || random.chance(0.02)) return body;
  const head = `{"model":${JSON.stringify(model)}${body.length > 2 ? "," : ""}`;
  return Buffer.concat([Buffer.from(head), body.subarray(1)]);
}

function headersOf(random: Random, { key, route }: Given): Record<string, string> {
  const headers: Record<string, string> = { authorization: `Bearer ${key}` };
  if (route.bodyLimitBytes !== null) headers["content-type"] = "application/json";
  const odd = (name: string) => {
    headers[name] = headerText(random.pick(HOSTILE_TEXTS));
  };
  if (random.chance(0.05)) odd("authorization");
  if (random.chance(0.1)) odd("idempotency-key");
  if (random.chance(0.05)) headers["idempotency-key"] = `again-${random.between(1, 20)}`;
  if (random.chance(0.05)) odd("x-member-user-id");
  if (random.chance(0.05)) headers["x-efficiency"] = random.pick(["off", "safe", "structural", "max", ""]);
  if (random.chance(0.03))
    odd(random.pick(["content-type", "accept", "traceparent", "x-forwarded-for", "origin", "range"]));
  return headers;
}

/** What a client's HTTP library would let through in a header. */
function headerText(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 4_000);
}

function pathOf(random: Random, { route, seed }: Given): string {
  const text = () => encodeURIComponent(random.pick(HOSTILE_TEXTS).toWellFormed()).slice(0, 6_000);
  const base = route.path.replace(/:\w+(\{[^}]*\})?/, () =>
    random.pick(["sandbox-chat", text(), "a%2Fb", "%00", "%ff"]),
  );
  const names = [...seed.parameters, "x", "__proto__"];
  const pairs: string[] = [];
  while (random.chance(seed.parameters.length > 0 ? 0.6 : 0.05) && pairs.length < 6) {
    const value = random.chance(0.5)
      ? text()
      : random.pick(["1", "7", "-1", "0", "91", "1e3", "%00", "%ff", "", "a%20b"]);
    pairs.push(`${random.pick(names)}=${value}`);
  }
  const path = pairs.length === 0 ? base : `${base}?${pairs.join("&")}`;
  return random.chance(0.03) ? printable(mutateBytes(random, Buffer.from(path))) : path;
}

/** Escapes every byte that cannot appear in a request line; existing escapes stay as they are. */
export function printable(bytes: Uint8Array): string {
  const path = [...bytes].map((byte) =>
    byte > 0x20 && byte < 0x7f && byte !== 0x23 && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `%${byte.toString(16).padStart(2, "0")}`,
  );
  return `/${path.join("").replace(/^\/+/, "")}`;
}
