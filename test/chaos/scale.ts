import type { HazardKind } from "./hazard-kind.ts";

/** How large a random run is, and how often each kind of fault happens in it. */
export type Scale = {
  readonly calls: number;
  /** A maximum, so that the faults of a run are spread over all of its calls. */
  readonly callsPerSecond: number;
  readonly clients: number;
  readonly organizations: number;
  /** Shortest and longest pause between two faults of a kind. */
  readonly pauseMs: Readonly<Partial<Record<HazardKind, readonly [number, number]>>>;
  /** Kills after the run, each timed until the node serves again and its holds are gone. */
  readonly timedKills: number;
  /** True to move the database's clock instead of waiting for leases to end. */
  readonly isSwift: boolean;
  /** With fewer than these, the run has proved nothing. */
  readonly least: {
    readonly kills: number;
    readonly databaseStops: number;
    readonly linkCuts: number;
  };
};

const SECOND_MS = 1_000;

/** For every push. */
export const SMALL: Scale = {
  calls: 500,
  callsPerSecond: 130,
  clients: 48,
  organizations: 24,
  pauseMs: {
    kill: [800, 1_600],
    database_stop: [2_500, 3_500],
    database_link: [700, 1_500],
    client_link: [1_000, 2_000],
    upstream_link: [1_500, 2_500],
    clock: [1_000, 2_000],
    terminate: [4_000, 5_000],
  },
  timedKills: 0,
  isSwift: true,
  least: { kills: 1, databaseStops: 1, linkCuts: 1 },
};

export const SHORT: Scale = {
  calls: 50_000,
  callsPerSecond: 220,
  clients: 96,
  organizations: 150,
  pauseMs: {
    kill: [3_000, 6_000],
    stop: [45_000, 70_000],
    database_stop: [20_000, 40_000],
    database_link: [6_000, 12_000],
    client_link: [5_000, 10_000],
    upstream_link: [5_000, 10_000],
    clock: [15_000, 30_000],
    terminate: [25_000, 45_000],
  },
  timedKills: 3,
  isSwift: false,
  least: { kills: 30, databaseStops: 5, linkCuts: 10 },
};

export const LONG: Scale = {
  ...SHORT,
  calls: 1_000_000,
  callsPerSecond: 550,
  organizations: 400,
  pauseMs: { ...SHORT.pauseMs, kill: [1_500, 3_500], database_stop: [20 * SECOND_MS, 35 * SECOND_MS] },
  timedKills: 5,
  least: { kills: 500, databaseStops: 60, linkCuts: 60 },
};
