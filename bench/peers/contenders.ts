import { startBaseline } from "../baselines.ts";
import { benchFolder, postgresPid } from "../bench-database.ts";
import { type BenchGateway, startBenchGateway } from "../gateway.ts";
import { type Portkey, portkeyHeaders, servesStreams, startPortkey } from "./portkey.ts";
import { bodyOf, type Scenario } from "./scenario.ts";

export const NAMES = [
  "direct",
  "bare proxy",
  "billed proxy",
  "bursar, main",
  "bursar, /v1",
  "portkey",
] as const;
export type ContenderName = (typeof NAMES)[number];

export type Contender = {
  readonly name: ContenderName;
  readonly port: number;
  /** Null for the upstream itself, which has no gateway to measure. */
  readonly pid: number | null;
  /** The main process of its PostgreSQL, if it has one. */
  readonly postgresPid: number | null;
  readonly servesStreams: boolean;
  /** The whole HTTP request, head and body. */
  request(scenario: Scenario): string;
};

export type Field = {
  readonly contenders: readonly Contender[];
  readonly upstreamPid: number;
  /** Folder of the gateway's database. */
  readonly folder: string;
  readonly portkeyVersion: string | null;
  readonly nodeVersion: string | null;
  stop(): Promise<void>;
};

const WIRE_PATH = "/v1/chat/completions";

/** Starts all contenders on one upstream; all stay up, and only one is called at a time. */
export async function startField({ withPortkey }: { withPortkey: boolean }): Promise<Field> {
  const started: { stop(): Promise<void> }[] = [];
  const keep = <T extends { stop(): Promise<void> }>(one: T): T => {
    started.unshift(one);
    return one;
  };
  const stop = async () => {
    for (const one of started) await one.stop();
  };
  try {
    const upstream = keep(await startBaseline("upstream"));
    const upstreamUrl = `http://127.0.0.1:${upstream.port}${WIRE_PATH}`;
    const proxy = keep(await startBaseline("bare-proxy", upstreamUrl));
    const folder = benchFolder();
    const billed = keep(await startBaseline("billed-proxy", upstreamUrl, folder));
    const gateway = keep(await startBenchGateway(upstream.port));
    const portkey = withPortkey ? keep(await startPortkey()) : null;
    return {
      contenders: [
        plain("direct", upstream.port, null),
        plain("bare proxy", proxy.port, proxy.pid),
        { ...plain("billed proxy", billed.port, billed.pid), postgresPid: postgresPid(folder) },
        bursar("bursar, main", gateway, "/functions/v1/api-v1-chat"),
        bursar("bursar, /v1", gateway, WIRE_PATH),
        ...(portkey === null ? [] : [await peer(portkey, upstream.port)]),
      ],
      upstreamPid: upstream.pid,
      folder: gateway.folder,
      portkeyVersion: portkey?.version ?? null,
      nodeVersion: portkey?.nodeVersion ?? null,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function plain(name: ContenderName, port: number, pid: number | null): Contender {
  const request = requestOn(port, WIRE_PATH, {});
  return { name, port, pid, postgresPid: null, servesStreams: true, request };
}

function bursar(name: ContenderName, gateway: BenchGateway, path: string): Contender {
  const port = Number(new URL(gateway.origin).port);
  const request = requestOn(port, path, { authorization: `Bearer ${gateway.key}` });
  return { name, port, pid: gateway.pid, postgresPid: gateway.postgresPid, servesStreams: true, request };
}

async function peer(portkey: Portkey, upstreamPort: number): Promise<Contender> {
  const { port, pid } = portkey;
  const request = requestOn(port, WIRE_PATH, portkeyHeaders(upstreamPort));
  const streams = await servesStreams(portkey, upstreamPort);
  return { name: "portkey", port, pid, postgresPid: null, servesStreams: streams, request };
}

function requestOn(port: number, path: string, headers: Record<string, string>) {
  return (scenario: Scenario) => {
    const body = bodyOf(scenario);
    const head = {
      host: `127.0.0.1:${port}`,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      ...headers,
    };
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
    return `POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
  };
}
