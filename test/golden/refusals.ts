import type { ApiRoute } from "../../gateway/src/http/index.ts";
import { SCOPES } from "../../gateway/src/identity/index.ts";
import { seedOf } from "../attacks/fuzz/request-seeds.ts";
import type { TestGateway } from "../harness.ts";
import { createSender, routeName } from "../route-suite.ts";

const WRONG_VALUES = [null, true, -1, 1e12, "", "x", [], [{ type: "x" }]];
const WRONG_PARAMETERS = ["", "x", "-1", "1e9"];
const UNBOUNDED = {
  usd: 0,
  monthly_credits: 0,
  requests_per_minute: 1_000_000,
  in_flight: 1000,
  video_jobs: 3,
};
/** No limit may be reached. */
export const SETTINGS = { plans: { unbounded: UNBOUNDED } };
const AT_ONCE = 32;

type Asked = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly key: string | null;
  readonly body?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * What every route answers to a fixed list of bad requests: status, code and message. The caller has no credits, so
 * that what is right is refused too, with what it would have held.
 */
export async function recordedRefusals(gateway: TestGateway, routes: readonly ApiRoute[]): Promise<string> {
  const own = await gateway.found({ plan: "unbounded", credits: 0 });
  const send = createSender(gateway.origin);
  const parts: string[] = [];
  for (const route of routes) {
    const without = await own.mint({ scopes: SCOPES.filter((scope) => scope !== route.scope) });
    const answers = new Map<string, string[]>();
    const asked = requestsTo(route, { key: own.key, without: without.key });
    for (let at = 0; at < asked.length; at += AT_ONCE) {
      const some = asked.slice(at, at + AT_ONCE);
      const said = await Promise.all(some.map((one) => answerTo(send, one, own)));
      for (const [index, answer] of said.entries()) {
        answers.set(answer, [...(answers.get(answer) ?? []), some[index]?.name ?? ""]);
      }
    }
    const lines = [...answers].map(([answer, names]) => `${answer}\n    ${names.join("  ")}`);
    parts.push(`# ${routeName(route)}\n${lines.join("\n")}\n`);
  }
  return parts.join("\n");
}

function requestsTo(route: ApiRoute, { key, without }: { key: string; without: string }): Asked[] {
  const { method } = route;
  const path = route.path.replace(/:\w+(\{[^}]*\})?/, "sandbox-chat");
  const { bodies, fields, parameters } = seedOf(route);
  const isPost = route.bodyLimitBytes !== null;
  const body = isPost ? { ...bodies[0], model: MODELS[route.scope] } : undefined;
  const right = body && JSON.stringify(body);
  const common = { method, path, key, body: right };
  const with_ = (changes: object) => JSON.stringify({ ...body, ...changes });
  const shown = (value: unknown) => JSON.stringify(value);
  return [
    { ...common, name: "<no key>", key: null },
    { ...common, name: "<not a key>", key: "x" },
    { ...common, name: "<unknown key>", key: `svc_live_${"0".repeat(43)}` },
    { ...common, name: "<without scope>", key: without },
    { ...common, name: "<right>" },
    { ...common, name: "<other method>", method: "PUT" },
    { ...common, name: "<as text>", headers: { "content-type": "text/plain" } },
    { ...common, name: "<packed>", headers: { "content-encoding": "br" } },
    { ...common, name: "<idempotency key>", headers: { "idempotency-key": "x".repeat(300) } },
    ...parameters.flatMap((name) => [
      ...WRONG_PARAMETERS.map((value) => ({
        ...common,
        name: `${name}=${value}`,
        path: `${path}?${name}=${value}`,
      })),
      { ...common, name: `${name} twice`, path: `${path}?${name}=1&${name}=1` },
    ]),
    ...(isPost ? ["", "{", "[]", "1", '{"model":"a","model":"a"}'] : []).map((text) => ({
      ...common,
      name: `<body ${text}>`,
      body: text,
    })),
    ...(isPost ? [...fields, "no_such_field"] : []).flatMap((field) => [
      { ...common, name: `no ${field}`, body: with_({ [field]: undefined }) },
      ...WRONG_VALUES.map((value) => ({
        ...common,
        name: `${field}=${shown(value)}`,
        body: with_({ [field]: value }),
      })),
    ]),
    ...(isPost ? bodies.slice(1) : []).map((rich, at) => ({
      ...common,
      name: `<example ${at + 2}>`,
      body: JSON.stringify({ model: MODELS[route.scope], ...rich }),
    })),
  ];
}

const MODELS: Readonly<Record<string, string>> = {
  chat: "sandbox-chat",
  images: "sandbox-image",
  audio: "sandbox-voice",
  video: "sandbox-video",
};

async function answerTo(
  send: ReturnType<typeof createSender>,
  asked: Asked,
  own: { id: string; slug: string },
) {
  const { method, path, key, body, headers: others } = asked;
  const headers = {
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...others,
  };
  const response = await send({ method, path, headers, body });
  const text = await response.text();
  if (response.ok) return `${response.status}`;
  const { error } = JSON.parse(text) as { error: Record<string, unknown> };
  const { message, request_id: _, ...rest } = error;
  return `${response.status} ${Object.values(rest).join(" ")}: ${message}`
    .replaceAll(own.id, "<organization>")
    .replaceAll(own.slug, "<slug>");
}
