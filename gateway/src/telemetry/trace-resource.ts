type Environment = Readonly<Record<string, string | undefined>>;

type TraceResource = {
  readonly attributes: Readonly<Record<string, string>>;
  /** Why the given attributes were ignored; null if they were not. */
  readonly wrong: string | null;
};

/**
 * Identifies who sends the spans. OTEL_RESOURCE_ATTRIBUTES overrides our defaults, OTEL_SERVICE_NAME overrides both.
 */
export function traceResource(env: Environment, version: string): TraceResource {
  const given = givenAttributes(env["OTEL_RESOURCE_ATTRIBUTES"] ?? "");
  const name = env["OTEL_SERVICE_NAME"];
  return {
    attributes: {
      "service.name": "bursar",
      "service.version": version,
      ...given,
      ...(name ? { "service.name": name } : {}),
    },
    // The value is not shown: it may be a secret in the wrong place.
    wrong: given === null ? "OTEL_RESOURCE_ATTRIBUTES must be name=value,name=value, percent-encoded" : null,
  };
}

/** As OpenTelemetry specifies: all of them, or none if one cannot be parsed. */
function givenAttributes(text: string): Readonly<Record<string, string>> | null {
  const pairs = text.split(",").filter((pair) => pair.trim() !== "");
  const attributes: [name: string, value: string][] = [];
  for (const pair of pairs) {
    const [name = "", value, ...more] = pair.split("=").map(decoded);
    if (!name || typeof value !== "string" || more.length > 0) return null;
    attributes.push([name, value]);
  }
  return Object.fromEntries(attributes);
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text.trim());
  } catch {
    return null;
  }
}
