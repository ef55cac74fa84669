import { afterAll, describe, expect, test } from "bun:test";
import { httpDeps } from "../gateway/src/app/http-deps.ts";
import { type ApiRoute, createApp } from "../gateway/src/http/index.ts";
import { SCOPES } from "../gateway/src/identity/index.ts";
import { writeSettings } from "./faults/settings-file.ts";
import { startTestGateway } from "./harness.ts";
import { readPublishedDocument } from "./published-document.ts";
import type { RouteCases } from "./route-case.ts";
import { createSender, type Expected, expectRefusal, routeName } from "./route-suite.ts";
import { badBodies, oddBodies } from "./route-suite-bodies.ts";
import { CASES } from "./route-suite-cases.ts";
import { makeSuiteKeys } from "./route-suite-keys.ts";
import { suiteSettings } from "./route-suite-media.ts";
import { expectJobsEnd, withVideo } from "./route-suite-video.ts";
import { startMediaUpstream } from "./upstream/media-upstream.ts";
import { startVideoQueue } from "./upstream/video-queue.ts";

// Started before the tests are defined, because their names come from the route table.
const upstream = startMediaUpstream();
const videos = startVideoQueue();
const settings = writeSettings(withVideo(suiteSettings(upstream.baseUrl), videos));
const gateway = await startTestGateway({
  ...settings.environment,
  TRUSTED_PROXIES: "127.0.0.1",
  BURSAR_PRIVATE_MEDIA_HOSTS: videos.host,
});
const own = await gateway.found();
const keys = await makeSuiteKeys(gateway, own);
const routes = createApp(httpDeps(gateway.services, gateway.origin)).routes;
const published = await readPublishedDocument(gateway.origin);
const send = createSender(gateway.origin);
const key = { authorization: `Bearer ${keys.good}` };
let spent = 0;

afterAll(async () => {
  await gateway.close();
  await upstream.close();
  await videos.close();
  settings.remove();
});

test("every route of the table has cases here, and every case has a route", () => {
  expect(Object.keys(CASES).sort()).toEqual(routes.map(routeName).sort());
});

type Change = {
  readonly path?: string | undefined;
  readonly query?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined;
};

/** The route's good request, changed in one way. */
async function ask(route: ApiRoute, cases: RouteCases, change: Change = {}): Promise<Response> {
  const path = change.path ?? cases.good.path;
  const query = change.query ?? (await cases.good.query?.(gateway, own));
  const type: Record<string, string> =
    route.bodyLimitBytes === null ? {} : { "content-type": "application/json" };
  return send({
    method: route.method,
    path: query === undefined ? path : `${path}?${query}`,
    headers: { ...type, ...(change.headers ?? key) },
    body: change.body ?? (cases.good.body && JSON.stringify(cases.good.body)),
  });
}

async function expectSuccess(route: ApiRoute, response: Response): Promise<void> {
  const body: unknown = await response.json();
  expect([response.status, body]).toEqual([200, body]);
  expect(route.docs.reply.safeParse(body).error?.issues ?? []).toEqual([]);
  published.expectReply(route, response, body);
  if (route.spends) spent++;
}

/** Like every refusal by a route, and as the published document says of this one. */
async function expectOwnRefusal(response: Response, route: ApiRoute, expected: Expected): Promise<void> {
  published.expectReply(route, response, await expectRefusal(response, route, expected));
}

for (const route of routes) {
  const cases = CASES[routeName(route)];
  if (!cases) continue;
  const good = JSON.stringify(cases.good.body ?? {});

  describe(routeName(route), () => {
    test("answers a good request in exactly the documented shape", async () => {
      await expectSuccess(route, await ask(route, cases));
      const named = await ask(route, cases, { headers: { ...key, "x-member-user-id": keys.member } });
      await expectSuccess(route, named);
      for (const query of cases.otherQueries ?? [])
        await expectSuccess(route, await ask(route, cases, { query }));
    });

    test.each(keys.bad.map((bad) => [bad.name, bad] as const))(
      "refuses authentication by %s",
      async (_, bad) => {
        await expectOwnRefusal(await ask(route, cases, { headers: bad.headers }), route, bad);
      },
    );

    test("ignores a key in the query", async () => {
      const query = `key=${keys.good}&authorization=Bearer%20${keys.good}`;
      const response = await ask(route, cases, { headers: {}, query });
      await expectOwnRefusal(response, route, { status: 401, code: "unauthorized" });
    });

    test.each([...SCOPES])(
      "accepts a key with only the scope %s exactly if the route table says so",
      async (scope) => {
        const response = await ask(route, cases, {
          headers: { authorization: `Bearer ${keys.ofScope.get(scope)}` },
        });
        if (route.scope === "any" || route.scope === scope) return expectSuccess(route, response);
        await expectOwnRefusal(response, route, { status: 403, code: "scope_denied" });
      },
    );

    test.each(
      keys.notMembers.map((id, index) => [
        ["malformed", "unknown", "another organization's", "a former member's", "a list of two"][index],
        id,
      ]),
    )("refuses a member id that is %s", async (_, id) => {
      const response = await ask(route, cases, { headers: { ...key, "x-member-user-id": id ?? "" } });
      await expectOwnRefusal(response, route, { status: 400, code: "validation_error" });
    });

    test("refuses every other method with 405, even without a key", async () => {
      const taken = routes.filter(({ path }) => path === route.path).map(({ method }) => method as string);
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
        if (taken.includes(method)) continue;
        const response = await send({
          method,
          path: cases.good.path,
          ...(method === "GET" ? {} : { body: "{" }),
        });
        const allowed = taken.includes("GET") ? [...taken, "HEAD"] : taken;
        expect(response.headers.get("allow")).toBe(allowed.join(", "));
        await expectOwnRefusal(response, route, { status: 405, code: "validation_error" });
      }
    });

    // If a path continues with an id, what follows is part of that id and refused as such.
    const goesOn = routes.some(({ path }) => path.includes(":") && path.startsWith(route.path));
    const beyond = goesOn
      ? ["/", "%00", ";x", ".json"]
      : ["/", "/x", "%00", "%2e%2e%2f", ";x", ".json", "%20"];
    if (route.path.includes(":")) beyond.length = 0;
    test.each(beyond)("is not found with %j after its path", async (suffix) => {
      const response = await ask(route, cases, {
        path: `${cases.good.path}${suffix}`,
        headers: {},
      });
      await expectRefusal(response, route, { status: 404 });
    });

    if (cases.wrong.length > 0) {
      test.each(cases.wrong.map((wrong) => [wrong.name, wrong] as const))("refuses %s", async (_, wrong) => {
        const body = wrong.body && JSON.stringify(wrong.body);
        const response = await ask(route, cases, { ...wrong, body, headers: { ...key, ...wrong.headers } });
        await expectOwnRefusal(response, route, wrong);
      });
    }

    if (route.bodyLimitBytes !== null) {
      test.each(badBodies(good, route.bodyLimitBytes).map((bad) => [bad.name, bad] as const))(
        "refuses a body %s",
        async (_, bad) => {
          const startedMs = performance.now();
          const response = await ask(route, cases, { body: bad.bytes, headers: { ...key, ...bad.headers } });
          await expectOwnRefusal(response, route, { ...bad, code: "validation_error" });
          expect(performance.now() - startedMs).toBeLessThan(1_000);
        },
      );

      test.each(oddBodies(good).map(({ name, body }) => [name, body]))(
        "accepts a body %s",
        async (_, body) => {
          await expectSuccess(route, await ask(route, cases, { body: body ?? "" }));
          expect(({} as Record<string, unknown>)["admin"]).toBeUndefined();
        },
      );
    }
  });
}

test("refused requests leave no row, and all others are charged", async () => {
  await expectJobsEnd(gateway);
  const { usage } = gateway.services;
  const organization = { id: own.id, plan: "enterprise" };
  const { summary } = await usage.usageView(organization, { days: 2, limit: 1 });
  expect([summary.requests, summary.credits_charged]).toEqual([spent, spent]);
  const { balance } = await usage.balanceView(organization, { limit: 1 });
  expect(balance.held_credits).toBe(0);
});
