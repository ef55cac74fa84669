import { afterAll, describe, expect, test } from "bun:test";
import { SCOPES } from "../../gateway/src/identity/index.ts";
import { newId } from "../../gateway/src/kit/index.ts";
import { createSender, expectRefusal, routeName } from "../route-suite.ts";
import { startFuzzGateway } from "./fuzz/fuzz-gateway.ts";
import { HOSTILE_LITERALS } from "./fuzz/hostile-values.ts";
import { seedOf } from "./fuzz/request-seeds.ts";
import { expectSound } from "./fuzz/sound-gateway.ts";

// Started before the tests are defined, because their names come from the route table.
const fuzzed = await startFuzzGateway();
const { gateway, own, routes } = fuzzed;
const send = createSender(gateway.origin);
const json = { "content-type": "application/json" };
const keyed = { authorization: `Bearer ${own.key}`, ...json };
afterAll(() => fuzzed.close());

async function rows(): Promise<number> {
  return (await gateway.database.db.pool.query("select 1 from requests")).rowCount ?? 0;
}

for (const route of routes) {
  const { bodies, fields, parameters } = seedOf(route);
  const { method } = route;
  const path = route.path.replace(/:\w+(\{[^}]*\})?/, "sandbox-chat");
  const body = { ...bodies[0], model: fuzzed.modelsFor(route)[0] };
  const isPost = route.bodyLimitBytes !== null;

  describe(routeName(route), () => {
    if (isPost) {
      test("ignores a key in the body", async () => {
        const before = await rows();
        const secrets = { key: own.key, api_key: own.key, authorization: `Bearer ${own.key}` };
        const response = await send({
          method,
          path,
          headers: json,
          body: JSON.stringify({ ...body, ...secrets }),
        });
        await expectRefusal(response, route, { status: 401, code: "unauthorized" });
        expect(await rows()).toBe(before);
      });
    }

    if (route.scope !== "any") {
      test("refuses a key with every scope but the route's", async () => {
        const { key } = await own.mint({ scopes: SCOPES.filter((scope) => scope !== route.scope) });
        const headers = { authorization: `Bearer ${key}`, ...(isPost ? json : {}) };
        const response = await send({
          method,
          path,
          headers,
          body: isPost ? JSON.stringify(body) : undefined,
        });
        await expectRefusal(response, route, { status: 403, code: "scope_denied" });
      });
    }

    if (parameters.length > 0) {
      test.each([...parameters])(
        "refuses the parameter %s given twice, whatever its values",
        async (name) => {
          for (const pair of [`${name}=1&${name}=2`, `${name}=1&${name}=1`, `${name}=&${name}=`]) {
            const response = await send({ method, path: `${path}?${pair}`, headers: keyed });
            await expectRefusal(response, route, { status: 400, says: `${name}: must be given once` });
          }
        },
      );
    }

    if (isPost) {
      test.each([...fields])(
        "answers any value of the field %s, and neither records nor forwards what it refuses",
        async (field) => {
          for (const literal of HOSTILE_LITERALS) {
            const { [field]: _, ...rest } = body as Record<string, unknown>;
            const others = JSON.stringify(rest).slice(1);
            const before = { rows: await rows(), calls: fuzzed.upstreamCalls() };
            const sent = `{${JSON.stringify(field)}:${literal},${others}`;
            const response = await send({ method, path, headers: keyed, body: sent });
            if (response.status === 200) {
              await response.text();
              continue;
            }
            expect([400, 403, 404, 429], `${sent.slice(0, 200)}: ${response.status}`).toContain(
              response.status,
            );
            await expectRefusal(response, route, { status: response.status });
            expect({ rows: await rows(), calls: fuzzed.upstreamCalls() }).toEqual(before);
          }
        },
      );
    }
  });
}

test("assets and jobs of another organization are answered exactly like missing ones", async () => {
  const other = await gateway.found();
  const order = async (path: string, model: string) => {
    const body = JSON.stringify({ model, prompt: "A boat" });
    const headers = { authorization: `Bearer ${other.key}`, ...json };
    return (await (await send({ method: "POST", path, headers, body })).json()) as { request_id: string };
  };
  await order("/functions/v1/api-v1-images", "sandbox-image");
  const made = await gateway.database.db.pool.query<{ id: string }>(
    "select id from assets where org_id = $1",
    [other.id],
  );
  const assetId = made.rows[0]?.id ?? "";
  const { request_id: jobId } = await order("/functions/v1/api-v1-video", "sandbox-video");
  const asked = async (method: string, path: string) => {
    const response = await send({ method, path, headers: keyed });
    const text = (await response.text()).replace(/"request_id":"[^"]*"/, '"request_id":"…"');
    // Both count as a read, and time goes by.
    const own = new Set(["x-request-id", "date", "ratelimit-remaining", "ratelimit-reset"]);
    const headers = [...response.headers].filter(([name]) => !own.has(name));
    return { status: response.status, text, headers };
  };
  expect(assetId).not.toBe("");
  for (const [method, path, id] of [
    ["GET", "/functions/v1/api-v1-assets?asset_id=", assetId],
    ["DELETE", "/functions/v1/api-v1-assets?asset_id=", assetId],
    ["GET", "/functions/v1/api-v1-video?request_id=", jobId],
  ] as const) {
    const foreign = await asked(method, `${path}${id}`);
    expect(foreign.status).toBe(404);
    expect(foreign).toEqual(await asked(method, `${path}${newId()}`));
  }
});

test("the gateway is sound after all of these requests", () => expectSound(fuzzed));
