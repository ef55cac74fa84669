import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Asset } from "../../gateway/src/assets/index.ts";
import { sha256Hex } from "../../gateway/src/kit/index.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../harness.ts";
import { publishTestAsset, TINY_PNG } from "../published-asset.ts";
import { startTestBucket, type TestBucket } from "../s3-server.ts";

const LARGE = wave(3_000_000);

/** Audio of this size in which no byte equals its neighbour. */
function wave(sizeBytes: number): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from({ length: sizeBytes }, (_, at) => (at * 31 + (at >> 8)) & 255);
  bytes.set(new TextEncoder().encode("RIFF\0\0\0\0WAVEfmt "));
  return bytes;
}

for (const kind of ["files", "s3"]) {
  describe(`the library on ${kind}`, () => {
    let bucket: TestBucket | null = null;
    let gateway: TestGateway;
    let own: TestOrganization;
    let other: TestOrganization;

    beforeAll(async () => {
      bucket = kind === "s3" ? await startTestBucket() : null;
      gateway = await startTestGateway({ ...bucket?.environment });
      own = await gateway.found();
      other = await gateway.found();
    });

    afterAll(async () => {
      await gateway.close();
      await bucket?.close();
    });

    function objects(): string[] {
      const folder = bucket
        ? join(bucket.folder, "library")
        : join(gateway.services.config.dataDir, "objects");
      return readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && (bucket === null || entry.name.endsWith("._S3rver_object")))
        .map((entry) => entry.name);
    }

    const ask = (path: string, init: RequestInit & { key?: string } = {}) =>
      fetch(`${gateway.origin}/functions/v1/api-v1-assets${path}`, {
        ...init,
        headers: { authorization: `Bearer ${init.key ?? own.key}` },
      });

    const urlOf = async ({ id }: Asset, owner = own): Promise<string> => {
      const reply = await ask(`?asset_id=${id}`, { key: owner.key });
      return ((await reply.json()) as { asset: { url: string } }).asset.url;
    };

    const makeSound = () =>
      publishTestAsset(gateway, own, {
        type: "audio",
        bytes: LARGE,
        mediaType: "text/html",
        durationMs: 1_500,
      });

    test("a record has all fields of the contract, and its URL serves the bytes without a key", async () => {
      const asset = await publishTestAsset(gateway, own, { width: 9, height: 9 });
      const reply = await ask(`?asset_id=${asset.id.toUpperCase()}`);
      const body = (await reply.json()) as { asset: Record<string, unknown> & { url: string } };
      expect(body).toEqual({
        asset: {
          id: asset.id,
          store: "library",
          type: "image",
          url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/library\/[\w-]{32}\.png$/),
          mime_type: "image/png",
          size_bytes: TINY_PNG.byteLength,
          width: 1,
          height: 1,
          duration_seconds: null,
          model: "sandbox-image",
          prompt: "a dot",
          request_id: asset.requestId,
          api_key_id: own.keyId,
          member_user_id: null,
          credits_charged: 4,
          created_at: asset.createdAt.toISOString(),
        },
      });
      const file = await fetch(body.asset.url);
      expect(new Uint8Array(await file.arrayBuffer())).toEqual(TINY_PNG);
      expect(file.headers.get("content-type")).toBe("image/png");
    });

    test("a file that is not media of its type is not stored", async () => {
      const html = new TextEncoder().encode("<html><script>alert(1)</script></html>");
      const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>');
      for (const bytes of [html, svg, new Uint8Array(0), LARGE]) {
        const stored = publishTestAsset(gateway, own, { bytes, mediaType: "image/png" });
        await expect(stored).rejects.toMatchObject({ name: "UnusableAsset", status: 502 });
      }
    });

    describe("a file's URL", () => {
      test("sends headers that keep a hostile file harmless", async () => {
        const asset = await makeSound();
        const reply = await fetch(await urlOf(asset));
        expect(sha256Hex(new Uint8Array(await reply.arrayBuffer()))).toBe(asset.sha256);
        expect(Object.fromEntries(reply.headers)).toMatchObject({
          "content-type": "audio/wav",
          "content-disposition": `inline; filename="${asset.id}.wav"`,
          "x-content-type-options": "nosniff",
          "cross-origin-resource-policy": "cross-origin",
          "access-control-allow-origin": "*",
          "referrer-policy": "no-referrer",
          "cache-control": "private, no-cache",
          "accept-ranges": "bytes",
          etag: `"${asset.sha256.slice(0, 32)}"`,
          "content-security-policy": expect.stringMatching(/^sandbox allow-same-origin; default-src 'none';/),
        });
      });

      test("HEAD reports the size and sends no body", async () => {
        const reply = await fetch(await urlOf(await makeSound()), { method: "HEAD" });
        expect([reply.status, reply.headers.get("content-length"), await reply.text()]).toEqual([
          200,
          String(LARGE.byteLength),
          "",
        ]);
      });

      test("If-None-Match with the current ETag is answered with 304 and no body", async () => {
        const asset = await makeSound();
        const url = await urlOf(asset);
        const etag = `"${asset.sha256.slice(0, 32)}"`;
        for (const text of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
          const reply = await fetch(url, { headers: { "if-none-match": text } });
          expect([reply.status, await reply.text()]).toEqual([304, ""]);
        }
        expect((await fetch(url, { headers: { "if-none-match": '"x"' } })).status).toBe(200);
      });

      test("If-Match without the current ETag is answered with 412", async () => {
        const asset = await makeSound();
        const url = await urlOf(asset);
        const etag = `"${asset.sha256.slice(0, 32)}"`;
        for (const text of ['"no"', "no", `W/${etag}`]) {
          for (const [name, value] of [
            ["range", "bytes=0-4"],
            ["if-none-match", etag],
          ] as const) {
            const reply = await fetch(url, { headers: { "if-match": text, [name]: value } });
            expect([reply.status, (await reply.json()).error.code]).toEqual([412, "validation_error"]);
          }
        }
        for (const text of [etag, `"x", ${etag}`, "*"]) {
          const reply = await fetch(url, { headers: { "if-match": text, range: "bytes=0-4" } });
          expect([reply.status, (await reply.arrayBuffer()).byteLength]).toEqual([206, 5]);
        }
      });

      test.each([
        ["bytes=0-0", 0, 1],
        ["bytes=5-9", 5, 5],
        ["bytes=1000000-2500000", 1_000_000, 1_500_001],
        ["bytes=2999990-", 2_999_990, 10],
        ["bytes=2999990-999999999999999", 2_999_990, 10],
        ["bytes=-10", 2_999_990, 10],
        ["bytes=-999999999", 0, 3_000_000],
        ["bytes=0-", 0, 3_000_000],
      ])("Range %s is answered with exactly those bytes", async (range, start, length) => {
        const reply = await fetch(await urlOf(await makeSound()), { headers: { range } });
        const told = `bytes ${start}-${start + length - 1}/3000000`;
        expect([reply.status, reply.headers.get("content-range")]).toEqual([206, told]);
        // A file from a bucket is streamed, so the server uses chunked encoding whatever we set.
        if (kind === "files") expect(reply.headers.get("content-length")).toBe(String(length));
        expect(sha256Hex(await reply.bytes())).toBe(sha256Hex(LARGE.subarray(start, start + length)));
      });

      test.each(["bytes=3000000-", "bytes=3000000-3000001", "bytes=-0", "bytes=999999999999999-"])(
        "Range %s is outside the file: 416",
        async (range) => {
          const reply = await fetch(await urlOf(await makeSound()), { headers: { range } });
          expect([reply.status, reply.headers.get("content-range")]).toEqual([416, "bytes */3000000"]);
          expect(await reply.json()).toMatchObject({ error: { code: "validation_error" } });
        },
      );

      test.each([
        "bytes=5-2",
        "bytes=0-1,5-6",
        "bytes=-",
        "bytes=a-b",
        "bytes 0-1",
        "items=0-1",
        "bytes=0x1-5",
        "bytes=--5",
        "bytes=1.5-9",
        `bytes=${"9".repeat(400)}-`,
      ])("Range %s is invalid or unsupported: the whole file is sent", async (range) => {
        const reply = await fetch(await urlOf(await makeSound()), { headers: { range } });
        expect([reply.status, (await reply.arrayBuffer()).byteLength]).toEqual([200, LARGE.byteLength]);
      });

      test("If-Range with another ETag gets the whole file, not a part", async () => {
        const asset = await makeSound();
        const url = await urlOf(asset);
        const part = (begun: string) => fetch(url, { headers: { range: "bytes=0-3", "if-range": begun } });
        expect((await part(`"${asset.sha256.slice(0, 32)}"`)).status).toBe(206);
        const whole = await part('"another"');
        expect([whole.status, (await whole.arrayBuffer()).byteLength]).toEqual([200, LARGE.byteLength]);
      });

      test("is not found if altered in any way, and never leads to a path", async () => {
        const asset = await publishTestAsset(gateway, own);
        const { urlToken } = asset;
        const flipped = `${urlToken.startsWith("A") ? "B" : "A"}${urlToken.slice(1)}`;
        const names = [
          `${flipped}.png`,
          `${urlToken}.jpg`,
          urlToken,
          `${urlToken}.PNG`,
          `${urlToken}.png%00`,
          `${urlToken}.png/x`,
          `${urlToken.slice(1)}.png`,
          `${asset.id}.png`,
          "..%2f..%2fsecret.png",
          "%2e%2e/secret",
          asset.objectKey.replaceAll("/", "%2f"),
          `${"A".repeat(10_000)}.png`,
        ];
        for (const name of names) {
          const reply = await fetch(`${gateway.origin}/library/${name}`);
          expect([name.slice(0, 60), reply.status]).toEqual([name.slice(0, 60), 404]);
        }
        expect((await fetch(`${gateway.origin}/library/`)).status).toBe(404);
        expect((await fetch(`${gateway.origin}/library/${urlToken}.png`, { method: "POST" })).status).toBe(
          405,
        );
        expect((await fetch(`${gateway.origin}/library/${urlToken}.png?x=1`)).status).toBe(200);
      });
    });

    describe("DELETE", () => {
      test("removes the record, the URL and the object; a second DELETE is not found", async () => {
        const asset = await publishTestAsset(gateway, own);
        const url = await urlOf(asset);
        const name = asset.objectKey.split("/").at(-1) ?? "";
        expect(objects().some((file) => file.startsWith(name))).toBe(true);
        const reply = await ask(`?asset_id=${asset.id}`, { method: "DELETE" });
        expect([reply.status, await reply.json()]).toEqual([200, { deleted: true, asset_id: asset.id }]);
        expect(objects().some((file) => file.startsWith(name))).toBe(false);
        expect((await fetch(url)).status).toBe(404);
        // A user who opens the old link in a browser gets a readable page.
        const shown = await fetch(url, { headers: { accept: "text/html,*/*;q=0.8" } });
        expect([shown.status, await shown.text()]).toEqual([404, expect.stringContaining("nothing at this")]);
        expect(shown.headers.get("content-type")).toBe("text/html; charset=utf-8");
        expect((await ask(`?asset_id=${asset.id}`)).status).toBe(404);
        expect((await ask(`?asset_id=${asset.id}`, { method: "DELETE" })).status).toBe(404);
      });

      test("of another organization's asset is answered exactly like a missing one and changes nothing", async () => {
        const asset = await publishTestAsset(gateway, own);
        const missing = crypto.randomUUID();
        for (const method of ["GET", "DELETE"]) {
          const answers = [asset.id, missing].map(async (id) => {
            const reply = await ask(`?asset_id=${id}`, { method, key: other.key });
            const requestId = reply.headers.get("x-request-id") ?? "";
            return [reply.status, (await reply.text()).replace(requestId, "")];
          });
          const [foreign, unknown] = await Promise.all(answers);
          expect(foreign).toEqual(unknown ?? []);
          expect(foreign?.[0]).toBe(404);
        }
        expect((await fetch(await urlOf(asset))).status).toBe(200);
      });

      test("during reads leaves each reader with the whole file or an error, and later ones with 404", async () => {
        const asset = await makeSound();
        const url = await urlOf(asset);
        const reads = Array.from({ length: 12 }, async (_, at) => {
          if (at === 6) await ask(`?asset_id=${asset.id}`, { method: "DELETE" });
          const bytes = fetch(url).then((reply) => (reply.status === 404 ? null : reply.bytes()));
          // With S3, a download that loses its file after the first piece ends early, with an error.
          return bytes.then((all) => (all === null ? "missing" : sha256Hex(all))).catch(() => "cut");
        });
        for (const seen of await Promise.all(reads)) expect(seen).toBeOneOf([asset.sha256, "missing", "cut"]);
        expect((await fetch(url)).status).toBe(404);
      });

      test("sent eight times concurrently succeeds once", async () => {
        const asset = await publishTestAsset(gateway, own);
        const replies = await Promise.all(
          Array.from({ length: 8 }, () => ask(`?asset_id=${asset.id}`, { method: "DELETE" })),
        );
        expect(replies.map((reply) => reply.status).sort()).toEqual([200, 404, 404, 404, 404, 404, 404, 404]);
      });
    });

    describe("GET, page by page", () => {
      type Page = { assets: { id: string }[]; count: number; next_cursor: string | null };
      const page = async (query: string, key: string) => (await (await ask(query, { key })).json()) as Page;

      test("lists each asset once, newest first, whatever is added or deleted meanwhile", async () => {
        const org = await gateway.found();
        const made: string[] = [];
        for (let at = 0; at < 7; at++) made.push((await publishTestAsset(gateway, org)).id);
        const first = await page("?limit=3", org.key);
        expect([first.count, first.assets.length]).toEqual([3, 3]);
        await publishTestAsset(gateway, org);
        await ask(`?asset_id=${made[4]}`, { method: "DELETE", key: org.key });
        const second = await page(`?limit=3&cursor=${first.next_cursor}`, org.key);
        const third = await page(`?limit=3&cursor=${second.next_cursor}`, org.key);
        expect([first, second, third].flatMap(({ assets }) => assets.map(({ id }) => id))).toEqual(
          made.toReversed(),
        );
        expect([third.count, third.next_cursor]).toEqual([1, null]);
      });

      test("an empty library is a page without assets", async () => {
        const org = await gateway.found();
        expect(await page("", org.key)).toEqual({ assets: [], count: 0, next_cursor: null });
      });

      test("a cursor is valid only unaltered and for its own organization", async () => {
        const org = await gateway.found();
        for (let at = 0; at < 3; at++) await publishTestAsset(gateway, org);
        const { next_cursor: cursor } = await page("?limit=1", org.key);
        const text = cursor ?? "";
        const decoded = Buffer.from(text, "base64url").toString();
        const altered = [
          `${text}A`,
          `${text}!`,
          text.slice(1),
          Buffer.from(decoded.replace(/^\d/, "9")).toString("base64url"),
          Buffer.from(decoded.split(".").slice(0, 2).join(".")).toString("base64url"),
        ];
        for (const wrong of altered) {
          const reply = await ask(`?cursor=${encodeURIComponent(wrong)}`, { key: org.key });
          expect([wrong, reply.status]).toEqual([wrong, 400]);
        }
        expect((await ask(`?cursor=${text}`, { key: other.key })).status).toBe(400);
        expect((await ask(`?cursor=${text}`, { key: org.key })).status).toBe(200);
      });
    });
  });
}
