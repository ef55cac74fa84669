import type { Admitter } from "../admission/index.ts";
import type { Clock } from "../kit/index.ts";
import type { Ledger } from "../ledger/index.ts";
import type { Breaker, Registry } from "../providers/index.ts";
import type { Log, Metrics } from "../telemetry/index.ts";
import { createCallMetrics } from "./call-metrics.ts";
import { createChat } from "./chat.ts";
import type { ChatCall } from "./chat-call.ts";
import { type ChatStream, createChatStream } from "./chat-stream.ts";
import type { ChatOutcome, Paid } from "./outcome.ts";
import { createPaidCall } from "./paid-call.ts";
import type { RunningCalls } from "./running-calls.ts";
import { createSureSettler } from "./settle-surely.ts";

export type Generation = {
  /** One reply. Refusals and failures are thrown. */
  chat(call: ChatCall): Promise<Paid<ChatOutcome>>;
  /** A reply in parts. Refusals are thrown; what fails later is a part of the stream. */
  chatStream(call: ChatCall): Promise<ChatStream>;
};

export function createGeneration(input: {
  admitter: Admitter;
  ledger: Ledger;
  registry: Registry;
  breaker: Breaker;
  running: RunningCalls;
  metrics: Metrics;
  log: Log;
  clock: Clock;
  callTimeoutMs: number;
  /** How long a settlement is tried before its outcome counts as unknown. */
  settleTimeoutMs: number;
}): Generation {
  const { log, clock, registry, breaker, admitter, running, callTimeoutMs: timeoutMs } = input;
  const metrics = createCallMetrics(input.metrics);
  const settler = createSureSettler({
    ledger: input.ledger,
    log,
    clock,
    giveUpAfterMs: input.settleTimeoutMs,
  });
  const startCall = createPaidCall({ admitter, settler, running, metrics, log, clock });
  const deps = { startCall, registry, breaker, metrics, log, clock, timeoutMs };
  return { chat: createChat(deps), chatStream: createChatStream(deps) };
}
