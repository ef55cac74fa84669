import { afterAll, beforeAll } from "bun:test";
import type { FailPoint } from "../../gateway/src/kit/index.ts";
import type { TestOrganization } from "../harness.ts";
import { type ScriptedUpstream, startScriptedUpstream } from "../upstream/scripted-upstream.ts";
import { FORMS } from "./chat-client.ts";
import { describeFailPoints, expectAgreement } from "./fail-point-table.ts";
import { type FaultyGateway, startFaultyGateway } from "./faulty-database.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";

const isLong = process.env["BURSAR_TEST_LONG"] === "1";
const CREDITS = 1_000;
/** The sandbox answers in pieces that come one by one. */
const CONTENT = "[sandbox:delay=60ms] hello";
/** Every fail point that a chat call passes, in order. */
const POINTS = [
  "before_hold",
  "after_hold_sql",
  "after_hold_commit",
  "before_upstream_send",
  "after_first_byte",
  "mid_stream",
  "before_usage",
  "after_upstream_end",
  "before_settle_sql",
  "after_settle_sql",
  "after_settle_commit",
  "after_reply",
] as const satisfies readonly FailPoint[];

/** Fail points within a timeout of the call itself. The others wait for the database, which has its own timeouts. */
const BOUNDED = [
  "before_upstream_send",
  "after_first_byte",
  "mid_stream",
  "before_usage",
  "after_upstream_end",
  "before_settle_sql",
  "after_settle_sql",
] as const satisfies readonly FailPoint[];

let upstream: ScriptedUpstream;
let settings: SettingsFile;
let faulty: FaultyGateway;
let own: TestOrganization;
beforeAll(async () => {
  upstream = startScriptedUpstream();
  settings = writeSettings({
    providers: { acme: { kind: "openai-wire", base_url: upstream.baseUrl, api_key: "sk-upstream-secret" } },
    models: [WIRE_MODEL],
    timeouts: { call_ms: 900, settle_ms: 700 },
  });
  faulty = await startFaultyGateway(settings.environment);
});
afterAll(async () => {
  await faulty.close();
  await upstream.close();
  settings.remove();
});

const WIRE_MODEL = {
  ...{ id: "wire-chat", name: "Wire", type: "text", targets: [{ provider: "acme", model: "m" }] },
  ...{ credits_per_request: 1, price: { input_per_million: 1, output_per_million: 1 } },
  limits: { context_tokens: 128_000, max_output_tokens: 4_096 },
};

/** Every push drops one connection per point; the other kinds of call come with `npm run faults`. */
function describeChat(form: string, model: string, points: readonly FailPoint[], drops: boolean): void {
  const see = FORMS.find(([name]) => form.startsWith(name))?.[1] ?? FORMS[0][1];
  describeFailPoints({
    form,
    points,
    bounded: points.filter((point) => BOUNDED.some((one) => one === point)),
    async found() {
      own = await faulty.gateway.found({ credits: CREDITS, isRenewed: false });
    },
    call: () => see({ origin: faulty.gateway.origin, of: own, content: CONTENT, model }),
    expectHonest: async (told) =>
      void (await expectAgreement(faulty.gateway, { own, credits: CREDITS, told })),
    ...(drops ? { link: () => faulty.link } : {}),
  });
}

describeChat("JSON", "sandbox-chat", POINTS, true);
describeChat("a stream", "sandbox-chat", POINTS, isLong);
/** Only a provider on a wire has headers; its reply in one piece takes another path than a stream. */
const WIRE_ONLY = ["after_upstream_headers"] as const satisfies readonly FailPoint[];
const NOT_IN_ONE_PIECE: readonly FailPoint[] = ["after_first_byte", "mid_stream"];
describeChat(
  "JSON of a wire",
  "wire-chat",
  [...WIRE_ONLY, ...POINTS.filter((point) => !NOT_IN_ONE_PIECE.includes(point))],
  isLong,
);
/** Without `mid_stream`, because the network decides whether the pieces arrive one by one. */
const OF_A_WIRE = [...WIRE_ONLY, ...POINTS.filter((point) => point !== "mid_stream")];
describeChat("a stream of a wire", "wire-chat", isLong ? OF_A_WIRE : WIRE_ONLY, true);
