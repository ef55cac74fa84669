import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";
import { inspectConfig } from "../gateway/src/app/settings.ts";

const ROOT = join(import.meta.dir, "..");
const read = (...path: string[]) => readFileSync(join(ROOT, ...path), "utf8");
const manifest = (part: string): { name: string; version: string } => JSON.parse(read(part, "package.json"));

const containerfile = read("deploy", "Containerfile");
const line = (word: string) => new RegExp(`^${word}[ =](.*)$`, "m").exec(containerfile)?.[1] ?? "";
const IMAGE_SETTINGS = Object.fromEntries(
  [...containerfile.matchAll(/^ENV (.*)$/gm)].flatMap(([, settings = ""]) =>
    [...settings.matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g)].map(([, name, quoted, plain]) => [
      name,
      quoted ?? plain,
    ]),
  ),
);
const USER = Number(line("USER"));
const SECRET = "s".repeat(32);

/** What a gateway makes of an environment, started where it finds no file. */
function settingsOf(environment: Record<string, string>) {
  const { config, problems, names } = inspectConfig({ ...IMAGE_SETTINGS, ...environment }, "/nonexistent");
  return { problems, unknown: Object.keys(environment).filter((name) => !names.has(name)), config };
}

describe("the image", () => {
  test("installs the gateway and the sandbox that `npm run pack` leaves, and is sent nothing else", () => {
    const tarball = (part: string) => {
      const { name, version } = manifest(part);
      return `/context/dist/${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
    };
    const [gateway = "", sandbox = "", ...more] = line("ARG PACKAGES").replaceAll('"', "").split(" ");
    const packed = ["gateway", "sandbox", "compaction"].map(tarball);
    const taken = (glob: string) => packed.filter((path) => new Bun.Glob(glob).match(path));
    expect([taken(gateway), taken(sandbox), more]).toEqual([[tarball("gateway")], [tarball("sandbox")], []]);
    expect(read("deploy", "Containerfile.dockerignore")).toBe("*\n!dist/*.tgz\n");
  });

  test("has settings that exist, and writes into its volume alone", () => {
    expect(settingsOf({ ...IMAGE_SETTINGS, BURSAR_SECRET: SECRET })).toMatchObject({
      problems: [],
      unknown: [],
    });
    expect(settingsOf({ BURSAR_SECRETS: SECRET }).unknown).toEqual(["BURSAR_SECRETS"]);
    expect([line("VOLUME"), IMAGE_SETTINGS["BURSAR_DATA_DIR"]]).toEqual(["/data", "/data"]);
    expect(containerfile).toContain(`useradd --uid ${USER} `);
  });
});

type Service = {
  environment: Record<string, string>;
  tmpfs: string[];
  stop_grace_period: string;
};

describe("compose.yaml", () => {
  const compose = Bun.YAML.parse(read("deploy", "compose.yaml")) as {
    services: Record<string, Service>;
    networks: { default: { ipam: { config: [{ subnet: string }] } } };
  };
  const gateways = Object.entries(compose.services).filter(([name]) => name.startsWith("gateway-"));
  const filled = (text: string) => text.replace(/\$\{(\w+):\?[^}]*\}/, SECRET);

  test("gives two gateways settings that exist", () => {
    expect(gateways).toHaveLength(2);
    for (const [, { environment }] of gateways) {
      const given = Object.fromEntries(
        Object.entries(environment).map(([name, value]) => [name, filled(value)]),
      );
      const seen = settingsOf({ ...given, BURSAR_SECRET: SECRET });
      expect(seen).toMatchObject({ problems: [], unknown: [] });
      expect(seen.config.trustedProxies).toEqual([compose.networks.default.ipam.config[0].subnet]);
      expect(seen.config.objects).toMatchObject({ kind: "s3" });
    }
  });

  test("lets them write where the image does, and stop in the time that a service has", () => {
    const [, seconds] = /TimeoutStopSec=(\d+)/.exec(read("deploy", "bursar.service")) ?? [];
    for (const [, { tmpfs, stop_grace_period }] of gateways) {
      expect(tmpfs).toEqual(["/tmp", `/data:uid=${USER},gid=${USER},mode=0700`]);
      expect(stop_grace_period).toBe(`${seconds}s`);
    }
  });

  test("has a proxy that passes calls to these gateways", () => {
    const [, upstreams = ""] = /reverse_proxy (.*) \{/.exec(read("deploy", "Caddyfile")) ?? [];
    expect(upstreams.split(" ")).toEqual(gateways.map(([name]) => `${name}:${IMAGE_SETTINGS["PORT"]}`));
  });
});

describe("the chart", () => {
  const values = Bun.YAML.parse(read("deploy", "chart", "values.yaml")) as Record<string, unknown>;
  const templates = readdirSync(join(ROOT, "deploy", "chart", "templates")).map((name) =>
    read("deploy", "chart", "templates", name),
  );

  test("has values that fit their schema, which refuses what is mistyped", () => {
    const fits = new Ajv().compile(JSON.parse(read("deploy", "chart", "values.schema.json")));
    expect(fits(values), JSON.stringify(fits.errors)).toBe(true);
    expect(fits({ ...values, replica: 3 })).toBe(false);
    expect(fits({ ...values, publicUrl: "https://ai.example.com/path" })).toBe(false);
  });

  test("names settings that exist, in its templates and in what it asks for", () => {
    const named = [...templates, read("deploy", "chart", "values.yaml")].flatMap((text) =>
      [...text.matchAll(/\b(?:BURSAR_[A-Z0-9_]+|DATABASE_URL|TRUSTED_PROXIES)\b/g)].map(([name]) => name),
    );
    const { names } = inspectConfig({}, "/nonexistent");
    expect(new Set(named).size).toBeGreaterThan(7);
    expect(named.filter((name) => !names.has(name))).toEqual([]);
  });

  test("fits the image: version, user, port", () => {
    const chart = Bun.YAML.parse(read("deploy", "chart", "Chart.yaml")) as Record<string, unknown>;
    const { version } = manifest("gateway");
    expect([chart["version"], chart["appVersion"]]).toEqual([version, version]);
    const text = templates.join("\n");
    for (const said of [`runAsUser: ${USER}`, `fsGroup: ${USER}`, `containerPort: ${IMAGE_SETTINGS["PORT"]}`])
      expect(text).toContain(said);
  });
});
