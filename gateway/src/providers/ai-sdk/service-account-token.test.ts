import { afterEach, expect, test } from "bun:test";
import { createVerify, generateKeyPairSync } from "node:crypto";
import { ProviderFailure } from "../../contract/index.ts";
import { createOutboundFetch } from "../../outbound/index.ts";
import { createGoogleProvider } from "./google.ts";
import { withServiceAccount } from "./service-account-token.ts";
import { callOf } from "./testing.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const PEM = String(privateKey.export({ type: "pkcs8", format: "pem" }));
const HOUR_MS = 3_600_000;

type Claim = { readonly head: object; readonly claim: Record<string, unknown>; readonly isSigned: boolean };

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Google's token service and its models on one address; tokens are numbered, and those in `refused` get a 401. */
function startCloud(
  options: {
    tokenStatus?: number;
    tokenAnswer?: unknown;
    refused?: readonly string[];
    beforeToken?: (claim: number) => Promise<void>;
  } = {},
) {
  const claims: Claim[] = [];
  const calls: { readonly authorization: string | null; readonly apiKey: string | null }[] = [];
  let nowMs = 1_800_000_000_000;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      if (new URL(request.url).pathname === "/token") {
        claims.push(readClaim(new URLSearchParams(await request.text()).get("assertion") ?? ""));
        await options.beforeToken?.(claims.length);
        const answer = { access_token: `token-${claims.length}`, expires_in: 3_600, token_type: "Bearer" };
        return Response.json(options.tokenAnswer ?? answer, { status: options.tokenStatus ?? 200 });
      }
      const { headers } = request;
      calls.push({ authorization: headers.get("authorization"), apiKey: headers.get("x-goog-api-key") });
      if (options.refused?.includes(headers.get("authorization") ?? ""))
        return Response.json({ error: { code: 401, message: "expired" } }, { status: 401 });
      const parts = [{ text: "Hello" }];
      const last = { candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }] };
      return new Response(`data: ${JSON.stringify(last)}\n\n`, {
        headers: { "content-type": "text/event-stream" },
      });
    },
  });
  closing.push(() => void server.stop(true));
  const origin = `http://127.0.0.1:${server.port}`;
  const outbound = withServiceAccount(
    createOutboundFetch({
      timeouts: { connectMs: 2_000, firstByteMs: 2_000, idleMs: 2_000 },
      maxBodyBytes: 1 << 20,
      provider: "test",
    }),
    { email: "a@b.iam", privateKey: PEM, keyId: "k1", tokenUrl: `${origin}/token` },
    { nowMs: () => nowMs, elapsedMs: () => nowMs },
  );
  const provider = createGoogleProvider(
    { name: "vertex", kind: null, baseUrl: `${origin}/v1`, apiKey: null },
    { outbound },
  );
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { claims, calls, provider, origin, pass };
}

function readClaim(assertion: string): Claim {
  const [head = "", claim = "", signature = ""] = assertion.split(".");
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
  const verify = createVerify("RSA-SHA256").update(`${head}.${claim}`);
  const isSigned = verify.verify(publicKey, Buffer.from(signature, "base64url"));
  return { head: read(head), claim: read(claim), isSigned };
}

test("a claim signed by the account is exchanged for a token, and calls carry only that", async () => {
  const cloud = startCloud();
  await callOf(cloud.provider);
  expect(cloud.claims).toEqual([
    {
      head: { alg: "RS256", typ: "JWT", kid: "k1" },
      claim: {
        iss: "a@b.iam",
        scope: "https://www.googleapis.com/auth/cloud-platform",
        aud: `${cloud.origin}/token`,
        iat: 1_800_000_000,
        exp: 1_800_003_600,
      },
      isSigned: true,
    },
  ]);
  expect(cloud.calls).toEqual([{ authorization: "Bearer token-1", apiKey: null }]);
});

test("one token serves all calls, also those that arrive before it, until shortly before its end", async () => {
  const cloud = startCloud();
  await Promise.all([callOf(cloud.provider), callOf(cloud.provider), callOf(cloud.provider)]);
  cloud.pass(HOUR_MS - 121_000);
  await callOf(cloud.provider);
  expect(cloud.claims).toHaveLength(1);
  cloud.pass(122_000);
  await callOf(cloud.provider);
  expect(cloud.claims).toHaveLength(2);
  expect(cloud.calls.map(({ authorization }) => authorization)).toEqual([
    ...Array(4).fill("Bearer token-1"),
    "Bearer token-2",
  ]);
});

test("shortly before its end a token is replaced, and serves until the next one is there", async () => {
  const slow = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const cloud = startCloud({
    beforeToken: async (claim) => {
      if (claim !== 2) return;
      reached.resolve();
      await slow.promise;
    },
  });
  await callOf(cloud.provider);
  cloud.pass(HOUR_MS - 60_000);
  await Promise.all([callOf(cloud.provider), callOf(cloud.provider)]);
  await reached.promise;
  expect(cloud.claims).toHaveLength(2);
  expect(cloud.calls.map(({ authorization }) => authorization)).toEqual(Array(3).fill("Bearer token-1"));
  cloud.pass(60_000);
  const late = callOf(cloud.provider);
  slow.resolve();
  expect(await late).not.toBeInstanceOf(ProviderFailure);
  expect(cloud.calls.at(-1)?.authorization).toBe("Bearer token-2");
  expect(cloud.claims).toHaveLength(2);
});

test("a token service that is down fails no call while the last token is valid, and is not asked by each", async () => {
  const options = { tokenStatus: 200 };
  const cloud = startCloud(options);
  await callOf(cloud.provider);
  options.tokenStatus = 503;
  cloud.pass(HOUR_MS - 60_000);
  for (let i = 0; i < 3; i++) expect(await callOf(cloud.provider)).not.toBeInstanceOf(ProviderFailure);
  expect(cloud.claims).toHaveLength(2);
  cloud.pass(10_000);
  expect(await callOf(cloud.provider)).not.toBeInstanceOf(ProviderFailure);
  cloud.pass(50_000);
  expect(await callOf(cloud.provider)).toMatchObject({ kind: "unavailable" });
  options.tokenStatus = 200;
  expect(await callOf(cloud.provider)).not.toBeInstanceOf(ProviderFailure);
});

test("a refused token is not used again", async () => {
  const cloud = startCloud({ refused: ["Bearer token-1"] });
  expect(await callOf(cloud.provider)).toMatchObject({ kind: "unauthorized" });
  expect(await callOf(cloud.provider)).not.toBeInstanceOf(ProviderFailure);
  expect(cloud.calls.map(({ authorization }) => authorization)).toEqual(["Bearer token-1", "Bearer token-2"]);
});

test.each([
  ["a refused account", { tokenStatus: 400, tokenAnswer: { error: "invalid_grant" } }, "unauthorized"],
  ["a token service that fails", { tokenStatus: 503, tokenAnswer: {} }, "unavailable"],
  ["an answer without a token", { tokenAnswer: { expires_in: 3_600 } }, "unavailable"],
  [
    "a token that cannot be a header",
    { tokenAnswer: { access_token: "a\nb", expires_in: 9 } },
    "unavailable",
  ],
  ["a token without an end", { tokenAnswer: { access_token: "a" } }, "unavailable"],
] as const)("%s is our failure, never the caller's, and is asked anew", async (_, options, kind) => {
  const cloud = startCloud(options);
  expect(await callOf(cloud.provider)).toMatchObject({ kind });
  expect(cloud.calls).toEqual([]);
  const asked = cloud.claims.length;
  await callOf(cloud.provider);
  expect(cloud.claims.length).toBeGreaterThan(asked);
});

test("the log tells why the token service refused the account", async () => {
  const tokenAnswer = { error: "invalid_grant", error_description: "Invalid JWT Signature for a@b.iam" };
  const cloud = startCloud({ tokenStatus: 400, tokenAnswer });
  expect(await callOf(cloud.provider)).toMatchObject({
    publicMessage: "The model's provider refused our account.",
    detail: { internal: expect.stringMatching(/\/token: 400 invalid_grant$/) },
  });
});

test("a caller who leaves does not wait for the token, and others still get it", async () => {
  const cloud = startCloud();
  const leaving = new AbortController();
  const left = callOf(cloud.provider, {}, { signal: leaving.signal });
  const stays = callOf(cloud.provider);
  leaving.abort(new Error("left"));
  await expect(left).rejects.toThrow("left");
  expect(await stays).not.toBeInstanceOf(ProviderFailure);
  expect(cloud.claims).toHaveLength(1);
});
