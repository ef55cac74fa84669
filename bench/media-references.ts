/** What a reference file of 25 MiB adds to the gateway's memory, from its submission until its provider has it. */
import { readFileSync, writeFileSync } from "node:fs";
import { crc32, deflateSync } from "node:zlib";
import { freePort } from "./baselines.ts";
import { type BenchGateway, startBenchGateway } from "./gateway.ts";

type MemoryFigure = {
  readonly name: string;
  /** Above what the gateway used before the first of them. */
  readonly extraMb: number;
};

/** Side in pixels: an RGB image of this size is just below 25 MiB. */
const SIDE = 2_950;
const POLL_EVERY_MS = 50;
const SETTLE_MS = 500;
const VENDORS = ["fal", "replicate", "google"] as const;
type Vendor = (typeof VENDORS)[number];

/** Each in its own gateway: memory left over by one must not hide what the next one takes. */
export async function measureReferences(): Promise<MemoryFigure[]> {
  const picture = noisePng(SIDE).toString("base64");
  const vendor = startVendor();
  const figures: MemoryFigure[] = [];
  const measure = async (model: string, prompt: string, marks: readonly Mark[], written = picture) => {
    const gateway = await startBenchGateway(freePort(), settingsFor(vendor.url.origin));
    try {
      const call = JSON.stringify({ model, prompt, duration: 4 });
      const body = `${call.slice(0, -1)},"reference_image":"${written}"}`;
      figures.push(...(await extraMemory(gateway, body, marks)));
    } finally {
      await gateway.stop();
    }
  };
  try {
    await measure("sandbox-video", LATER, [[1, "taken on, and rendered later"]]);
    const asPhp = picture.replaceAll("/", "\\/");
    await measure("sandbox-video", LATER, [[1, "the same, slashes escaped"]], asPhp);
    const inLines = picture.replace(/.{76}/g, "$&\\r\\n");
    await measure("sandbox-video", LATER, [[1, "the same, in lines"]], inLines);
    await measure("sandbox-video", "a boat", [
      [1, "rendered by the sandbox"],
      [2, "a second right after the first"],
      [5, "five in a row"],
    ]);
    for (const name of VENDORS) {
      const marks: Mark[] = [
        [1, `handed to ${LABELS[name]}`],
        [5, `five in a row to ${LABELS[name]}`],
      ];
      await measure(`${name}-video`, "a boat", marks);
    }
  } finally {
    await vendor.stop(true);
  }
  return figures;
}

const LABELS: Readonly<Record<Vendor, string>> = { fal: "fal", replicate: "Replicate", google: "Google" };
const LATER = "a boat [sandbox:processing=120s]";
/** Number of jobs after which a figure is taken, and its name. */
type Mark = readonly [jobs: number, name: string];

/** Peak memory of the process, as counted by the system, less what it used before. */
async function extraMemory(
  gateway: BenchGateway,
  body: string,
  marks: readonly Mark[],
): Promise<MemoryFigure[]> {
  // What a first submission loads stays in memory, whatever its size: it does not belong to a large one.
  const plain = { model: "sandbox-video", prompt: "x [sandbox:fail]", duration: 4 };
  await submit(gateway, JSON.stringify(plain), true);
  await Bun.sleep(SETTLE_MS);
  const beforeMb = statusMb(gateway.pid, "VmRSS");
  // Resets the system's peak memory counter.
  writeFileSync(`/proc/${gateway.pid}/clear_refs`, "5");
  const figures: MemoryFigure[] = [];
  let done = 0;
  for (const [jobs, name] of marks) {
    for (; done < jobs; done++) await submit(gateway, body, !body.includes(LATER));
    figures.push({ name, extraMb: statusMb(gateway.pid, "VmHWM") - beforeMb });
  }
  return figures;
}

async function submit({ origin, key }: BenchGateway, body: string, untilEnd: boolean): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const url = `${origin}/functions/v1/api-v1-video`;
  const response = await fetch(url, { method: "POST", headers, body });
  const { request_id } = (await response.json()) as { readonly request_id?: string };
  if (response.status !== 200) throw new Error(`the submission was answered with ${response.status}`);
  while (untilEnd) {
    const polled = await fetch(`${url}?request_id=${request_id}`, { headers });
    const { status } = (await polled.json()) as { readonly status: string };
    if (status !== "processing") return;
    await Bun.sleep(POLL_EVERY_MS);
  }
}

function statusMb(pid: number, field: "VmRSS" | "VmHWM"): number {
  const found = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return (Number(found?.[1]) * 1024) / 1e6;
}

/** Accepts every order, reads all of it and reports at the first poll that it failed: only the order matters. */
function startVendor() {
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    maxRequestBodySize: 64 << 20,
    async fetch(request) {
      if (request.method === "POST") {
        const { length } = await request.bytes();
        if (length < SIDE * SIDE * 4) return new Response("{}", { status: 400 });
        return Response.json({ request_id: "order-1", id: "order-1", name: "models/m/operations/o1" });
      }
      const { pathname } = new URL(request.url);
      return Response.json(
        pathname.includes("/operations/") ? { done: true, response: {} } : FAILED[pathOf(pathname)],
      );
    },
  });
}

const FAILED = { fal: { status: "FAILED" }, replicate: { status: "failed", error: "no" } } as const;
const pathOf = (pathname: string) => (pathname.includes("/predictions/") ? "replicate" : "fal");

function settingsFor(origin: string) {
  const entry = (vendor: Vendor) => `
  - id: ${vendor}-video
    name: Video
    type: video
    targets: [{ provider: ${vendor}, model: acme/video }]
    credits_per_request: 1
    capabilities: [reference_image]
    price: { per_second: { "480p": 5 } }
    limits: { duration_seconds: { min: 1, max: 12, default: 4 }, aspect_ratios: ["16:9"] }`;
  return {
    providers: VENDORS.map((name) => `\n  ${name}: { base_url: "${origin}", api_key: "none" }`).join(""),
    models: VENDORS.map(entry).join(""),
  };
}

/** An incompressible image, packed without compression. */
function noisePng(side: number): Buffer {
  const rows = Buffer.alloc(side * (1 + side * 3));
  let state = 1;
  for (let at = 0; at + 4 <= rows.length; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    rows.writeUInt32LE(state, at);
  }
  for (let row = 0; row < side; row++) rows[row * (1 + side * 3)] = 0;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  const packed = deflateSync(rows, { level: 0 });
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", packed),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(content.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}
