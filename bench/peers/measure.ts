import type { Load } from "../load.ts";
import type { LoadOrders, LoadTally } from "../load-clients.ts";
import { cpuMicros, familyCpuMicros, residentMegabytes } from "../process-cpu.ts";
import type { Contender, ContenderName } from "./contenders.ts";
import { expectedOf, NEW_NUMBER, nameOf, type Scenario } from "./scenario.ts";

/** What one round of one scenario measured for one contender. */
export type Measurement = LoadTally & {
  readonly contender: ContenderName;
  readonly scenario: string;
  readonly round: number;
  /** CPU of the gateway's process over the whole round; null if there is no gateway. */
  readonly cpuMicros: number | null;
  /** The same including PostgreSQL, if it has one. */
  readonly cpuWithDatabaseMicros: number | null;
  readonly residentMb: number | null;
  /** As a share of one core: if one of these nears 1, the round really measured that process. */
  readonly loadCpuShare: number;
  readonly upstreamCpuShare: number;
};

type MeasureOrders = {
  readonly scenario: Scenario;
  readonly round: number;
  readonly seconds: number;
  readonly upstreamPid: number;
};

const MEMORY_EVERY_MS = 200;

export async function warmUp(load: Load, contender: Contender, scenario: Scenario, seconds: number) {
  if (seconds > 0) await load.run(loadOrders(contender, scenario, seconds));
}

export async function measure(
  load: Load,
  contender: Contender,
  { scenario, round, seconds, upstreamPid }: MeasureOrders,
): Promise<Measurement> {
  const { pid, postgresPid } = contender;
  const clocks = () => ({
    own: pid === null ? 0 : cpuMicros(pid),
    database: postgresPid === null ? 0 : familyCpuMicros(postgresPid),
    load: cpuMicros(load.pid),
    upstream: cpuMicros(upstreamPid),
  });
  const memory = pid === null ? null : watchMemory(pid);
  const before = clocks();
  const tally = await load.run(loadOrders(contender, scenario, seconds)).finally(() => memory?.stop());
  const after = clocks();
  const own = after.own - before.own;
  return {
    ...tally,
    contender: contender.name,
    scenario: nameOf(scenario),
    round,
    cpuMicros: pid === null ? null : own,
    cpuWithDatabaseMicros: pid === null ? null : own + after.database - before.database,
    residentMb: memory?.highestMb() ?? null,
    loadCpuShare: (after.load - before.load) / 1e6 / tally.seconds,
    upstreamCpuShare: (after.upstream - before.upstream) / 1e6 / tally.seconds,
  };
}

function loadOrders({ port, request }: Contender, scenario: Scenario, seconds: number): LoadOrders {
  return {
    port,
    request: request(scenario),
    connections: scenario.connections,
    seconds,
    expected: expectedOf(scenario),
    newNumber: NEW_NUMBER,
  };
}

/** Sampled while calls run: afterwards some memory is given back. */
function watchMemory(pid: number) {
  let highest = residentMegabytes(pid);
  const look = () => {
    highest = Math.max(highest, residentMegabytes(pid));
  };
  const timer = setInterval(look, MEMORY_EVERY_MS);
  return { stop: () => clearInterval(timer), highestMb: () => highest };
}
