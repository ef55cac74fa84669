import type { Admitter } from "../admission/index.ts";
import type { Clock } from "../kit/index.ts";
import type { Ledger } from "../ledger/index.ts";
import type { Registry } from "../providers/index.ts";
import type { Log, Metrics } from "../telemetry/index.ts";
import { createCallMetrics } from "./call-metrics.ts";
import { type ChatCall, createChat } from "./chat.ts";
import type { ChatOutcome, Paid } from "./outcome.ts";
import { createPaidCall } from "./paid-call.ts";
import type { RunningCalls } from "./running-calls.ts";
import { createSureSettler } from "./settle-surely.ts";

export type Generation = {
  chat(call: ChatCall): Promise<Paid<ChatOutcome>>;
};

export function createGeneration(input: {
  admitter: Admitter;
  ledger: Ledger;
  registry: Registry;
  running: RunningCalls;
  metrics: Metrics;
  log: Log;
  clock: Clock;
  callTimeoutMs: number;
}): Generation {
  const { log, clock, registry } = input;
  const metrics = createCallMetrics(input.metrics);
  const payFor = createPaidCall({
    admitter: input.admitter,
    settler: createSureSettler({ ledger: input.ledger, log, clock }),
    running: input.running,
    metrics,
    log,
    clock,
  });
  return { chat: createChat({ payFor, registry, metrics, log, timeoutMs: input.callTimeoutMs }) };
}
