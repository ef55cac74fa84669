import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { type SettingsFile, writeSettings } from "../faults/settings-file.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { roundsOfRun } from "../rounds-of-run.ts";
import { type MediaUpstream, startMediaUpstream } from "../upstream/media-upstream.ts";
import { mediaSettings } from "./media-models.ts";

let upstream: MediaUpstream;
let settings: SettingsFile;
let gateway: TestGateway;
let own: TestOrganization;
beforeAll(async () => {
  upstream = startMediaUpstream();
  settings = writeSettings(mediaSettings(upstream.baseUrl));
  gateway = await startTestGateway(settings.environment);
  own = await gateway.found({ credits: 1_000_000 });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
  settings.remove();
});

/**
 * Text that PostgreSQL, headers, file names and pages have trouble with. The JSON guard covers NUL and lone surrogates.
 */
const oddText = fc.oneof(
  fc.constantFrom(
    "Anna: hi\nBob: ho",
    "\r\nset-cookie: a=b",
    "'; drop table assets; --",
    "<script>alert(1)</script>",
    "../../etc/passwd",
    "\u202e\u0085\u2028",
    "a".repeat(31_999),
    "=cmd()",
    ":".repeat(2_000),
    "A: ".repeat(5_000),
    "A:\n".repeat(5_000),
  ),
  fc.string({ unit: "grapheme", maxLength: 50 }).map((text) => text.replaceAll("\0", "").toWellFormed()),
);
const anything = fc.oneof(
  oddText,
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.boolean(),
  fc.constant(null),
  fc.array(oddText, { maxLength: 20 }),
  fc.constant({}),
);

const FIELDS = {
  "/functions/v1/api-v1-images": ["negative_prompt", "aspect_ratio", "resolution_tier"],
  "/v1/images/generations": ["n", "size", "aspect_ratio", "resolution_tier", "response_format", "stream"],
  "/functions/v1/api-v1-audio": [
    ...["audio_kind", "voice", "speakers", "speed", "music_style", "duration_seconds"],
    "reference_image_urls",
  ],
} as const;

for (const [path, names] of Object.entries(FIELDS)) {
  test(`${path} answers any field values with 200 or with a 400 that names a field`, async () => {
    const fields = fc.dictionary(fc.constantFrom(...names), anything, { maxKeys: 2 });
    const model = path.endsWith("audio") ? "voice" : "pictures";
    await fc.assert(
      fc.asyncProperty(oddText, fields, async (prompt, given) => {
        const response = await fetch(`${gateway.origin}${path}`, {
          method: "POST",
          headers: { authorization: `Bearer ${own.key}`, "content-type": "application/json" },
          body: JSON.stringify({ model, prompt, ...given }),
        });
        const text = await response.text();
        expect([200, 400], text.slice(0, 200)).toContain(response.status);
        if (response.status === 400) expect(text).toMatch(/"message":"[a-z_]+(\[\d+\])?: /);
      }),
      { numRuns: roundsOfRun(150) },
    );
  }, 30_000);
}

test("no hold is left, and the files' credits add up to the credits charged", async () => {
  const { db } = gateway.database;
  const holds = await db.pool.query("select 1 from holds");
  expect(holds.rowCount).toBe(0);
  const { rows } = await db.pool.query<{ charged: string; listed: string }>(
    `select (select coalesce(sum(charged_anytime), 0) from requests) as charged,
       (select coalesce(sum(credits_charged), 0) from assets) as listed`,
  );
  expect(rows[0]?.listed).toBe(rows[0]?.charged ?? "");
});
