/**
 * Our gateway, billing on, against its alternatives, on one upstream and under one load: nothing in between, a proxy
 * that only forwards, and Portkey's gateway. Owns the contenders, the scenarios and the arithmetic; refuses to know how
 * any of them works. Always: everyone gets the same bytes and the same time, everyone is warm, the order rotates from
 * round to round, and what is compared was measured in the same round.
 */
export { type Comparison, compare, paceOf } from "./compare.ts";
export { runTable } from "./run-table.ts";
export { SCENARIOS, type Scenario } from "./scenario.ts";
export { fullTable, ratioTable, targetTable } from "./tables.ts";
export { type JudgedTarget, judge } from "./targets.ts";
