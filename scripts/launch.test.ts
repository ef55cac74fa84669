import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const NODE = Bun.which("node") ?? "node";
/** Not even root can create a file in it. */
const NOBODYS_FOLDER = process.platform === "darwin" ? "/System" : "/sys";

const INSTALLING = "Installing dependencies …\n";
/** For development, the sandbox is installed, too. */
const INSTALLING_ALL = `${INSTALLING}Installing the sandbox …\n`;

describe("the launcher", () => {
  let root: string;
  let program: string;

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), `bursar-test-${process.pid}-`));
    program = join(root, "program.ts");
  });

  afterAll(() => rmSync(root, { recursive: true, force: true }));

  /** A checkout that contains only the launcher, which finds only the given programs on its PATH. */
  function checkout(name: string, programs: Record<string, string>): { dir: string; path: string } {
    const dir = join(root, name);
    mkdirSync(join(dir, "scripts"), { recursive: true });
    for (const file of readdirSync(import.meta.dir).filter((entry) => /\.(mjs|toml)$/.test(entry))) {
      copyFileSync(join(import.meta.dir, file), join(dir, "scripts", file));
    }
    for (const folder of [dir, join(dir, "sandbox")]) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "package.json"), '{ "name": "empty", "type": "module" }');
      writeFileSync(join(folder, "bun.lock"), "");
    }
    const path = join(dir, "path");
    mkdirSync(path);
    for (const [file, script] of Object.entries(programs)) {
      writeFileSync(join(path, file), `#!/bin/sh\n${script}\n`);
      chmodSync(join(path, file), 0o755);
    }
    return { dir, path };
  }

  /** The real Bun, except for installing, which would need the network. */
  const bun = (version: string) => `
    if [ "$1" = "--version" ]; then echo ${version}; exit; fi
    if [ "$1" = "install" ]; then echo "$@" > installed; exit; fi
    exec "${process.execPath}" "$@"`;

  function launch(at: { dir: string; path: string }, cwd: string = at.dir) {
    return node(at, [join(at.dir, "scripts", "with-bun.mjs"), program, "an argument"], cwd);
  }

  function node(at: { dir: string; path: string }, command: readonly string[], cwd: string = at.dir) {
    return Bun.spawn([NODE, ...command], {
      cwd,
      env: { PATH: `${at.path}:/usr/bin:/bin`, HOME: at.dir },
      stdout: "pipe",
      stderr: "pipe",
    });
  }

  async function outcome(child: ReturnType<typeof launch>) {
    const [stdout, stderr] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { stdout, stderr, code: child.exitCode, signal: child.signalCode };
  }

  test("installs once, passes on arguments, folder and exit code, and prints nothing else", async () => {
    const at = checkout("right", { bun: bun("1.4.4") });
    writeFileSync(program, "console.log(process.cwd(), process.argv[2]); process.exit(7);");
    expect(await outcome(launch(at, root))).toEqual({
      stdout: `${root} an argument\n`,
      stderr: INSTALLING_ALL,
      code: 7,
      signal: null,
    });
    expect(existsSync(join(at.dir, "installed"))).toBe(true);
    rmSync(join(at.dir, "installed"));
    expect(await outcome(launch(at))).toMatchObject({ stderr: "", code: 7 });
    expect(existsSync(join(at.dir, "installed"))).toBe(false);
  });

  test("runs where Bun is all there is, as in the image", async () => {
    const at = checkout("no-node", { bun: bun("1.4.4") });
    writeFileSync(program, "console.log('ran'); process.exit(7);");
    const child = Bun.spawn([process.execPath, join(at.dir, "scripts", "with-bun.mjs"), program], {
      cwd: at.dir,
      env: { PATH: `${at.path}:/usr/bin:/bin`, HOME: at.dir },
      stdout: "pipe",
      stderr: "pipe",
    });
    expect(await outcome(child)).toMatchObject({ stdout: "ran\n", code: 7, signal: null });
  });

  test("uses .env and bunfig.toml of its own folder only, not of the current one", async () => {
    const at = checkout("elsewhere", { bun: bun("1.4.4") });
    const other = join(root, "another project");
    mkdirSync(other);
    for (const folder of [other, at.dir]) {
      writeFileSync(join(folder, ".env"), "OF_THE_FOLDER=taken");
      writeFileSync(join(folder, "bunfig.toml"), 'preload = ["./preloaded.ts"]');
      writeFileSync(join(folder, "preloaded.ts"), "console.log('preloaded');");
    }
    for (const folder of ["bin", "gateway/src"]) mkdirSync(join(at.dir, folder), { recursive: true });
    copyFileSync(join(import.meta.dir, "..", "bin", "bursar"), join(at.dir, "bin", "bursar"));
    writeFileSync(
      join(at.dir, "gateway", "src", "main.ts"),
      "console.log(process.env.OF_THE_FOLDER, process.argv.slice(2));",
    );
    const saidIn = async (cwd: string) =>
      (await outcome(node(at, [join(at.dir, "bin", "bursar"), "org", "--json"], cwd))).stdout;
    expect(await saidIn(other)).toBe('undefined [ "org", "--json" ]\n');
    expect(await saidIn(at.dir)).toBe('preloaded\ntaken [ "org", "--json" ]\n');
  });

  test("installs the service without development dependencies; tests add them, and the service keeps them", async () => {
    const at = checkout("service", { bun: bun("1.4.4") });
    const installed = join(at.dir, "installed");
    mkdirSync(join(at.dir, "bin"));
    mkdirSync(join(at.dir, "gateway", "src"), { recursive: true });
    copyFileSync(join(import.meta.dir, "..", "bin", "bursar"), join(at.dir, "bin", "bursar"));
    writeFileSync(join(at.dir, "gateway", "src", "main.ts"), "process.exit(5);");
    const serve = () => outcome(node(at, [join(at.dir, "bin", "bursar"), "serve"]));
    const installedBy = async (run: () => Promise<unknown>) => {
      rmSync(installed, { force: true });
      await run();
      return existsSync(installed) ? await Bun.file(installed).text() : null;
    };
    writeFileSync(program, "");
    expect(await installedBy(serve)).toBe("install --frozen-lockfile --production\n");
    expect(await installedBy(serve)).toBeNull();
    const inSandbox = join(at.dir, "sandbox", "installed");
    expect(existsSync(inSandbox)).toBe(false);
    expect(await installedBy(() => outcome(launch(at)))).toBe("install --frozen-lockfile\n");
    expect(await Bun.file(inSandbox).text()).toBe("install --frozen-lockfile\n");
    expect(await installedBy(serve)).toBeNull();
    expect((await serve()).code).toBe(5);
  });

  test("gets Bun through npx if the one on PATH has another version, once", async () => {
    const at = checkout("wrong", {
      bun: bun("1.4.3"),
      npx: `echo "$@" >> asked; echo "npm warn noise" >&2; echo "$(dirname "$0")/fetched-bun"`,
      "fetched-bun": bun("1.4.4"),
    });
    writeFileSync(program, "console.log('ran');");
    for (const stderr of [`Fetching Bun 1.4.4 (first start only) …\n${INSTALLING_ALL}`, ""]) {
      expect(await outcome(launch(at))).toEqual({ stdout: "ran\n", stderr, code: 0, signal: null });
    }
    const asked = await Bun.file(join(at.dir, "asked")).text();
    expect(asked).toBe(
      "--ignore-scripts=false --global=false --dry-run=false -y bun@1.4.4 -e console.log(process.execPath)\n",
    );
  });

  test("reports that Bun could not be fetched", async () => {
    const at = checkout("offline", { npx: 'echo "npm error code ENOTFOUND" >&2; exit 1' });
    const { stderr, code } = await outcome(launch(at));
    expect(stderr).toBe(
      "Fetching Bun 1.4.4 (first start only) …\nBun 1.4.4 could not be fetched through npx (npm error code ENOTFOUND): check that npm can reach its registry.\n",
    );
    expect(code).toBe(1);
  });

  test("does not wait for a killed install, even if its process id is now the launcher's own", async () => {
    const at = checkout("same-number", { bun: bun("1.4.4") });
    const lock = join(at.dir, "node_modules", ".bursar-install-lock");
    mkdirSync(join(at.dir, "node_modules"));
    writeFileSync(program, "console.log('ran');");
    // The shell becomes the launcher and keeps its process id.
    const script = `printf %s $$ > "${lock}"; exec "${NODE}" "${join(at.dir, "scripts", "with-bun.mjs")}" "${program}"`;
    const child = Bun.spawn(["sh", "-c", script], {
      cwd: at.dir,
      env: { PATH: `${at.path}:/usr/bin:/bin`, HOME: at.dir },
      stdout: "pipe",
      stderr: "pipe",
      timeout: 4_000,
    });
    expect(await outcome(child)).toEqual({ stdout: "ran\n", stderr: INSTALLING_ALL, code: 0, signal: null });
    expect(existsSync(lock)).toBe(false);
  });

  test("says once which process it waits for while that installs", async () => {
    const at = checkout("waiting", { bun: bun("1.4.4") });
    const lock = join(at.dir, "node_modules", ".bursar-install-lock");
    mkdirSync(join(at.dir, "node_modules"));
    writeFileSync(lock, String(process.pid));
    writeFileSync(program, "console.log('ran');");
    const child = launch(at);
    const reader = child.stderr.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe(
      `Waiting for process ${process.pid}, which installs the dependencies …\n`,
    );
    rmSync(lock);
    expect(new TextDecoder().decode((await reader.read()).value)).toStartWith(INSTALLING);
    await child.exited;
    expect(child.exitCode).toBe(0);
  });

  test("reports that the dependencies could not be installed", async () => {
    const failing = bun("1.4.4").replace(
      'echo "$@" > installed; exit',
      'echo "error: no such package" >&2; exit 1',
    );
    const { stderr, code } = await outcome(launch(checkout("broken", { bun: failing })));
    expect(stderr).toBe(`${INSTALLING}The dependencies could not be installed (error: no such package).\n`);
    expect(code).toBe(1);
  });

  test("says what to do if its folder is read-only and dependencies are missing", async () => {
    const at = checkout("read-only", { bun: bun("1.4.4") });
    symlinkSync(NOBODYS_FOLDER, join(at.dir, "node_modules"));
    const { stderr, code } = await outcome(launch(at));
    expect(stderr).toContain("The dependencies of this version are not installed, and this user may not");
    expect(stderr).toContain(`Run \`node ${join(at.dir, "bin", "bursar")} --help\` once`);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(code).toBe(1);
    expect(existsSync(join(at.dir, "installed"))).toBe(false);
  });

  test("installs the sandbox alone for its own command, or says who has to", async () => {
    const at = checkout("sandbox", { bun: bun("1.4.4") });
    mkdirSync(join(at.dir, "sandbox", "bin"));
    writeFileSync(
      join(at.dir, "sandbox", "bin", "bursar-sandbox.ts"),
      "console.log(process.argv.slice(2)); process.exit(5);",
    );
    const run = () => outcome(node(at, [join(at.dir, "scripts", "with-sandbox.mjs"), "--port", "0"]));
    const ran = { stdout: '[ "--port", "0" ]\n', code: 5 };
    expect(await run()).toMatchObject({ ...ran, stderr: "Installing the sandbox …\n" });
    expect(existsSync(join(at.dir, "installed"))).toBe(false);
    expect(await run()).toMatchObject({ ...ran, stderr: "" });
    const packages = join(at.dir, "sandbox", "node_modules");
    rmSync(packages, { recursive: true });
    symlinkSync(NOBODYS_FOLDER, packages);
    const { stderr, code } = await run();
    expect(stderr).toContain("The dependencies of this version are not installed, and this user may not");
    expect(stderr).toContain(`Run \`npm run --prefix ${at.dir} sandbox -- --help\` once`);
    expect(code).toBe(1);
  });

  test("passes on each signal once and ends as the program does", async () => {
    const at = checkout("signals", { bun: bun("1.4.4") });
    writeFileSync(
      program,
      `process.on("SIGINT", () => console.log("SIGINT"));
       process.on("SIGQUIT", () => console.log("SIGQUIT"));
       process.on("SIGTERM", () => { console.log("SIGTERM"); process.exit(3); });
       console.log("ready");
       setInterval(() => {}, 1000);`,
    );
    const child = launch(at);
    const reader = child.stdout.getReader();
    const heard = async () => new TextDecoder().decode((await reader.read()).value);
    expect(await heard()).toBe("ready\n");
    child.kill("SIGINT");
    expect(await heard()).toBe("SIGINT\n");
    child.kill("SIGQUIT");
    expect(await heard()).toBe("SIGQUIT\n");
    child.kill("SIGTERM");
    expect(await heard()).toBe("SIGTERM\n");
    await child.exited;
    expect(child.exitCode).toBe(3);
  });

  test("fails with a program that was killed, also where no signal of its own ends it: in a container", async () => {
    const at = checkout("killed-program", { bun: bun("1.4.4") });
    writeFileSync(program, 'process.kill(process.pid, "SIGKILL");');
    expect(await outcome(launch(at))).toMatchObject({ signal: "SIGKILL" });
    const first = ["--import", "data:text/javascript,process.kill=()=>true"];
    const ended = await outcome(node(at, [...first, join(at.dir, "scripts", "with-bun.mjs"), program]));
    expect(ended).toMatchObject({ code: 1, signal: null });
  });

  test("tells a service that its launcher was killed; other commands have no such channel", async () => {
    const at = checkout("killed", { bun: bun("1.4.4") });
    for (const folder of ["bin", "gateway/src"]) mkdirSync(join(at.dir, folder), { recursive: true });
    copyFileSync(join(import.meta.dir, "..", "bin", "bursar"), join(at.dir, "bin", "bursar"));
    writeFileSync(
      join(at.dir, "gateway", "src", "main.ts"),
      `if (process.argv[2] !== "serve") { console.log(typeof process.send); process.exit(0); }
       process.on("disconnect", () => { console.log("alone"); process.exit(0); });
       console.log("ready");
       setTimeout(() => process.exit(1), 5_000);`,
    );
    const bursar = (command: string) => node(at, [join(at.dir, "bin", "bursar"), command]);
    expect(await outcome(bursar("doctor"))).toEqual({
      stdout: "undefined\n",
      stderr: INSTALLING,
      code: 0,
      signal: null,
    });
    const serving = bursar("serve");
    const reader = serving.stdout.getReader();
    const heard = async () => new TextDecoder().decode((await reader.read()).value);
    expect(await heard()).toBe("ready\n");
    serving.kill("SIGKILL");
    expect(await heard()).toBe("alone\n");
  });

  test("npm start passes on SIGTERM and ends with the program", async () => {
    const at = checkout("npm", { bun: bun("1.4.4") });
    const { scripts } = await Bun.file(join(import.meta.dir, "..", "package.json")).json();
    writeFileSync(join(at.dir, "package.json"), JSON.stringify({ name: "empty", type: "module", scripts }));
    for (const folder of ["bin", "gateway/src"]) mkdirSync(join(at.dir, folder), { recursive: true });
    copyFileSync(join(import.meta.dir, "..", "bin", "bursar"), join(at.dir, "bin", "bursar"));
    writeFileSync(
      join(at.dir, "gateway", "src", "main.ts"),
      `process.on("SIGTERM", () => { console.log("stopped " + process.argv[2]); process.exit(0); });
       console.log("ready");
       setInterval(() => {}, 1000);`,
    );
    const npm = Bun.spawn([Bun.which("npm") ?? "npm", "start", "--silent"], {
      cwd: at.dir,
      env: { PATH: `${at.path}:${process.env["PATH"]}`, HOME: at.dir },
      stdout: "pipe",
      stderr: "pipe",
    });
    const reader = npm.stdout.getReader();
    const heard = async () => new TextDecoder().decode((await reader.read()).value);
    expect(await heard()).toBe("ready\n");
    npm.kill("SIGTERM");
    expect(await heard()).toBe("stopped serve\n");
    await npm.exited;
  });
});
