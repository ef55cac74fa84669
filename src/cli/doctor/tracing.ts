import type { Config } from "../../config.ts";
import { tracesEndpoint } from "../../telemetry/index.ts";
import { type Check, fine, warning } from "./check.ts";

/** Where spans go; nothing is said where none are wanted, and nothing is sent. */
export function checkTracing({ otel }: Pick<Config, "otel">): Check[] {
  const endpoint = tracesEndpoint(otel);
  if (endpoint === null) return [];
  if ("wrong" in endpoint) {
    const mend = "Correct it, such as http://127.0.0.1:4318, or unset it.";
    return [warning("tracing", `nothing is traced: ${endpoint.wrong}`, mend)];
  }
  return [fine("tracing", `spans go to ${new URL(endpoint.url).host}`)];
}
