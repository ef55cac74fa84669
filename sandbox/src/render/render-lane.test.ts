import { afterEach, describe, expect, test } from "bun:test";
import { ProviderFailure } from "../../../gateway/src/contract/index.ts";
import type { RenderJob } from "../media/renderer.ts";
import { createRenderLane, type RenderLane, type RenderLaneOptions } from "./render-lane.ts";
import { type RenderProcess, startRenderProcess } from "./render-process.ts";

const picture: RenderJob = {
  kind: "image",
  request: { prompt: "abstract bauhaus", aspectRatio: "1:1", tier: "1k" },
  index: 0,
};
const never = new AbortController().signal;
const lanes: RenderLane[] = [];
const started: RenderProcess[] = [];

function laneWith(options: Partial<RenderLaneOptions> = {}): RenderLane {
  const lane = createRenderLane({
    startProcess() {
      const process = startRenderProcess();
      started.push(process);
      return process;
    },
    maxWaiting: 4,
    idleMs: 60_000,
    timeoutMsOf: () => 60_000,
    ...options,
  });
  lanes.push(lane);
  return lane;
}

afterEach(() => {
  for (const lane of lanes.splice(0)) lane.close();
  started.length = 0;
});

async function firstPid(): Promise<number> {
  for (;;) {
    const [first] = started;
    if (first !== undefined) return first.pid;
    await Bun.sleep(1);
  }
}

async function kindOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => "made",
    (reason: unknown) => reason,
  );
  return error instanceof ProviderFailure ? error.kind : String(error);
}

describe("a lane of the renderer", () => {
  test("starts one process for all of its jobs, and none before the first", async () => {
    const lane = laneWith();
    expect(started.length).toBe(0);
    const files = await Promise.all([lane.render(picture, never), lane.render(picture, never)]);
    expect(started.length).toBe(1);
    expect(files.map(({ mediaType, width }) => [mediaType, width])).toEqual([
      ["image/png", 1024],
      ["image/png", 1024],
    ]);
    expect(files[0]?.bytes).toEqual(files[1]?.bytes ?? new Uint8Array());
  });

  test("refuses a job beyond its queue as rate_limited", async () => {
    const lane = laneWith({ maxWaiting: 1 });
    const [first, second, third] = [1, 2, 3].map(() => kindOf(lane.render(picture, never)));
    expect(await third).toBe("rate_limited");
    expect(await Promise.all([first, second])).toEqual(["made", "made"]);
  });

  test("fails a job whose process is killed, and renders the next one", async () => {
    const lane = laneWith();
    const broken = kindOf(lane.render(picture, never));
    const next = kindOf(lane.render(picture, never));
    process.kill(await firstPid(), "SIGKILL");
    expect(await broken).toBe("unavailable");
    expect(await next).toBe("made");
    expect(started.length).toBe(2);
  });

  test("times out a job that takes too long and ends its process", async () => {
    const lane = laneWith({ timeoutMsOf: () => 1 });
    expect(await kindOf(lane.render(picture, never))).toBe("timeout");
    expect(started[0]?.hasEnded).toBe(true);
  });

  test("ends an aborted job with its own reason, whether queued or rendering", async () => {
    const lane = laneWith();
    const [running, waiting] = [new AbortController(), new AbortController()];
    const calls = [
      kindOf(lane.render(picture, running.signal)),
      kindOf(lane.render(picture, waiting.signal)),
    ];
    const last = kindOf(lane.render(picture, never));
    await firstPid();
    waiting.abort("left the queue");
    running.abort("left the drawing");
    expect(await Promise.all(calls)).toEqual(["left the drawing", "left the queue"]);
    expect(await last).toBe("made");
  });

  test("ends an idle process, and starts another for the next job", async () => {
    const lane = laneWith({ idleMs: 1 });
    await lane.render(picture, never);
    while (started[0]?.hasEnded === false) await Bun.sleep(1);
    expect(await kindOf(lane.render(picture, never))).toBe("made");
    expect(started.length).toBe(2);
  });

  test("fails its jobs when it is closed, and all later ones", async () => {
    const lane = laneWith();
    const calls = [lane.render(picture, never), lane.render(picture, never)].map(kindOf);
    lane.close();
    expect(await Promise.all(calls)).toEqual(["unavailable", "unavailable"]);
    expect(await kindOf(lane.render(picture, never))).toBe("unavailable");
  });
});
