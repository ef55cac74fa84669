import { afterAll, beforeAll, expect, test } from "bun:test";
import type { FailPoint } from "../../gateway/src/kit/index.ts";
import { mediaSettings } from "../endpoints/media-models.ts";
import type { TestOrganization } from "../harness.ts";
import { type MediaUpstream, startMediaUpstream } from "../upstream/media-upstream.ts";
import { describeFailPoints, expectAgreement } from "./fail-point-table.ts";
import { type FaultyGateway, startFaultyGateway } from "./faulty-database.ts";
import { assetCount, expectNoOrphans, MEDIA_FORMS, seen } from "./media-client.ts";
import { type SettingsFile, writeSettings } from "./settings-file.ts";

const isLong = process.env["BURSAR_TEST_LONG"] === "1";
const CREDITS = 100;
/** Every fail point that a media call passes, in order. */
const POINTS = [
  "before_hold",
  "after_hold_sql",
  "after_hold_commit",
  "before_upstream_send",
  "after_upstream_send",
  "after_upstream_headers",
  "after_upstream_end",
  "asset_after_write",
  "before_settle_sql",
  "after_settle_sql",
  "asset_after_row",
  "after_settle_commit",
  "after_reply",
] as const satisfies readonly FailPoint[];

/** Fail points within a timeout of the call itself. */
const BOUNDED = [
  "before_upstream_send",
  "after_upstream_send",
  "after_upstream_headers",
  "after_upstream_end",
  "asset_after_write",
  "before_settle_sql",
  "after_settle_sql",
  "asset_after_row",
] as const satisfies readonly FailPoint[];

let upstream: MediaUpstream;
let settings: SettingsFile;
let faulty: FaultyGateway;
let own: TestOrganization;
beforeAll(async () => {
  upstream = startMediaUpstream();
  const options = { timeouts: { call_ms: 900, settle_ms: 700 }, names: ["good"] };
  settings = writeSettings(mediaSettings(upstream.baseUrl, options));
  faulty = await startFaultyGateway(settings.environment);
});
afterAll(async () => {
  await faulty.close();
  await upstream.close();
  settings.remove();
});

/** The other forms take the same path through the same code; only the long run includes them. */
const FORMS = isLong ? MEDIA_FORMS : MEDIA_FORMS.slice(0, 1);

for (const [form, send] of FORMS) {
  describeFailPoints({
    form,
    points: POINTS,
    bounded: BOUNDED,
    async found() {
      own = await faulty.gateway.found({ credits: CREDITS, isRenewed: false });
    },
    call: async () =>
      seen(await send({ origin: faulty.gateway.origin, of: own, prompt: "A lighthouse", name: "good" })),
    /** In addition, a file is listed exactly when it was charged. */
    async expectHonest(told) {
      const charged = await expectAgreement(faulty.gateway, { own, credits: CREDITS, told });
      expect(await assetCount(faulty.gateway, own.id)).toBe(charged > 0 ? 1 : 0);
    },
    link: () => faulty.link,
  });
}

test("files left over at any fail point are swept", async () => {
  await expectNoOrphans(faulty.gateway);
});
