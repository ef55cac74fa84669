import type { Fault } from "../faults/fault-proxy.ts";
import { createRandom, type Random } from "../simulation/random.ts";
import type { HazardKind } from "./hazard-kind.ts";
import type { Scale } from "./scale.ts";

type NodeNumber = 0 | 1;

/** Something that goes wrong, and for how long. */
export type Hazard =
  | { readonly kind: "kill" | "terminate"; readonly node: NodeNumber }
  | { readonly kind: "stop"; readonly node: NodeNumber; readonly forMs: number }
  | { readonly kind: "clock"; readonly node: NodeNumber; readonly byMs: number }
  | { readonly kind: "database_stop" }
  /** The organization's next statement is executed, but its result is lost. */
  | { readonly kind: "database_link"; readonly node: NodeNumber; readonly loseAnswerOf: number }
  | {
      readonly kind: "database_link" | "client_link";
      readonly node: NodeNumber;
      readonly fault: Fault;
      readonly forMs: number;
    }
  | { readonly kind: "upstream_link"; readonly fault: Fault; readonly forMs: number };

type PlannedHazard = { readonly afterMs: number; readonly hazard: Hazard };

/** Leases last fifteen seconds; a node that was stopped for longer has lost its own. */
const BEYOND_A_LEASE_MS = [16_500, 20_000] as const;
/** Kills of one node before it is the other's turn: a node must live for a whole lease to be able to sweep. */
const KILLS_IN_A_ROW = 10;
const HOUR_MS = 3_600_000;

/** The same seed always gives the same hazards of a kind, in the same order. */
export function* planHazards(kind: HazardKind, seed: number, scale: Scale): Generator<PlannedHazard> {
  const pause = scale.pauseMs[kind];
  if (pause === undefined) return;
  const random = createRandom(seed ^ Bun.hash.crc32(kind));
  for (let count = 0; ; count++) {
    const afterMs = random.between(pause[0], pause[1]);
    yield { afterMs, hazard: draw(kind, { random, count, organizations: scale.organizations }) };
  }
}

function draw(
  kind: HazardKind,
  { random, count, organizations }: { random: Random; count: number; organizations: number },
): Hazard {
  const node = random.chance(0.5) ? 0 : 1;
  switch (kind) {
    case "kill":
      return { kind, node: Math.floor(count / KILLS_IN_A_ROW) % 2 === 0 ? 0 : 1 };
    case "stop":
      return { kind, node, forMs: random.between(...BEYOND_A_LEASE_MS) };
    case "terminate":
      return { kind, node };
    case "clock":
      return { kind, node, byMs: random.between(-26 * HOUR_MS, 26 * HOUR_MS) };
    case "database_stop":
      return { kind };
    case "database_link":
      if (random.chance(0.35)) return { kind, node, loseAnswerOf: random.between(0, organizations - 1) };
      return { kind, node, ...drawFault(random) };
    case "client_link":
      return { kind, node, ...drawFault(random) };
    case "upstream_link":
      return { kind, ...drawFault(random) };
  }
}

function drawFault(random: Random): { readonly fault: Fault; readonly forMs: number } {
  const cut = (direction: "to_server" | "to_client"): Fault => ({
    ...{ kind: "cut", direction },
    afterBytes: random.between(0, 20_000),
  });
  const faults: readonly Fault[] = [
    { kind: "latency", delayMs: random.between(20, 250) },
    { kind: "bandwidth", bytesPerSecond: random.between(20_000, 200_000) },
    { kind: "black_hole" },
    { kind: "half_open" },
    { kind: "reset" },
    cut("to_server"),
    cut("to_client"),
  ];
  const fault = random.pick(faults);
  const isSlow = fault.kind === "latency" || fault.kind === "bandwidth";
  // Sometimes a silent link outlasts every timeout around one answer.
  const isLasting = fault.kind === "black_hole" && random.chance(0.3);
  return {
    fault,
    forMs: isLasting ? random.between(5_500, 7_000) : random.between(200, isSlow ? 3_000 : 1_500),
  };
}

/** True if it breaks connections rather than slowing them. */
export function isCut(hazard: Hazard): boolean {
  if (hazard.kind !== "database_link") return false;
  if ("loseAnswerOf" in hazard) return true;
  return hazard.fault.kind !== "latency" && hazard.fault.kind !== "bandwidth";
}
