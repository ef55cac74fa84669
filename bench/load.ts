import { percentile } from "./table.ts";

export type Target = {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string;
};

export type LoadFigures = {
  readonly calls: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** To the first byte of the body; the same as the whole for replies in one piece. */
  readonly firstByteP50Ms: number;
};

/** Sends calls over so many connections until the count is reached; every answer must be 200 and whole. */
export async function load(target: Target, connections: number, calls: number): Promise<LoadFigures> {
  const times: number[] = [];
  const firstBytes: number[] = [];
  let next = 0;
  const startedMs = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (next++ < calls) {
        const sentMs = performance.now();
        const response = await fetch(target.url, {
          method: "POST",
          headers: target.headers,
          body: target.body,
        });
        if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
        firstBytes.push(await readWhole(response, sentMs));
        times.push(performance.now() - sentMs);
      }
    }),
  );
  const seconds = (performance.now() - startedMs) / 1000;
  times.sort((a, b) => a - b);
  firstBytes.sort((a, b) => a - b);
  return {
    calls: times.length,
    seconds,
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    firstByteP50Ms: percentile(firstBytes, 0.5),
  };
}

async function readWhole(response: Response, sentMs: number): Promise<number> {
  let firstMs: number | undefined;
  for await (const _ of response.body as ReadableStream<Uint8Array>) firstMs ??= performance.now() - sentMs;
  return firstMs ?? Number.NaN;
}
