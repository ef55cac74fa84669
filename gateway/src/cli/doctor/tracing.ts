import type { Config } from "../../config/index.ts";
import { tracesEndpoint } from "../../telemetry/index.ts";
import { type Check, fine, reasonOf, warning } from "./check.ts";
import { tryToConnect } from "./try-to-connect.ts";

/** Where spans go, and whether something accepts connections there; sends nothing. Empty if tracing is off. */
export async function checkTracing({ otel }: Pick<Config, "otel">): Promise<Check[]> {
  const endpoint = tracesEndpoint(otel);
  if (endpoint === null) return [];
  if ("wrong" in endpoint) {
    const fix = "Correct it, such as http://127.0.0.1:4318, or unset it.";
    return [warning("tracing", `nothing is traced: ${endpoint.wrong}`, fix)];
  }
  const { host, hostname, port, protocol } = new URL(endpoint.url);
  const problem = await tryToConnect({
    hostname,
    port: Number(port) || (protocol === "https:" ? 443 : 80),
  });
  if (problem === null) return [fine("tracing", `spans go to ${host}`)];
  return [
    warning(
      "tracing",
      `spans are lost: nothing answers at ${host} (${reasonOf(problem)})`,
      "Start the collector, or correct OTEL_EXPORTER_OTLP_ENDPOINT; it is reached without a proxy.",
    ),
  ];
}
