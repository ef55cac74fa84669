import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { ProviderFailure } from "../../../gateway/src/contract/index.ts";
import type { VideoJob } from "../media/renderer.ts";
import { SMALL_REQUEST } from "../video/testing.ts";
import { startRenderProcess } from "./render-process.ts";

const video: VideoJob = {
  kind: "video",
  request: {
    ...SMALL_REQUEST,
    task: "image_to_video",
    referenceImage: { bytes: new TextEncoder().encode("<svg/>"), mediaType: "image/svg+xml" },
  },
};

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("the render process has a lower priority", () => {
  const child = startRenderProcess();
  expect(getPriority(child.pid)).toBeGreaterThanOrEqual(10);
  child.end();
});

test("a request with an unsupported image is rejected in our own words", async () => {
  const child = startRenderProcess();
  const failure = await child.render(video).catch((error: unknown) => error);
  child.end();
  expect(failure).toBeInstanceOf(ProviderFailure);
  expect((failure as ProviderFailure).kind).toBe("rejected");
  expect((failure as ProviderFailure).publicMessage).toContain("PNG, JPEG, WebP, GIF and AVIF");
});

test("the render process ends when its parent is killed", async () => {
  const parent = Bun.spawn(
    [
      process.execPath,
      "-e",
      `const { startRenderProcess } = await import(${JSON.stringify(join(import.meta.dir, "render-process.ts"))});
       console.log(startRenderProcess().pid);
       setInterval(() => {}, 1000);`,
    ],
    { stdout: "pipe" },
  );
  const { value } = await parent.stdout.getReader().read();
  const pid = Number(new TextDecoder().decode(value));
  expect(isAlive(pid)).toBe(true);
  parent.kill("SIGKILL");
  while (isAlive(pid)) await Bun.sleep(5);
  expect(isAlive(pid)).toBe(false);
});

test("the program itself loads no rendering library", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bursar-sandbox-load-"));
  const script = `const { startSandboxServer } = await import(${JSON.stringify(join(import.meta.dir, "../index.ts"))});
    const estimator = async () => ({ estimateTokens: () => 1, estimatePromptTokens: () => 1 });
    const bounds = { maxBytes: 1, maxAgeMs: 1 };
    const folder = ${JSON.stringify(folder)};
    await startSandboxServer({ port: 0, hostname: "127.0.0.1", key: null, folder, bounds, estimator }).close();
    console.log(Object.keys(require.cache).filter((path) => /canvas|h264|mediabunny|spessa|flite|wasm-media/.test(path)).length);`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
  expect((await new Response(child.stdout).text()).trim()).toBe("0");
  rmSync(folder, { recursive: true });
});
