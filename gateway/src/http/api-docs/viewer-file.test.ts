import { expect, test } from "bun:test";
import { createViewerFile } from "./viewer-file.ts";

type Plugin = (fastify: object, options: object, next: () => void) => void;

test("the viewer is byte for byte what its package, a plugin of Fastify, serves", async () => {
  const { default: plugin } = (await import("@scalar/fastify-api-reference")) as unknown as {
    default: Plugin;
  };
  const sent: string[] = [];
  const reply = { header: () => reply, send: (text: string) => sent.push(text) };
  const route = ({ url, handler }: { url: string; handler: (_: null, to: typeof reply) => void }) => {
    if (url.endsWith(".js")) handler(null, reply);
  };
  plugin({ route }, { configuration: { url: "/openapi.json" } }, () => {});
  const viewer = await createViewerFile()();
  const [script = ""] = sent;
  expect(script.length).toBeGreaterThan(1_000_000);
  expect(Bun.hash(await viewer.plain())).toBe(Bun.hash(script));
  expect(Bun.hash(Bun.gunzipSync(viewer.gzipped))).toBe(Bun.hash(script));
});
