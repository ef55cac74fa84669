import { invalid, parseUuid } from "../kit/index.ts";

/** The parameters of a query string. Reading one validates it; parameters that no route reads are ignored. */
export type Query = {
  text(name: string): string | null;
  oneOf<const Value extends string, Fallback>(
    name: string,
    values: readonly Value[],
    fallback: Fallback,
  ): Value | Fallback;
  /** The id of something; whether there is such a thing is for the reader. */
  uuid(name: string): string | undefined;
  /** A text without NUL, which the database would refuse. */
  name(name: string): string | undefined;
  /** A UTC day, `YYYY-MM-DD`. */
  day(name: string): string | undefined;
  integer(name: string, range: { min: number; max: number; fallback: number }): number;
};

const MAX_NAME_CHARACTERS = 200;
/** Years that are far from the ends of the database's calendar. */
const DAY = /^[12]\d{3}-\d{2}-\d{2}$/;
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
    uuid(name) {
      const given = text(name);
      if (given === null) return undefined;
      const id = parseUuid(given);
      if (id === undefined) throw invalid(name, "must be an id");
      return id;
    },
    name(name) {
      const given = text(name);
      if (given === null) return undefined;
      if (given === "" || given.length > MAX_NAME_CHARACTERS || given.includes("\0"))
        throw invalid(name, `must have 1 to ${MAX_NAME_CHARACTERS} characters`);
      return given;
    },
    day(name) {
      const given = text(name);
      if (given === null) return undefined;
      if (!DAY.test(given) || !isDay(given)) throw invalid(name, "must be a day in UTC, as YYYY-MM-DD");
      return given;
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

export const UNKNOWN_CURSOR =
  "must be a next_cursor that your organization was given with the same filters, unchanged";

/** False for a 30 February. */
function isDay(text: string): boolean {
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

/** The first and the last day of a report or a list. */
export function daysOf(query: Query): {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
} {
  const [from, to] = [query.day("from"), query.day("to")];
  if (from !== undefined && to !== undefined && from > to) throw invalid("from", "must not be after to");
  return { from, to };
}
