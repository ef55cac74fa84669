import { EFFICIENCY_LEVELS, type EfficiencyLevel } from "../identity/index.ts";
import { invalid } from "../kit/index.ts";

/** The level that `X-Efficiency` requests; null leaves it to the organization's setting. */
export function efficiencyOf(headers: Headers): EfficiencyLevel | null {
  const given = headers.get("x-efficiency");
  if (given === null) return null;
  const level = EFFICIENCY_LEVELS.find((known) => known === given);
  if (level === undefined) throw invalid("X-Efficiency", `must be one of ${EFFICIENCY_LEVELS.join(", ")}`);
  return level;
}
