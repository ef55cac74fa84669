import { invalid } from "../kit/index.ts";

/** The parameters of a query string. Reading one validates it; parameters that no route reads are ignored. */
export type Query = {
  text(name: string): string | null;
  oneOf<const Value extends string, Fallback>(
    name: string,
    values: readonly Value[],
    fallback: Fallback,
  ): Value | Fallback;
  integer(name: string, range: { min: number; max: number; fallback: number }): number;
};

const INTEGER = /^-?\d{1,15}$/;

const NO_QUERY = readQuery("");

export function createQuery(queryString: string): Query {
  return queryString === "" ? NO_QUERY : readQuery(queryString);
}

function readQuery(queryString: string): Query {
  // Parsed lazily, when a route first reads a parameter.
  let parsed: URLSearchParams | null = null;

  function text(name: string): string | null {
    if (queryString === "") return null;
    parsed ??= new URLSearchParams(queryString);
    const values = parsed.getAll(name);
    if (values.length > 1) throw invalid(name, "must be given once");
    return values[0] ?? null;
  }

  return {
    text,
    oneOf(name, values, fallback) {
      const given = text(name);
      if (given === null) return fallback;
      const value = values.find((known) => known === given);
      if (value === undefined) throw invalid(name, `must be one of ${values.join(", ")}`);
      return value;
    },
    integer(name, { min, max, fallback }) {
      const given = text(name);
      if (given === null) return fallback;
      const value = INTEGER.test(given) ? Number(given) : Number.NaN;
      if (!(value >= min && value <= max)) {
        throw invalid(name, `must be a whole number from ${min} to ${max}`);
      }
      return value;
    },
  };
}
