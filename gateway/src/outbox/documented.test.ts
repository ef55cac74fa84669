import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readProjectFile } from "../../../test/tidy/source-tree.ts";
import { EVENT_TYPES } from "./events.ts";
import { createOutboxFixture, type OutboxFixture, startReceiver } from "./testing.ts";

const page = readProjectFile("docs/webhooks.md");
const codeIn = (language: string) => new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(page)?.[1] ?? "";

let fixture: OutboxFixture;
let folder: string;
let got: { headers: Record<string, string>; body: string; secret: string };
beforeAll(async () => {
  fixture = await createOutboxFixture();
  folder = mkdtempSync(join(tmpdir(), `bursar-test-${process.pid}-`));
  const receiver = startReceiver(() => new Response());
  const orgId = await fixture.found();
  const { secret } = await fixture.webhook(orgId, receiver.url);
  await fixture.event(orgId, "key.created", { name: "ü" });
  await fixture.deliverDue();
  const [{ headers, body } = { headers: new Headers(), body: "" }] = receiver.got;
  got = { headers: Object.fromEntries(headers.entries()), body, secret };
  receiver.stop();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await fixture.close();
});

type Answer = [secret: string, headers: Record<string, string>, body: string, isGenuine: boolean];

/** A delivery, with two signatures as after a rotation, and what differs from it. */
function answers(): Answer[] {
  const { headers, body, secret } = got;
  const other = `whsec_${Buffer.alloc(32).toString("base64")}`;
  const two = { ...headers, "webhook-signature": `v1,AAAA ${headers["webhook-signature"]}` };
  return [
    [secret, headers, body, true],
    [secret, two, body, true],
    [other, headers, body, false],
    [secret, headers, `${body} `, false],
    [secret, { ...headers, "webhook-id": "another" }, body, false],
    [
      secret,
      { ...headers, "webhook-timestamp": String(Number(headers["webhook-timestamp"]) - 301) },
      body,
      false,
    ],
    [secret, { ...headers, "webhook-timestamp": "now" }, body, false],
    [secret, {}, body, false],
  ];
}

test("the TypeScript that the page shows believes what was delivered, and nothing else", async () => {
  const file = join(folder, "receiver.ts");
  writeFileSync(file, codeIn("ts"));
  const { isGenuine } = await import(file);
  for (const [secret, headers, body, expected] of answers())
    expect(isGenuine(secret, new Headers(headers), body)).toBe(expected);
});

test.skipIf(Bun.which("python3") === null)("so does the Python", () => {
  const file = join(folder, "receiver.py");
  const run = "import json, sys\nfor s, h, b, _ in json.load(sys.stdin): print(is_genuine(s, h, b.encode()))";
  writeFileSync(file, `${codeIn("python")}\n${run}\n`);
  const { stdout } = Bun.spawnSync(["python3", file], { stdin: Buffer.from(JSON.stringify(answers())) });
  const said = stdout.toString().trim().split("\n");
  expect(said).toEqual(answers().map(([, , , expected]) => (expected ? "True" : "False")));
});

test("the page names every event", () => {
  const named = [...page.matchAll(/`([a-z]+\.[a-z_]+)`/g)].map(([, name]) => name);
  for (const type of EVENT_TYPES) expect(named).toContain(type);
});
