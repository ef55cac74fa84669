import { describe, expect, test } from "bun:test";
import { createMetrics } from "../../telemetry/index.ts";
import { createMetricsExchange, type MetricsPeer } from "./worker-metrics.ts";

type Message = Parameters<MetricsPeer["send"]>[0];

/** Workers that have counted something, and what the first of them shows when asked. */
function startWorkers(count: number) {
  const exchange = createMetricsExchange(() => peers);
  let show = (_texts: readonly string[]) => {};
  const peers = Array.from({ length: count }, () => {
    const worker = {
      metrics: countFrom(0),
      isSilent: false,
      send(message: Message): boolean {
        if (worker.isSilent) return false;
        if (message.type === "metrics_of_others") show(message.texts);
        else
          exchange.received(worker, { type: "metrics_said", id: message.id, text: worker.metrics.render() });
        return true;
      },
      count: (calls: number) => worker.metrics.counter("calls_total", "Calls.").inc(calls),
      end() {
        exchange.ended(worker);
        worker.metrics = countFrom(0);
      },
    };
    return worker;
  });
  async function scrape(asked = 0): Promise<string> {
    const worker = peers[asked] as (typeof peers)[number];
    const own = worker.metrics.render();
    const others = new Promise<readonly string[]>((resolve) => {
      show = resolve;
    });
    exchange.received(worker, { type: "metrics_wanted", id: 1, text: own });
    const text = worker.metrics.merge([own, ...(await others)]);
    return ["calls_total", "seconds_count", "processes"]
      .map((name) => new RegExp(`^${name} (.*)$`, "m").exec(text)?.[1])
      .join(" ");
  }
  return { peers, scrape };
}

function countFrom(calls: number) {
  const metrics = createMetrics();
  metrics.counter("calls_total", "Calls.").inc(calls);
  metrics.histogram("seconds", "Time.").observe(1);
  metrics.gauge("processes", "Processes.").set(1);
  return metrics;
}

describe("metrics of several workers", () => {
  test("keep the counts of a silent worker, but not its gauges", async () => {
    const { peers, scrape } = startWorkers(3);
    const [one, two] = peers;
    one?.count(1);
    two?.count(10);
    expect(await scrape()).toBe("11 3 3");
    if (two) two.isSilent = true;
    two?.count(5);
    expect(await scrape()).toBe("11 3 2");
    if (two) two.isSilent = false;
    expect(await scrape()).toBe("16 3 3");
  });

  test("keep the counts of a worker that ended, and add those of its successor", async () => {
    const { peers, scrape } = startWorkers(2);
    const [one, two] = peers;
    one?.count(1);
    two?.count(10);
    expect(await scrape()).toBe("11 2 2");
    two?.end();
    expect(await scrape()).toBe("11 3 2");
    one?.end();
    one?.count(100);
    expect(await scrape(1)).toBe("111 4 2");
    for (let life = 0; life < 5; life++) one?.end();
    expect(await scrape(1)).toBe("111 5 2");
  });

  test("count a worker once that ends while others are being asked", async () => {
    const { peers, scrape } = startWorkers(3);
    const [, two, three] = peers;
    two?.count(10);
    if (three) {
      const say = three.send;
      three.send = (message) => {
        three.send = say;
        two?.end();
        return say(message);
      };
    }
    expect(await scrape()).toBe("10 3 2");
  });
});
